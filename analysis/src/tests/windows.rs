//! Several windows of one partition: beside all beginnings in the frame, tick by tick, and beside what is said where the
//! times between them come together.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::partitions::{framed, responses, task};
use crate::model::{Interference, KernelCosts, Policy, System, Task};
use crate::partitions::Frame;
use crate::sensitivity::{Factor, bears, longest, speed};
use crate::servers::table::Table;
use crate::sporadic::Sporadic;
use crate::ticks::Ticks;
use crate::{Failure, Whose, prove};

fn ticks(count: u64) -> Ticks {
    Ticks::new(count)
}

/// One partition that has these windows, and tasks in one band.
fn alone(policy: Policy, tasks: &[Task], frame: u64, windows: &[(u64, u64)]) -> System {
    let windows: Vec<(u64, u64, usize)> = windows.iter().map(|(from, lasts)| (*from, *lasts, 0)).collect();
    let mut system = framed(vec![(Some(0), tasks.to_vec())], frame, &windows);
    system.bands[0].policy = policy;
    system
}

/// The same, with the times between windows as work above that comes once a frame at any time: in one window of time all of
/// them together.
fn together(system: &System) -> System {
    let Frame { length, windows, .. } = system.frame.clone().unwrap();
    let ends = windows.iter().map(|(begin, lasts, _)| begin.get() + lasts.get());
    let begins = windows.iter().skip(1).map(|(begin, ..)| begin.get());
    let begins = begins.chain([windows[0].0.get() + length.get()]);
    let around = system.costs.under_way.get() + system.costs.timers.get();
    let gap = |(end, begin): (u64, u64)| Interference {
        name: "others".to_owned(),
        period: length,
        worst: ticks(begin - end + around),
        is_sporadic: true,
        ..Interference::default()
    };
    System { frame: None, interference: ends.zip(begins).map(gap).collect(), ..system.clone() }
}

/// Windows of a frame, apart from each other or side by side.
fn some_windows(random: &mut Random, most: u64) -> (u64, Vec<(u64, u64)>) {
    let mut at = random.within(0, 4);
    let mut windows = Vec::new();
    for _ in 0..random.within(1, most) {
        let lasts = random.within(1, 5);
        windows.push((at, lasts));
        at += lasts + random.within(0, 6);
    }
    (at + random.within(0, 3), windows)
}

fn some_tasks(random: &mut Random, frame: u64) -> Vec<Task> {
    let count = random.within(1, 3);
    (0..count)
        .map(|number| {
            let period = random.within(frame / 2 + 1, 3 * frame);
            let deadline = ticks(random.within(period / 2 + 1, period));
            let worst = random.within(1, 4.min(deadline.get()));
            Task { deadline, ..task(number as usize, period, worst, (9 - number) as u32) }
        })
        .collect()
}

/// Tick by tick from one beginning in the frame, all released together and then as often as may be, until nothing is left:
/// each task's longest response.
fn from_one_beginning(system: &System, beginning: u64) -> Vec<u64> {
    let Frame { length, windows, .. } = system.frame.as_ref().unwrap();
    let (tasks, policy) = (&system.bands[0].tasks, system.bands[0].policy);
    let mut longest = vec![0; tasks.len()];
    // Of each job: its deadline, its task, its release, and what is left.
    let mut jobs: Vec<(u64, usize, u64, u64)> = Vec::new();
    for tick in 0..4000 {
        for (number, task) in tasks.iter().enumerate().filter(|(_, task)| tick % task.period.get() == 0) {
            jobs.push((tick + task.deadline.get(), number, tick, task.worst.get()));
        }
        let at = (tick + beginning) % length.get();
        if windows.iter().any(|(from, lasts, _)| (from.get()..from.get() + lasts.get()).contains(&at)) {
            let turn = |job: &(u64, usize, u64, u64)| match policy {
                Policy::Dynamic => (job.0, job.1, job.2),
                Policy::Fixed => (job.1 as u64, 0, job.2),
            };
            let next = (0..jobs.len()).min_by_key(|job| turn(&jobs[*job])).unwrap();
            jobs[next].3 -= 1;
            if jobs[next].3 == 0 {
                let (_, number, release, _) = jobs.remove(next);
                longest[number] = longest[number].max(tick + 1 - release);
            }
        }
        if jobs.is_empty() {
            return longest;
        }
    }
    vec![u64::MAX; tasks.len()]
}

/// From all beginnings.
fn tick_by_tick(system: &System) -> Vec<u64> {
    let frame = system.frame.as_ref().unwrap().length.get();
    let all = (0..frame).map(|beginning| from_one_beginning(system, beginning));
    all.reduce(|one, other| one.into_iter().zip(other).map(|(one, other)| one.max(other)).collect()).unwrap()
}

#[test]
fn the_supply_of_several_windows_is_that_of_all_beginnings_tick_by_tick() {
    let (mut proved, mut refused, mut shorter) = (0, 0, 0);
    for seed in 0..1500 {
        let mut random = Random(seed);
        let (frame, windows) = some_windows(&mut random, 4);
        let tasks = some_tasks(&mut random, frame);
        let system = alone(Policy::Fixed, &tasks, frame, &windows);
        let (found, seen) = (responses(&system), tick_by_tick(&system));
        let in_time = seen.iter().zip(&tasks).all(|(response, task)| *response <= task.deadline.get());
        assert_eq!(found.is_ok(), in_time, "seed {seed}: {found:?}, {seen:?}, {windows:?} of {frame}");
        let before = responses(&together(&system));
        match found {
            Ok(found) => {
                assert_eq!(found, std::slice::from_ref(&seen), "seed {seed}: {windows:?} of {frame}");
                proved += 1;
                let shortens = before.as_ref() != Ok(&found);
                shorter += usize::from(shortens);
                assert!(windows.len() > 1 || !shortens, "seed {seed}: one window is work once a frame");
                let beyond =
                    before.is_ok_and(|before| before[0].iter().zip(&found[0]).any(|(old, new)| new > old));
                assert!(!beyond, "seed {seed}");
            }
            Err(_) => {
                refused += 1;
                assert!(before.is_err(), "seed {seed}: it was proved with the times between together");
            }
        }
    }
    assert!(
        proved > 400 && refused > 400 && shorter > 200,
        "{proved} proved, {refused} refused, {shorter} shorter"
    );
}

#[test]
fn what_goes_by_deadlines_is_in_time_from_all_beginnings_or_refused() {
    let (mut proved, mut refused, mut gained) = (0, 0, 0);
    for seed in 0..1500 {
        let mut random = Random(seed);
        let (frame, windows) = some_windows(&mut random, 4);
        let tasks = some_tasks(&mut random, frame);
        let system = alone(Policy::Dynamic, &tasks, frame, &windows);
        let seen = tick_by_tick(&system);
        let in_time = seen.iter().zip(&tasks).all(|(response, task)| *response <= task.deadline.get());
        let rows: Vec<(Ticks, Ticks)> =
            windows.iter().map(|(from, lasts)| (ticks(*from), ticks(*lasts))).collect();
        let sporadic =
            |task: &Task| Sporadic { deadline: task.deadline, ..Sporadic::implicit(task.period, task.worst) };
        let plain: Vec<Sporadic> = tasks.iter().map(sporadic).collect();
        assert_eq!(
            Table::new(ticks(frame), &rows).unwrap().holds_dynamic(&plain),
            Ok(in_time),
            "seed {seed}"
        );
        let found = responses(&system);
        assert_eq!(found.is_ok(), in_time, "seed {seed}: {found:?}, {seen:?}, {windows:?} of {frame}");
        let before = responses(&together(&system));
        match found {
            Ok(found) => {
                // Others may come later than all together, and a job then takes longer.
                assert!(seen.iter().zip(&found[0]).all(|(seen, bound)| seen <= bound), "seed {seed}");
                proved += 1;
                gained += usize::from(before.is_err());
            }
            Err(_) => {
                refused += 1;
                assert!(before.is_err(), "seed {seed}");
            }
        }
    }
    assert!(
        proved > 400 && refused > 400 && gained > 50,
        "{proved} proved, {refused} refused, {gained} gained"
    );
}

#[test]
fn a_second_window_is_worth_what_it_gives_and_a_tick_less_is_a_miss() {
    let tasks = [Task { deadline: ticks(10), ..task(0, 10, 5, 0) }];
    let system = alone(Policy::Fixed, &tasks, 20, &[(0, 5), (10, 5)]);
    // A wait of 5, and then its 5.
    assert_eq!(responses(&system), Ok(vec![vec![10]]));
    // Both waits at once would be 10.
    let before = prove(&together(&system));
    assert!(
        matches!(&before, Err(Failure::NotSchedulable(miss)) if miss.unfinished == ticks(5)),
        "{before:?}"
    );
    for windows in [[(0, 5), (10, 4)], [(0, 4), (10, 5)], [(0, 5), (11, 5)]] {
        let less = alone(Policy::Fixed, &tasks, 20, &windows);
        assert!(prove(&less).is_err(), "{windows:?}");
        assert!(tick_by_tick(&less)[0] > 10, "{windows:?}: nobody was late");
    }
}

#[test]
fn each_window_costs_what_the_kernel_does_around_it() {
    let tasks = [task(0, 40, 4, 0)];
    let mut system = alone(Policy::Fixed, &tasks, 40, &[(0, 3), (10, 5), (20, 15)]);
    // From 35 on: 5 of others, 3, 7 of others, and the last one.
    assert_eq!(responses(&system), Ok(vec![vec![16]]));
    system.costs = KernelCosts { under_way: ticks(1), timers: ticks(0), ..KernelCosts::default() };
    // 5 of others and one behind; one for what was under way before, and its first; 7 and one, and the other three.
    assert_eq!(responses(&system), Ok(vec![vec![5 + 1 + 1 + 1 + 7 + 1 + 3]]));
    system.costs.timers = ticks(1);
    // 5 and two, one of two before; 7 and two, the other one and its first two; 5 and two, and its last two.
    assert_eq!(responses(&system), Ok(vec![vec![5 + 2 + 1 + 7 + 2 + 1 + 2 + 5 + 2 + 2]]));
}

#[test]
fn the_background_counts_windows_above_it_where_they_are() {
    let below = |deadline: u64, windows: &[(u64, u64, usize)]| {
        let own = Task { deadline: ticks(deadline), ..task(1, 20, 4, 0) };
        responses(&framed(vec![(Some(0), vec![task(0, 20, 1, 0)]), (None, vec![own])], 20, windows))
    };
    // Two windows of 6, with 4 between them: in the worst case 6, and all of the 4.
    assert_eq!(below(10, &[(0, 6, 0), (10, 6, 0)]), Ok(vec![vec![5], vec![10]]));
    // With 3 between, the second one comes before it is done.
    assert_eq!(below(16, &[(0, 6, 0), (9, 6, 0)]).map(|all| all[1].clone()), Ok(vec![16]));
    assert!(below(15, &[(0, 6, 0), (9, 6, 0)]).is_err());
    let asked = below(20, &[(0, 8, 0), (10, 9, 0)]);
    assert!(
        matches!(&asked, Err(Failure::Crowded { whose: Whose::Band(name), .. }) if name == "band"),
        "{asked:?}"
    );
}

#[test]
fn what_has_no_room_in_windows_is_named_with_a_proposal() {
    let said = |bands| prove(&framed(bands, 20, &[(0, 5, 0), (10, 5, 0)])).unwrap_err().to_string();
    assert_eq!(
        said(vec![(Some(0), vec![task(0, 20, 11, 0)])]),
        "partition partition 0 is asked for 55.00 % of the processor, kernel and background included, and its windows have \
         50.00 %; give it longer windows, lengthen its periods, or shorten its execution times"
    );
    assert_eq!(
        said(vec![(Some(0), vec![Task { deadline: ticks(9), ..task(0, 20, 5, 0) }])]),
        "task task 0 of partition partition 0 may take 10 ticks, beyond its deadline of 9; give it longer windows, or divide \
         them so that it waits less for the next one"
    );
    assert_eq!(
        said(vec![
            (Some(0), vec![task(0, 20, 9, 0)]),
            (None, vec![Task { deadline: ticks(8), ..task(1, 20, 4, 0) }])
        ]),
        "task task 1 of band band may take 9 ticks, beyond its deadline of 8; shorten windows of the partitions above it, or \
         divide them so that each is shorter"
    );
    assert_eq!(
        said(vec![(Some(0), vec![task(0, 20, 9, 0)]), (None, vec![task(1, 20, 11, 0)])]),
        "band band and what is above it in no partition are asked for 55.00 % of the processor, kernel included, and windows \
         of partitions above leave 50.00 %; shorten windows, lengthen periods, shorten execution times, or move the band \
         above the partitions"
    );
}

#[test]
fn how_far_a_proof_reaches_is_asked_from_all_beginnings() {
    let mut asked = 0;
    for seed in 0..60 {
        let mut random = Random(seed);
        let (frame, windows) = some_windows(&mut random, 4);
        let policy = if random.once_in(2) { Policy::Dynamic } else { Policy::Fixed };
        let mut system = alone(policy, &some_tasks(&mut random, frame), frame, &windows);
        system.costs.under_way = ticks(random.within(0, 1));
        if prove(&system).is_err() {
            assert!(speed(&system).is_err(), "seed {seed}");
            continue;
        }
        asked += 1;
        for (number, most) in longest(&system).unwrap()[0].iter().enumerate() {
            let with = |worst: u64| {
                let mut changed = system.clone();
                changed.bands[0].tasks[number].worst = ticks(worst);
                prove(&changed)
            };
            assert!(with(most.get()).is_ok(), "seed {seed}");
            let deadline = system.bands[0].tasks[number].deadline;
            assert!(*most == deadline || with(most.get() + 1).is_err(), "seed {seed}");
        }
        let slowdown = speed(&system).unwrap().slowdown;
        let next = Factor::ten_thousandths(slowdown.get() + 1);
        assert!(bears(&system, slowdown).unwrap() && !bears(&system, next).unwrap(), "seed {seed}");
        let slower = |factor| prove(&crate::sensitivity::slower(&system, factor).unwrap());
        assert!(slower(slowdown).is_ok() && slower(next).is_err(), "seed {seed}");
    }
    assert!(asked > 15, "{asked} asked");
}

/// What the kernel does for who is less urgent or in another partition: a call that is under way, once they have to give the
/// processor up, and timers, which go off once until they have it again.
struct Kernels {
    under_way: u64,
    timers: u64,
    /// Somebody else had the processor in the tick before.
    had_others: bool,
    armed: bool,
    /// What is left to do.
    left: u64,
}

impl Kernels {
    fn of(costs: &KernelCosts) -> Kernels {
        let (under_way, timers) = (costs.under_way.get(), costs.timers.get());
        Kernels { under_way, timers, had_others: true, armed: true, left: 0 }
    }

    /// Whether a tick that a job could have is the kernel's.
    fn takes(&mut self, random: &mut Random) -> bool {
        if self.had_others {
            self.left += random.within(0, self.under_way);
        }
        if self.armed && random.once_in(3) {
            self.left += random.within(0, self.timers);
            self.armed = false;
        }
        self.had_others = false;
        let takes = self.left > 0;
        self.left = self.left.saturating_sub(1);
        takes
    }

    fn others_run(&mut self) {
        (self.had_others, self.armed, self.left) = (true, true, 0);
    }
}

/// Tick by tick from an instant on, with releases by chance, at least a period apart: the longest responses.
fn beside_the_kernel(system: &System, random: &mut Random) -> Vec<u64> {
    let Frame { length, windows, .. } = system.frame.as_ref().unwrap();
    let tasks = &system.bands[0].tasks;
    let (mut longest, mut kernel) = (vec![0; tasks.len()], Kernels::of(&system.costs));
    let ends: Vec<u64> = windows.iter().map(|(begin, lasts, _)| begin.get() + lasts.get()).collect();
    // Many come together, where a window ends or a little before.
    let begin = (*random.one_of(&ends) + length.get()).saturating_sub(random.within(0, 2));
    let late = |random: &mut Random| if random.once_in(3) { random.within(0, 9) } else { 0 };
    let mut next: Vec<u64> = tasks.iter().map(|_| begin + late(random)).collect();
    let mut jobs: Vec<Vec<(u64, u64)>> = vec![Vec::new(); tasks.len()];
    for tick in 0..begin + 400 {
        for (number, task) in tasks.iter().enumerate() {
            if next[number] != tick {
                continue;
            }
            jobs[number].push((tick, task.worst.get()));
            next[number] = tick + task.period.get() + late(random);
        }
        let at = tick % length.get();
        let is_open =
            windows.iter().any(|(from, lasts, _)| (from.get()..from.get() + lasts.get()).contains(&at));
        let ready = jobs.iter_mut().zip(&mut longest).find(|(jobs, _)| !jobs.is_empty());
        match ready.filter(|_| is_open) {
            None => kernel.others_run(),
            Some(_) if kernel.takes(random) => {}
            Some((jobs, longest)) => {
                jobs[0].1 -= 1;
                if jobs[0].1 == 0 {
                    *longest = (tick + 1 - jobs.remove(0).0).max(*longest);
                }
            }
        }
    }
    longest
}

#[test]
fn no_job_takes_longer_whatever_is_under_way_where_windows_begin() {
    let (mut proved, mut reached) = (0, 0);
    for seed in 0..1500 {
        let mut random = Random(seed);
        let (frame, windows) = some_windows(&mut random, 4);
        let mut system = alone(Policy::Fixed, &some_tasks(&mut random, frame), frame, &windows);
        system.costs.under_way = ticks(random.within(0, 2));
        system.costs.timers = ticks(random.within(0, 2));
        let Ok(bounds) = responses(&system) else { continue };
        proved += 1;
        for _ in 0..20 {
            let seen = beside_the_kernel(&system, &mut random);
            for (seen, bound) in seen.iter().zip(&bounds[0]) {
                assert!(seen <= bound, "seed {seed}: {seen} beyond {bound}, {windows:?} of {frame}");
                reached += usize::from(seen == bound);
            }
        }
    }
    assert!(proved > 100 && reached > 100, "{proved} proved, {reached} bounds reached");
}
