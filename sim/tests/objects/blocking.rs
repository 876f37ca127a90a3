//! Blocking: random systems with locks of both kinds, in bands of both kinds, run by the kernel. No job takes
//! longer than the analysis says, and nobody is in a section with somebody else.

use std::cell::RefCell;
use std::collections::BTreeSet;

use beryl_abi::{Duration, SemaphoreId, ThreadId};
use beryl_analysis::{
    self as analysis, Lock as Counted, Policy, Proof, Protocol, Ticks, Urgency, User, prove,
};
use beryl_kernel::{Place, Semaphore, SemaphoreKind, Thread};
use beryl_testing::{Draw, XorShift as Random};
use beryl_user::lock::Lock;
use beryl_user::period::Period;
use beryl_user::platform;
use beryl_user::semaphore::Binary;
use beryl_user::thread::Thread as Changing;

use crate::scenario::{BASE, Scenario, end, free, level, note, notes, periodic, sleep_until, spend, words};

pub const SYSTEMS: u64 = 60;
/// Threads: two in the dynamic band, the others in the fixed one.
pub const THREADS: usize = 6;
pub const DYNAMIC: usize = 2;
/// Locks of each kind.
const LOCKS: usize = 2;
const LENGTH: u64 = 15_000;
/// All releases and works are numbers of this. In the simulation the end of a job is no time at all, but it
/// comes behind a release at the same instant; so in the analysis it takes a tick.
pub const UNIT: u64 = 10;
/// The semaphore that is taken without the kernel has its word here.
const WORD: u32 = BASE + 0x20;

/// A part of a job.
#[derive(Clone, Debug)]
enum Part {
    Work(u64),
    Ceiling(usize, Vec<Part>),
    Owned(usize, Vec<Part>),
}

#[derive(Clone, Debug, Default)]
struct Job {
    parts: Vec<Part>,
    /// The semaphore that the kernel takes for each job at its release, and what is done with it.
    promised: Option<(usize, Vec<Part>)>,
}

#[derive(Clone, Debug)]
pub struct Row {
    period: u64,
    offset: u64,
    deadline: u64,
    pub priority: u8,
    /// The least and the most urgent that it may have.
    pub range: [u8; 2],
    job: Job,
}

thread_local! {
    static JOBS: RefCell<(Vec<Job>, Vec<u8>, Random)> =
        const { RefCell::new((Vec::new(), Vec::new(), Random::behind(1))) };
    /// The threads whose priorities change, with what they may be.
    static RANGES: RefCell<Vec<(u8, [u8; 2])>> = const { RefCell::new(Vec::new()) };
}

fn parts_within(random: &mut Random, depth: u64, may_own: bool) -> Vec<Part> {
    let count = 1 + random.under(2);
    let part = |_| match random.under(4) {
        0 if depth > 0 => Part::Ceiling(draw_index(random), parts_within(random, depth - 1, false)),
        1 if depth > 0 && may_own => Part::Owned(draw_index(random), parts_within(random, depth - 1, false)),
        _ => Part::Work(UNIT * (1 + random.under(3))),
    };
    (0..count).map(part).collect()
}

fn draw_index(random: &mut Random) -> usize {
    random.below(LOCKS)
}

/// Only one thread may own a semaphore while it waits for the other.
pub fn row(random: &mut Random, index: usize) -> Row {
    let period = 200 + 50 * random.under(20);
    let semaphore = draw_index(random);
    let mut parts = parts_within(random, 2, true);
    if index == THREADS - 1 && random.under(3) == 0 {
        parts = vec![Part::Owned(0, vec![Part::Work(10), Part::Owned(1, vec![Part::Work(20)])])];
    } else {
        restrict(&mut parts, semaphore);
    }
    let promised = (random.under(4) == 0).then(|| (semaphore, parts_within(random, 1, false)));
    let deadline = if index < DYNAMIC { period - UNIT * random.under(period / 30) } else { period };
    // Priorities may be shared.
    let priority = 1 + u8::try_from(random.under(4)).unwrap();
    Row {
        period,
        offset: UNIT * random.under(period / UNIT),
        deadline,
        priority,
        range: [priority; 2],
        job: Job { parts, promised },
    }
}

/// All other threads use one semaphore.
fn restrict(parts: &mut [Part], only: usize) {
    for part in parts {
        if let Part::Owned(index, inside) = part {
            *index = only;
            restrict(inside, only);
        }
    }
}

fn work(parts: &[Part]) -> u64 {
    let of = |part: &Part| match part {
        Part::Work(ticks) => *ticks,
        Part::Ceiling(_, inside) | Part::Owned(_, inside) => work(inside),
    };
    parts.iter().map(of).sum()
}

impl Row {
    /// The same with other priorities that it may have.
    pub fn between(self, range: [u8; 2]) -> Row {
        Row { range, ..self }
    }
}

impl Job {
    fn worst(&self) -> u64 {
        work(&self.parts) + self.promised.as_ref().map_or(0, |(_, inside)| work(inside))
    }

    /// The longest section in a lock; nothing if it isn't used.
    fn longest(&self, protocol: Protocol, lock: usize) -> Option<u64> {
        let promised =
            self.promised.iter().filter(|(of, _)| protocol == Protocol::Inheritance && *of == lock);
        let promised = promised.map(|(_, inside)| work(inside));
        let inside = self.promised.iter().flat_map(|(_, inside)| inside);
        let all = self.parts.iter().chain(inside);
        all.filter_map(|part| longest(part, protocol, lock)).chain(promised).max()
    }
}

fn longest(part: &Part, protocol: Protocol, lock: usize) -> Option<u64> {
    let (own, of, inside) = match part {
        Part::Work(_) => return None,
        Part::Ceiling(of, inside) => (Protocol::Ceiling, of, inside),
        Part::Owned(of, inside) => (Protocol::Inheritance, of, inside),
    };
    let here = (own == protocol && *of == lock).then(|| work(inside));
    here.into_iter().chain(inside.iter().filter_map(|part| longest(part, protocol, lock))).max()
}

/// Makes somebody whose priority may change as urgent as possible, or as little, now and then.
fn change_somebody() {
    let next = |most: usize| JOBS.with_borrow_mut(|(_, _, random)| random.under(most as u64));
    let ranges = RANGES.with_borrow(Vec::clone);
    if ranges.is_empty() || next(6) > 0 {
        return;
    }
    let (thread, [least, most]) = ranges[usize::try_from(next(ranges.len())).unwrap()];
    let priority = if next(2) == 0 { least } else { most };
    // SAFETY: all threads are of one process.
    unsafe { Changing::new(ThreadId(thread)) }.set_priority(priority).unwrap();
}

/// Runs parts in the simulation, each as long as drawn.
fn run(parts: &[Part], me: u8) {
    for part in parts {
        change_somebody();
        match part {
            Part::Work(ticks) => {
                let drawn = JOBS.with_borrow_mut(|(_, _, random)| random.under(2 * ticks));
                spend(ticks.saturating_sub(drawn.saturating_sub(*ticks)));
            }
            Part::Ceiling(index, inside) => {
                let ceiling = JOBS.with_borrow(|(_, ceilings, _)| ceilings[*index]);
                let value = BASE + 4 * u32::try_from(*index).unwrap();
                // SAFETY: the words are the thread's own, and the value has a place of its own.
                let mut lock: Lock<i32> = unsafe { Lock::new(words(me.into()), ceiling.into(), value) };
                lock.with(|inhabited| alone(inhabited, inside, me));
            }
            Part::Owned(index, inside) => alone(&mut semaphore(*index, me).wait().unwrap(), inside, me),
        }
    }
}

/// Notes it if somebody else is inside.
fn alone(inhabited: &mut i32, inside: &[Part], me: u8) {
    let before = *inhabited;
    platform::point();
    // A lock may be taken again by its own thread.
    let own = i32::from(me) + 1;
    if before != 0 && before != own {
        note("broken");
    }
    *inhabited = own;
    run(inside, me);
    *inhabited = before;
}

/// The first has a word, the second none.
fn semaphore(index: usize, me: u8) -> Binary<i32> {
    let number = u8::try_from(index).unwrap();
    let word = if index == 0 { WORD } else { 0 };
    // SAFETY: the value has a place of its own, and `me` is the caller.
    unsafe { Binary::new(SemaphoreId(number), word, ThreadId(me), BASE + 0x10 + 4 * u32::from(number)) }
}

extern "C" fn thread<const ME: u8>() -> ! {
    // SAFETY: the calling thread is periodic.
    let mut period = unsafe { Period::new() };
    let job = JOBS.with_borrow(|(jobs, ..)| jobs[usize::from(ME)].clone());
    loop {
        run(&job.parts, ME);
        note(&format!("{ME}"));
        match &job.promised {
            None => drop(period.wait()),
            Some((index, inside)) => {
                let mut semaphore = semaphore(*index, ME);
                let (_, mut held) = period.wait_then(&mut semaphore).unwrap();
                alone(&mut held, inside, ME);
            }
        }
    }
}

const ENTRIES: [extern "C" fn() -> !; THREADS] =
    [thread::<0>, thread::<1>, thread::<2>, thread::<3>, thread::<4>, thread::<5>];

/// Levels as the builder gives them: bands first, then deadlines or priorities.
fn levels(rows: &[Row]) -> Vec<u8> {
    let key = |index: usize| match index < DYNAMIC {
        true => (1, u64::MAX - rows[index].deadline),
        false => (0, rows[index].priority.into()),
    };
    let all = |index: usize| -> Vec<(u8, u64)> {
        let [least, most] = rows[index].range;
        match index < DYNAMIC {
            true => vec![key(index)],
            false => (least..=most).map(|priority| (0, priority.into())).collect(),
        }
    };
    let keys: BTreeSet<_> = (0..rows.len()).flat_map(all).collect();
    (0..rows.len()).map(|index| u8::try_from(keys.range(..=key(index)).count()).unwrap()).collect()
}

/// Those in whose places a thread may run.
fn lenders(rows: &[Row], thread: usize) -> BTreeSet<usize> {
    let uses = |row: &Row, lock| row.job.longest(Protocol::Inheritance, lock).is_some();
    let mut found = BTreeSet::from([thread]);
    for _ in rows {
        for lock in 0..LOCKS {
            if found.iter().any(|index| uses(&rows[*index], lock)) {
                found.extend((0..rows.len()).filter(|index| uses(&rows[*index], lock)));
            }
        }
    }
    found.remove(&thread);
    found
}

fn locks(rows: &[Row]) -> Vec<Counted> {
    let user = |thread: usize, hold: u64| {
        let urgency = Urgency {
            band: usize::from(thread >= DYNAMIC),
            priority: rows[thread].range[1].into(),
            shortest: Ticks::new(rows[thread].deadline),
            longest: Ticks::new(rows[thread].deadline),
        };
        User { thread, urgency: Some(urgency), hold: Ticks::new(hold) }
    };
    let lock = |protocol, lock: usize| {
        let holds = |thread: usize| Some((thread, rows[thread].job.longest(protocol, lock)?));
        let holders: Vec<_> = (0..rows.len()).filter_map(holds).collect();
        let mut users: Vec<User> = holders.iter().map(|(thread, hold)| user(*thread, *hold)).collect();
        if protocol == Protocol::Ceiling {
            let lending = holders.iter().flat_map(|(thread, _)| lenders(rows, *thread));
            users.extend(lending.map(|thread| user(thread, 0)));
        }
        Counted { name: format!("{protocol:?} {lock}"), protocol, users }
    };
    let kinds = [Protocol::Ceiling, Protocol::Inheritance];
    kinds.into_iter().flat_map(|protocol| (0..LOCKS).map(move |index| lock(protocol, index))).collect()
}

/// All threads at their most urgent.
pub fn system(rows: &[Row]) -> analysis::System {
    let task = |(index, row): (usize, &Row)| analysis::Task {
        name: index.to_string(),
        period: Ticks::new(row.period),
        offset: Ticks::new(row.offset),
        deadline: Ticks::new(row.deadline),
        worst: Ticks::new(row.job.worst()),
        priority: row.range[1].into(),
        ..Default::default()
    };
    let tasks: Vec<_> = rows.iter().enumerate().map(task).collect();
    let (dynamic, fixed) = tasks.split_at(DYNAMIC);
    let band = |name: &str, policy, tasks: &[analysis::Task]| analysis::Band {
        name: name.to_owned(),
        policy,
        tasks: tasks.to_vec(),
    };
    let bands = vec![band("dynamic", Policy::Dynamic, dynamic), band("fixed", Policy::Fixed, fixed)];
    let costs = analysis::KernelCosts { completion: Ticks::new(1), ..Default::default() };
    analysis::System { bands, costs, locks: locks(rows), ..Default::default() }
}

/// The longest response times, and whether two were in one section.
pub fn longest_seen(rows: &[Row], seed: u64) -> (Vec<u64>, bool) {
    let levels = levels(rows);
    let ceiling = |lock: usize| {
        let users =
            (0..rows.len()).filter(|index| rows[*index].job.longest(Protocol::Ceiling, lock).is_some());
        let all: Vec<_> = users.flat_map(|index| lenders(rows, index).into_iter().chain([index])).collect();
        let highest = |index: &usize| levels[*index] + rows[*index].range[1] - rows[*index].priority;
        all.iter().map(highest).max().unwrap_or(0)
    };
    let ceilings: Vec<u8> = (0..LOCKS).map(ceiling).collect();
    let highest = ceilings.iter().copied().max().unwrap_or(0);
    JOBS.set((rows.iter().map(|row| row.job.clone()).collect(), ceilings, Random::behind(seed | 1)));
    let changing = rows.iter().enumerate().filter(|(_, row)| row.range[0] < row.range[1]);
    RANGES.set(changing.map(|(index, row)| (u8::try_from(index).unwrap(), row.range)).collect());
    let mut scenario = Scenario::new();
    for (index, row) in rows.iter().enumerate() {
        let mut thread: Thread = periodic(row.priority, row.offset, row.period);
        thread.deadline = Duration::from_ticks(row.deadline);
        let [least, most] = row.range;
        thread.place = Place::Fixed { priority: row.priority, least, most };
        (thread.level, thread.highest_ceiling) = (levels[index], highest);
        if index < DYNAMIC {
            thread.band = beryl_abi::BandId(0);
            thread.place = Place::Dynamic { slot: u8::try_from(index).unwrap() };
        }
        scenario = scenario.thread(thread, ENTRIES[index]);
    }
    let scenario = scenario.with(|system| {
        system.semaphores[0] = Semaphore { processes: 1, kind: SemaphoreKind::Binary { word: WORD } };
        system.semaphores[1] = Semaphore { processes: 1, kind: SemaphoreKind::Binary { word: 0 } };
    });
    let (mut longest, mut jobs) = (vec![0; rows.len()], vec![0_u64; rows.len()]);
    let notes = notes(&scenario.outcome(LENGTH).unwrap());
    for line in &notes {
        let (instant, text) = line.split_once(' ').unwrap();
        let Ok(index) = text.parse::<usize>() else { continue };
        let release = rows[index].offset + jobs[index] * rows[index].period;
        jobs[index] += 1;
        // What is promised is done at the start of the job that follows, the first one has nothing of it.
        let response = instant.parse::<u64>().unwrap() - release;
        longest[index] = response.max(longest[index]);
    }
    (longest, notes.iter().any(|line| line.ends_with("broken")))
}

pub fn responses(proof: &Proof) -> Vec<u64> {
    proof.bands.iter().flat_map(|band| &band.tasks).map(|task| task.response.get()).collect()
}

#[test]
fn no_job_takes_longer_than_with_its_blocking() {
    let (mut held, mut reached, mut refused_and_late, mut longer_without) = (0, 0, 0, 0);
    for seed in 1..=SYSTEMS {
        let mut random = Random::new(seed);
        let rows: Vec<Row> = (0..THREADS).map(|index| row(&mut random, index)).collect();
        let (seen, broken) = longest_seen(&rows, seed);
        assert!(!broken, "two in one section: seed {seed}: {rows:#?}");
        let system = system(&rows);
        let Ok(proof) = prove(&system) else {
            refused_and_late += usize::from(seen.iter().zip(&rows).any(|(seen, row)| *seen > row.deadline));
            continue;
        };
        held += 1;
        let bounds = responses(&proof);
        let exceeds = |bounds: &[u64]| seen.iter().zip(bounds).any(|(seen, bound)| seen > bound);
        assert!(!exceeds(&bounds), "seed {seed}: {seen:?} of {bounds:?}: {rows:#?}");
        reached += seen.iter().zip(&bounds).filter(|(seen, bound)| **seen + UNIT > **bound).count();
        // Negative control: what is less urgent is in the way.
        let without = prove(&analysis::System { locks: Vec::new(), ..system }).unwrap();
        longer_without += usize::from(exceeds(&responses(&without)));
    }
    println!(
        "{held} hold, {reached} bounds reached; {longer_without} take longer than without blocking; {refused_and_late} refused are late"
    );
    assert!(held > 25 && reached > 8 && longer_without > 8 && refused_and_late > 1);
}

/// A thread that is nowhere in the way.
fn rare() -> Row {
    let job = Job { parts: vec![Part::Work(10)], promised: None };
    Row { period: 15_000, offset: 14_000, deadline: 15_000, priority: 1, range: [1, 1], job }
}

fn bound(rows: &[Row], index: usize) -> Option<u64> {
    prove(&system(rows)).ok().map(|proof| responses(&proof)[index])
}

/// Two less urgent threads are each inside of a semaphore when a third comes that wants both.
#[test]
fn each_less_urgent_thread_counts_once() {
    let owner = |lock, priority, offset| Row {
        offset,
        priority,
        range: [priority; 2],
        job: Job { parts: vec![Part::Owned(lock, vec![Part::Work(50)])], promised: None },
        ..rare()
    };
    let both = vec![Part::Owned(0, vec![Part::Work(10)]), Part::Owned(1, vec![Part::Work(10)])];
    let last =
        Row { priority: 3, range: [3, 3], offset: 20, job: Job { parts: both, promised: None }, ..rare() };
    let rows = [rare(), rare(), owner(0, 1, 0), owner(1, 2, 10), last];
    // In the dynamic band above, two jobs of 10 ticks and their ends; in the way, 50 ticks twice.
    assert_eq!(bound(&rows, 4), Some(21 + 22 + 100));
    let seen = (1..40).map(|seed| longest_seen(&rows, seed).0[4]).max();
    // They began 10 ticks before.
    assert_eq!(seen, Some(20 + 40 + 40));
}

/// A thread is given its semaphore when it is released, in the middle of a job with an earlier deadline: so
/// it is in the way though its own deadline is shorter.
#[test]
fn a_promised_semaphore_counts_whatever_the_deadline_of_its_owner() {
    let promised = Some((1, vec![Part::Work(60)]));
    let owner = Job { parts: vec![Part::Work(10)], promised };
    let owner = Row { period: 250, offset: 0, deadline: 250, priority: 1, range: [1, 1], job: owner };
    let parts = vec![Part::Work(200), Part::Owned(1, vec![Part::Work(10)])];
    let late = |period| Row {
        period,
        offset: 250,
        deadline: 310,
        priority: 1,
        range: [1, 1],
        job: Job { parts: parts.clone(), promised: None },
    };
    let rows = [owner.clone(), late(1000)];
    let seen = (1..40).map(|seed| longest_seen(&rows, seed).0[1]).max();
    assert!(seen > Some(310), "{seen:?}");
    assert_eq!(bound(&rows, 1), None);
}

extern "C" fn owner() -> ! {
    let mut owned = semaphore(1, 0);
    let held = owned.wait().unwrap();
    spend(10);
    note("owner enters");
    run(&[Part::Ceiling(0, vec![Part::Work(1)])], 0);
    drop(held);
    end("owner ends")
}

extern "C" fn between() -> ! {
    sleep_until(2);
    run(&[Part::Ceiling(0, vec![Part::Work(10)])], 1);
    end("between ends")
}

extern "C" fn lender() -> ! {
    sleep_until(4);
    drop(semaphore(1, 2).wait().unwrap());
    end("lender ends")
}

/// The owner of a semaphore runs in the place of who waits for it, and takes a lock that a thread between
/// them is inside of.
fn lent_place(ceiling: u8) -> Vec<String> {
    JOBS.set((Vec::new(), vec![ceiling], Random::behind(1)));
    let scenario =
        Scenario::new().thread(free(1), owner).thread(free(2), between).thread(free(3), lender).with(
            |system| {
                system.threads.iter_mut().for_each(|thread| thread.highest_ceiling = level(3));
                system.semaphores[1] = Semaphore { processes: 1, kind: SemaphoreKind::Binary { word: 0 } };
            },
        );
    scenario.notes(100)
}

#[test]
fn a_ceiling_above_who_lends_a_place_keeps_others_out() {
    let broken = |ceiling| lent_place(level(ceiling)).iter().any(|line| line.ends_with("broken"));
    assert!(!broken(3));
    // Negative control: above the users alone.
    assert!(broken(2));
}
