//! Near a full processor: if no bound on the windows is in range, a test gives up after a limited number of
//! steps, and any answer it gives agrees with checking all windows.

use beryl_testing::{Draw, SplitMix64 as Random};

use std::cell::Cell;

use super::sweep::blocking;
use super::*;
use crate::csd::{self, placement};
use crate::demand::{Demand, Stream, requested};
use crate::edf::{self, Verdict};
use crate::locks::Blocking;
use crate::sensitivity::{Factor, bears, slower, speed};

thread_local! {
    static LOOKS: Cell<u64> = const { Cell::new(0) };
}

/// Called for each look at the work of streams in a window, whether or not the caller counts it.
pub(crate) fn look() {
    LOOKS.with(|looks| looks.set(looks.get() + 1));
}

/// An answer, and how often the work in a window was looked at for it.
fn counted<T>(question: impl FnOnce() -> T) -> (T, u64) {
    let before = LOOKS.with(Cell::get);
    let answer = question();
    (answer, LOOKS.with(Cell::get) - before)
}

/// The most for one answer: the counted looks, and a few outside of loops.
const MOST: u64 = Failure::STEP_LIMIT as u64 + 10;

/// Number 318 of the 20-task workloads of `bench/breakdown`, in nanoseconds, with the costs of Beryl's jobs
/// in November 2026: it leaves three parts in a hundred million of the processor. Its bound by utilisation is
/// beyond ten billion jobs, the periods have no common multiple in range, and a test gave up after minutes.
const PERIODS_AND_COSTS: [(u64, u64); 20] = [
    (5_415_871, 150_342),
    (5_461_920, 244_040),
    (5_643_304, 441_459),
    (5_969_744, 341_530),
    (6_822_942, 224_050),
    (7_407_759, 254_834),
    (7_918_974, 459_047),
    (8_807_834, 767_362),
    (9_199_394, 805_817),
    (22_040_478, 2_080_157),
    (64_279_710, 3_873_794),
    (74_966_948, 914_185),
    (78_282_769, 1_919_510),
    (95_465_918, 2_464_813),
    (97_672_948, 1_501_072),
    (98_633_007, 6_004_973),
    (361_797_471, 12_606_196),
    (480_055_416, 20_814_142),
    (734_254_243, 31_097_578),
    (828_609_815, 64_812_209),
];

fn workload() -> Vec<Sporadic> {
    PERIODS_AND_COSTS.map(|(period, cost)| Sporadic::implicit(ticks(period), ticks(cost))).to_vec()
}

/// Cut into two dynamic bands it is refused, held or given up depending on the cut, always with such a
/// distant bound by utilisation. When each loop had its own patience, the third cut took 12 million looks to
/// give up.
#[test]
fn a_workload_near_a_full_processor_is_answered_or_given_up_in_bounded_work() {
    let tasks = workload();
    for (cut, expected) in [(13, Ok(false)), (1, Ok(true)), (12, Err(Failure::TooLong))] {
        let (answer, looks) = counted(|| csd::holds(&tasks, &[cut, tasks.len() - cut]));
        assert_eq!((&answer, looks <= MOST), (&expected, true), "{cut}: {looks} looks");
    }
    // In one band utilisation decides.
    let (answer, looks) = counted(|| csd::holds(&tasks, &[tasks.len()]));
    assert!(answer == Ok(true) && looks < 100, "{looks} looks for {answer:?}");
}

/// Hundreds of placements cost the same and are equally hard to decide.
#[test]
fn a_search_for_a_placement_near_a_full_processor_takes_bounded_work() {
    let tasks = workload();
    let costs = |sizes: &[usize], band: usize| ticks(u64::from(sizes[band] > 15));
    let (answer, looks) = counted(|| placement::cheapest(&tasks, 3, &costs, placement::Test::Sound));
    assert_eq!(answer, Ok(None));
    assert!(looks < 2 * MOST, "{looks} looks");
}

/// The same as a system: `beryl check` asks whether it is proved, and whether a processor bears it.
#[test]
fn a_system_near_a_full_processor_is_refused_in_bounded_work() {
    let of = |(index, row): (usize, Sporadic)| task(&format!("t{index}"), row.period.get(), row.worst.get());
    let mut above: Vec<Task> = workload().into_iter().enumerate().map(of).collect();
    let beneath = above.split_off(12);
    let bands = vec![band(Policy::Dynamic, above), band(Policy::Dynamic, beneath)];
    let full = System { bands, ..System::default() };
    let (answer, looks) = counted(|| prove(&full).map(|_| ()));
    assert!(answer == Err(Failure::TooLong) && looks <= MOST, "{looks} looks");
    let (answer, looks) = counted(|| bears(&full, Factor::ONE));
    assert!(answer == Ok(false) && looks <= 2 * MOST, "{looks} looks for {answer:?}");
    // With a ten-thousandth less, there is an answer.
    let slightly = slower(&full, Factor::ten_thousandths(9_999)).unwrap();
    let (answer, looks) = counted(|| speed(&slightly).map(|speed| speed.slowdown));
    assert!(answer == Ok(Factor::ONE) && looks < MOST, "{looks} looks for {answer:?}");
}

/// All windows, one by one, each from the start: the work due in it must be done in it.
fn plain(band: &[Demand], above: &[Stream], blocking: &Blocking, last: u64) -> Option<u64> {
    let shortest = band.iter().map(Demand::lead).min().unwrap();
    (shortest.get()..=last).find(|window| {
        let window = ticks(*window);
        let is_deadline =
            band.iter().any(|task| task.jobs_due(window) > task.jobs_due(window.less(ticks(1))));
        let is_change = window > shortest && blocking.changes().any(|change| change == window);
        let due = band.iter().map(|task| task.due(window).unwrap().get()).sum::<u64>()
            + blocking.within(window).get();
        let done = |at: u64| due + requested(above, ticks(at)).unwrap().get() <= at;
        (is_deadline || is_change) && !(0..=window.get()).any(done)
    })
}

/// A band below streams whose periods have a common multiple of 120, with late releases, deadlines before and
/// beyond periods, and locks. The last task of the band gets the rest of the processor, or about that.
fn drawn(random: &mut Random) -> (Vec<Demand>, Vec<Stream>, Vec<Lock>) {
    let stream = |random: &mut Random| {
        let period = *random.one_of(&[4, 5, 6, 8, 10, 12, 15, 20]);
        let jitter = *random.one_of(&[0, 0, 0, 1, period / 2, period + 3]);
        Stream {
            jitter: ticks(jitter),
            ..Stream::new(ticks(period), ticks(random.within(1, (period / 4).max(1))))
        }
    };
    let above: Vec<Stream> = (0..random.within(0, 2)).map(|_| stream(random)).collect();
    let mut of_band: Vec<Stream> = (0..random.within(1, 3)).map(|_| stream(random)).collect();
    let others = of_band.iter().skip(1).chain(&above);
    let left = 120_u64.saturating_sub(others.map(|of| 120 / of.period.get() * of.cost.get()).sum());
    of_band[0].period = ticks(*random.one_of(&[20, 24, 30, 60, 120]));
    let most = left * of_band[0].period.get() / 120;
    of_band[0].cost = ticks((most + 1).saturating_sub(*random.one_of(&[0, 1, 1, 1, 2, 3])).max(1));
    let demand = |stream: Stream| {
        let own = stream.period.get();
        let deadline =
            ticks(*random.one_of(&[own / 2 + 1, own, own + 7, 2 * own, 3 * own]) + stream.jitter.get());
        Demand { stream, deadline, latest: deadline, limit: deadline, priority: 0, is_share: false }
    };
    let band: Vec<Demand> = of_band.into_iter().map(demand).collect();
    let user = |thread: usize, hold: u64| {
        let own = band.get(thread).map(|task| task.deadline);
        let (shortest, longest) = own.map_or((ticks(0), ticks(0)), |own| (own, own));
        let urgency = Urgency { band: usize::from(own.is_none()), shortest, longest, ..Default::default() };
        User { thread, urgency: Some(urgency), hold: ticks(hold) }
    };
    let mut locks = Vec::new();
    if random.within(0, 2) == 0 {
        let protocol = *random.one_of(&[Protocol::Ceiling, Protocol::Inheritance]);
        let users = (0..=band.len()).map(|thread| user(thread, random.within(0, 4))).collect();
        locks.push(Lock { name: "lock".into(), protocol, users });
    }
    (band, above, locks)
}

#[test]
fn the_criterion_says_what_all_windows_say() {
    let (mut held, mut failed, mut over, mut full, mut held_up) = (0, 0, 0, 0, 0);
    for seed in 0..6000 {
        let (band, above, locks) = drawn(&mut Random(seed));
        let blocking = blocking(&band, locks);
        let all = band.iter().map(|task| task.stream).chain(above.iter().copied());
        let share: u64 = all.map(|of| 120 / of.period.get() * of.cost.get()).sum();
        let found = edf::demand_verdict(&band, &above, &blocking);
        let longest = band.iter().map(Demand::lead).chain(blocking.changes()).max().unwrap();
        let expected = match share > 120 {
            true => None,
            false => Some(plain(&band, &above, &blocking, 3 * 120 + longest.get())),
        };
        let agrees = match (expected, &found) {
            (None, found) => *found == Ok(Verdict::Overload),
            (Some(None), found) => *found == Ok(Verdict::Holds),
            (Some(Some(first)), Ok(Verdict::FailsIn(window))) => first <= window.get(),
            (Some(Some(_)), _) => false,
        };
        assert!(agrees, "seed {seed}: {expected:?}, not {found:?}: {band:?} beneath {above:?}, {blocking:?}");
        match expected {
            None => over += 1,
            Some(None) => {
                held += 1;
                full += u32::from(share == 120);
                held_up += u32::from(blocking.most() > ticks(0));
            }
            Some(Some(_)) => failed += 1,
        }
    }
    let counts = [held, full, held_up, failed, over];
    assert!(
        counts.iter().all(|count| *count > 500),
        "held, of them full, of them held up, failed, too much: {counts:?}"
    );
}

/// A late release above a full processor keeps it busy for ever, so only the hyperperiod bounds the windows.
/// By hand: in 15 there are 5 and two of 5 above, in 14 there isn't room for them.
#[test]
fn a_full_processor_that_is_never_idle_is_told_by_its_hyperperiod() {
    let late = Sporadic::implicit(ticks(10), ticks(5)).released_within(ticks(2));
    let beneath = |deadline| Sporadic::implicit(ticks(10), ticks(5)).due(ticks(deadline));
    assert_eq!(csd::holds(&[late, beneath(15)], &[1, 1]), Ok(true));
    assert_eq!(csd::holds(&[late, beneath(14)], &[1, 1]), Ok(false));
}

/// The window of 20 fails, at which `b` starts to block `a`, though no deadline less jitter ends there.
/// Still, a task is late: `a`, released after 5, waits for 12 and works for 10.
#[test]
fn a_window_that_fails_without_a_deadline_at_its_end_is_somebodys() {
    let a = Task { jitter: ticks(5), deadline: ticks(20), ..task("a", 100, 10) };
    let mut system = dynamic(vec![a, task("b", 100, 20)]);
    let user = |thread, deadline, hold| {
        let deadline = ticks(deadline);
        let urgency = Urgency { shortest: deadline, longest: deadline, ..Urgency::default() };
        User { thread, urgency: Some(urgency), hold: ticks(hold) }
    };
    system.locks = vec![Lock { users: vec![user(0, 20, 1), user(1, 100, 12)], ..Lock::default() }];
    assert!(prove(&system).is_err());
    assert_eq!(bears(&system, Factor::ONE), Ok(false));
    assert!(speed(&system).is_err());
}
