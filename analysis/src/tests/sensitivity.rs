//! Sensitivity and counter-examples: one step further and it breaks.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::jobs::{self, all_dense, always, misses};
use super::*;
use crate::csd;
use crate::sensitivity::{Factor, largest, longest, longest_jobs, slowdown, slower, speed};

const SEEDS: std::ops::Range<u64> = 0..100;

/// Whether the densest possible arrivals meet all deadlines in these bands.
fn simulated(tasks: &[Sporadic], dynamic: &[usize]) -> bool {
    let activations = all_dense(tasks, 500);
    let key = |job: &jobs::Activation, _| match job.task < dynamic[0] {
        true => (0, job.deadline),
        false => (1, job.task as u64),
    };
    !misses(&activations, &jobs::run(&activations, key, always))
}

#[test]
fn the_largest_is_the_last_that_holds() {
    for (least, most, last) in [(0, 0, 0), (0, 100, 37), (5, 9, 9), (1, u64::MAX, u64::MAX - 1), (3, 3, 3)] {
        assert_eq!(largest::<()>(least, most, |number| Ok(number <= last)), Ok(Some(last)));
    }
    assert_eq!(largest::<()>(4, 9, |number| Ok(number <= 3)), Ok(None));
    assert_eq!(largest(1, 2, Err), Err(1));
}

#[test]
fn lists_break_one_step_further() {
    let mut shorter = 0;
    for seed in SEEDS {
        let mut random = Random(seed);
        let tasks: Vec<_> = jobs::tasks(&mut random)
            .iter()
            .map(|task| Sporadic::implicit(ticks(task.period.get() * 4), ticks(task.worst.get() * 4)))
            .collect();
        let dynamic = [usize::try_from(random.within(0, tasks.len() as u64)).unwrap()];
        let test = |tasks: &[Sporadic]| csd::holds(tasks, &dynamic);
        let with = |index: usize, worst: Ticks| {
            let mut changed = tasks.clone();
            changed[index].worst = worst;
            changed
        };
        for (index, longest) in longest_jobs(&tasks, test).unwrap().into_iter().enumerate() {
            let Some(longest) = longest else {
                assert!(!simulated(&with(index, ticks(1)), &dynamic), "seed {seed}: {tasks:?}");
                continue;
            };
            assert!(simulated(&with(index, longest), &dynamic), "seed {seed}: {tasks:?}");
            let longer = longest.plus(ticks(1)).unwrap();
            assert!(!simulated(&with(index, longer), &dynamic), "seed {seed}: {tasks:?}");
            shorter += u32::from(longest < tasks[index].worst);
        }
        let factor = slowdown(&tasks, test).unwrap().unwrap();
        let scaled = |factor: Factor| -> Vec<Sporadic> {
            tasks.iter().map(|task| Sporadic { worst: factor.of(task.worst).unwrap(), ..*task }).collect()
        };
        assert!(simulated(&scaled(factor), &dynamic), "seed {seed}: {factor} of {tasks:?}");
        let next = Factor::ten_thousandths(factor.get() + 1);
        assert!(!simulated(&scaled(next), &dynamic), "seed {seed}: {next} of {tasks:?}");
    }
    assert!(shorter > 20, "{shorter}");
}

/// A proved system can be slowed as far as its margin says, and no further.
#[test]
fn systems_break_one_step_further() {
    let (mut by_analysis, mut by_schedule) = (0, 0);
    for seed in SEEDS {
        let system = random_systems::system_with_offsets_and_costs(&mut Random(seed), 8);
        let Ok(proof) = prove(&system) else {
            assert!(speed(&system).is_err() && longest(&system).is_err(), "seed {seed}");
            continue;
        };
        let needs_offsets = proof.bands.iter().any(|band| band.method == Method::Schedule);
        let holds = |system: &System| match prove(system) {
            Ok(proof) => needs_offsets || proof.bands.iter().all(|band| band.method != Method::Schedule),
            Err(_) => false,
        };
        for (band, longest) in longest(&system).unwrap().iter().enumerate() {
            for (task, longest) in longest.iter().enumerate() {
                let mut longer = system.clone();
                longer.bands[band].tasks[task].worst = *longest;
                assert!(holds(&longer), "seed {seed}, {band} {task}: {longest} in {system:?}");
                longer.bands[band].tasks[task].worst = longest.plus(ticks(1)).unwrap();
                let at_the_end = *longest == system.bands[band].tasks[task].deadline;
                assert!(at_the_end || !holds(&longer), "seed {seed}, {band} {task}: {longest} in {system:?}");
            }
        }
        by_schedule += u32::from(needs_offsets);
        by_analysis += u32::from(!needs_offsets);
    }
    assert!(by_analysis > 10 && by_schedule > 2, "{by_analysis} by analysis, {by_schedule} by schedule");
}

/// Also with sporadic releases, locks, or a backlog.
#[test]
fn a_system_is_still_proved_at_the_speed_that_is_told() {
    let mut kinds = [0; 4];
    for seed in 0..4000 {
        let mut random = Random(seed);
        let mut system = random_systems::system_with_offsets_and_costs(&mut random, 8);
        system.bands.iter_mut().for_each(|band| band.policy = Policy::Fixed);
        let kind = usize::try_from(seed % 4).unwrap();
        match kind {
            0 => {}
            1 => random_task(&mut random, &mut system).is_sporadic = true,
            2 => system.locks = vec![lock_of_two(&mut random, &system)],
            _ => let_pile_up(&mut random, &mut system),
        }
        let Ok(proof) = prove(&system) else { continue };
        let by_offsets = |band: &BandProof| matches!(band.method, Method::Schedule | Method::Offsets);
        if !proof.bands.iter().any(by_offsets) {
            continue;
        }
        kinds[kind] += 1;
        let factor = speed(&system).unwrap().slowdown;
        let proved = prove(&slower(&system, factor).unwrap());
        assert!(proved.is_ok(), "seed {seed}: at {factor} {proved:?} of {system:#?}");
        for (band, longest) in longest(&system).unwrap().iter().enumerate() {
            for (task, longest) in longest.iter().enumerate() {
                let mut longer = system.clone();
                longer.bands[band].tasks[task].worst = *longest;
                let proved = prove(&longer);
                assert!(proved.is_ok(), "seed {seed}, {band} {task}: {longest}: {proved:?} of {system:#?}");
            }
        }
    }
    assert!(kinds.iter().all(|count| *count > 5), "decided by offsets: {kinds:?}");
}

fn random_task<'a>(random: &mut Random, system: &'a mut System) -> &'a mut Task {
    let mut tasks: Vec<&mut Task> = system.bands.iter_mut().flat_map(|band| &mut band.tasks).collect();
    let most = tasks.len() as u64 - 1;
    tasks.swap_remove(usize::try_from(random.within(0, most)).unwrap())
}

/// A lock in the least urgent band.
fn lock_of_two(random: &mut Random, system: &System) -> Lock {
    let band = system.bands.len() - 1;
    let of = |(thread, task): (usize, &Task)| User {
        thread,
        urgency: Some(Urgency {
            band,
            priority: task.priority,
            shortest: task.deadline,
            longest: task.deadline,
        }),
        hold: ticks(random.within(1, 8)),
    };
    Lock { users: system.bands[band].tasks.iter().enumerate().map(of).collect(), ..Lock::default() }
}

fn let_pile_up(random: &mut Random, system: &mut System) {
    let backlog = random.within(1, 2);
    let task = random_task(random, system);
    task.backlog = backlog;
    task.deadline = task.period.times(8).unwrap();
}

/// By hand: 2 of 10 and 3 of 20 in a dynamic band, 5 of 40 below. In 40 there are 8 + 6 + 5 = 19, and 40 / 19
/// is 2.105; a may be 21 / 4 longer, b 21 / 2, c 21.
#[test]
fn a_system_says_who_breaks_first() {
    let mut system = dynamic(vec![task("a", 1_000_000, 200_000), task("b", 2_000_000, 300_000)]);
    system.bands.push(band(Policy::Fixed, vec![task("c", 4_000_000, 500_000)]));
    let found = speed(&system).unwrap();
    assert_eq!(
        (found.slowdown.to_string().as_str(), found.breaks_first),
        ("2.1052", Some(TaskIndex { band: 1, task: 0 }))
    );
    assert_eq!(longest(&system).unwrap(), [vec![ticks(725_000), ticks(1_350_000)], vec![ticks(2_600_000)]]);
    // A short deadline above breaks first.
    system.bands[0].tasks[0].deadline = ticks(210_000);
    let found = speed(&system).unwrap();
    assert_eq!(
        (found.slowdown.to_string().as_str(), found.breaks_first),
        ("1.0500", Some(TaskIndex { band: 0, task: 0 }))
    );
    // Drivers and the kernel are slower too: 200,000 + 5,000 + 2 * 1,000 of 217,350.
    system.bands[0].tasks[0].deadline = ticks(217_350);
    let (period, worst) = (ticks(1_000_000), ticks(5_000));
    system.interference.push(Interference { period, worst, ..Interference::default() });
    system.costs.switch = ticks(1_000);
    assert_eq!(speed(&system).unwrap().slowdown.to_string(), "1.0500");
}

/// In a dynamic band it is the task whose deadline ends the window, wherever it is in the list.
#[test]
fn the_late_task_of_a_dynamic_band_is_named() {
    let due = |deadline, task: Task| Task { deadline: ticks(deadline), ..task };
    let tasks = vec![
        due(90_000, task("a", 100_000, 10_000)),
        due(30_000, task("b", 100_000, 10_000)),
        task("c", 100_000, 1),
    ];
    let mut system = dynamic(tasks);
    assert_eq!(speed(&system).unwrap().breaks_first, Some(TaskIndex { band: 0, task: 1 }));
    system.bands[0].tasks[1].deadline = ticks(89_000);
    assert_eq!(speed(&system).unwrap().breaks_first, Some(TaskIndex { band: 0, task: 0 }));
}

/// The schedule of the counter-example ends at the earliest deadline that dense arrivals miss, and no shorter
/// window has too much work in it.
#[test]
fn counter_examples_are_the_shortest() {
    let mut found = 0;
    for seed in 0..200 {
        let mut random = Random(seed);
        let on_time = |task: &Sporadic| task.released_within(ticks(0));
        let tasks: Vec<_> = jobs::tasks(&mut random).iter().map(on_time).collect();
        let one_band = seed % 2 == 0;
        let dynamic = [if one_band { tasks.len() } else { 1 }];
        let miss = csd::counter_example(&tasks, &dynamic).unwrap();
        assert_eq!(miss.is_none(), csd::holds(&tasks, &dynamic).unwrap(), "seed {seed}: {tasks:?}");
        let Some(miss) = miss else { continue };
        let activations = all_dense(&tasks, 500);
        let key = |job: &jobs::Activation, _| match job.task < dynamic[0] {
            true => (0, job.deadline),
            false => (1, job.task as u64),
        };
        let ends = jobs::run(&activations, key, always);
        let late = activations.iter().zip(&ends).filter(|(job, end)| **end > job.deadline);
        let first = late.map(|(job, _)| job.deadline - jobs::START).min();
        assert_eq!(Some(miss.job.deadline.get()), first, "seed {seed}: {tasks:?}");
        assert_eq!((miss.schedule.start, miss.schedule.end), (ticks(0), miss.job.deadline), "seed {seed}");
        if one_band {
            let due = |window: u64| -> u64 {
                let jobs = |task: &Sporadic| match window.checked_sub(task.deadline.get()) {
                    None => 0,
                    Some(rest) => rest / task.period.get() + 1,
                };
                tasks.iter().map(|task| jobs(task) * task.worst.get()).sum()
            };
            let shortest = (1..).find(|&window| due(window) > window);
            assert_eq!(Some(miss.job.deadline.get()), shortest, "seed {seed}: {tasks:?}");
        }
        found += 1;
    }
    assert!(found > 50, "{found}");
}

#[test]
fn the_papers_unsafe_example_has_a_counter_example() {
    let implicit = |period, worst| Sporadic::implicit(ticks(period), ticks(worst));
    let tasks = [implicit(10, 3), implicit(12, 3), implicit(18, 8)];
    let miss = csd::counter_example(&tasks, &[1, 2]).unwrap().unwrap();
    assert_eq!((miss.job.deadline, miss.unfinished, miss.schedule.start), (ticks(36), ticks(1), ticks(0)));
    assert_eq!(csd::counter_example(&tasks, &[3]), Ok(None));
    let late = [tasks[0].released_within(ticks(1))];
    assert!(matches!(csd::counter_example(&late, &[]), Err(Failure::Invalid { fault: Fault::Jitter, .. })));
}
