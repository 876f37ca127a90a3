//! Earliest deadline first without preemption: compared with simulated arrivals, and Yartek's examples.

use beryl_testing::SplitMix64 as Random;

use super::jobs::{self, Activation, START, dense, misses, never};
use super::ticks;
use crate::edf::{self, non_preemptive as condition};
use crate::{Failure, Fault, Sporadic};

const SEEDS: std::ops::Range<u64> = 0..400;
const LENGTH: u64 = 400;

fn implicit(period: u64, worst: u64) -> Sporadic {
    Sporadic::implicit(ticks(period), ticks(worst))
}

fn by_deadline(job: &Activation, _: u64) -> u64 {
    job.deadline
}

/// Whether any job misses if one task's job begins a tick before all others arrive, or if all arrive
/// together.
fn a_job_in_the_way_misses(tasks: &[Sporadic]) -> bool {
    (0..=tasks.len()).any(|blocker| {
        let first = |task| if task == blocker { START - 1 } else { START };
        let begins = |(task, of): (usize, &Sporadic)| {
            // The blocking job is released on arrival.
            let of = if task == blocker { of.released_within(ticks(0)) } else { *of };
            dense(task, &of, first(task), START + LENGTH)
        };
        let activations: Vec<_> = tasks.iter().enumerate().flat_map(begins).collect();
        misses(&activations, &jobs::run(&activations, by_deadline, never))
    })
}

#[test]
fn the_condition_is_what_a_job_in_the_way_does() {
    let (mut held, mut only_preemptive) = (0, 0);
    for seed in SEEDS {
        let tasks = jobs::tasks(&mut Random(seed));
        let holds = condition::holds(&tasks).unwrap();
        assert_eq!(holds, !a_job_in_the_way_misses(&tasks), "seed {seed}: {tasks:?}");
        held += u32::from(holds);
        only_preemptive += u32::from(edf::holds(&tasks).unwrap() && !holds);
    }
    assert!(
        held > 30 && only_preemptive > 30,
        "lopsided: {held} hold, {only_preemptive} only with preemption"
    );
}

#[test]
fn random_arrivals_never_miss_where_it_holds() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        if condition::holds(&tasks).unwrap() {
            let activations = jobs::random(&tasks, LENGTH, &mut random);
            let ends = jobs::run(&activations, by_deadline, never);
            assert!(!misses(&activations, &ends), "seed {seed}: {tasks:?}");
        }
    }
}

/// Negative control: the preemptive criterion accepts a system that misses because of a long blocking job.
#[test]
fn a_long_job_in_the_way_is_seen() {
    let tasks = [implicit(4, 1), implicit(20, 5)];
    assert_eq!(edf::holds(&tasks), Ok(true));
    assert_eq!(condition::holds(&tasks), Ok(false));
    assert!(a_job_in_the_way_misses(&tasks));
    assert_eq!(condition::holds(&[implicit(4, 1), implicit(20, 4)]), Ok(true));
}

/// Jeffay's condition as printed, for implicit deadlines: every window from the shortest period to each other
/// one.
fn as_printed(tasks: &[Sporadic]) -> bool {
    let fits = |index: usize, window: u64| {
        let before = tasks[..index].iter().map(|task| (window - 1) / task.period.get() * task.worst.get());
        tasks[index].worst.get() + before.sum::<u64>() <= window
    };
    let shortest = tasks[0].period.get();
    let mut windows = (1..tasks.len())
        .flat_map(|index| (shortest + 1..tasks[index].period.get()).map(move |window| (index, window)));
    !crate::sporadic::utilisation(tasks).unwrap().exceeds_one()
        && windows.all(|(index, window)| fits(index, window))
}

#[test]
fn implicit_deadlines_have_jeffays_condition() {
    let mut held = 0;
    for seed in SEEDS {
        let mut tasks: Vec<_> = jobs::tasks(&mut Random(seed))
            .iter()
            .map(|task| Sporadic::implicit(task.period, task.worst))
            .collect();
        tasks.sort_by_key(|task| task.period);
        let holds = condition::holds(&tasks).unwrap();
        assert_eq!(holds, as_printed(&tasks), "seed {seed}: {tasks:?}");
        held += u32::from(holds);
    }
    assert!((50..350).contains(&held), "lopsided: {held} hold");
}

/// The paper's map building, in hundredths of a millisecond.
fn map_building() -> Vec<Sporadic> {
    let rows = [(500, 20); 6].into_iter().chain([(500, 100), (1200, 20), (1200, 20), (2000, 20)]);
    rows.map(|(period, worst)| implicit(period * 100, worst * 100)).collect()
}

#[test]
fn yarteks_bounds_are_those_printed() {
    let bounds: Vec<_> =
        condition::bounds(&map_building()).unwrap().iter().map(|bound| bound.get()).collect();
    assert_eq!(bounds, [50000, 48000, 46000, 44000, 42000, 40000, 38000, 28000, 27166, 26333]);
    assert_eq!(
        (condition::within_bounds(&map_building()), condition::holds(&map_building())),
        (Ok(true), Ok(true))
    );
    let three = [implicit(4000, 1500), implicit(6000, 1500), implicit(7000, 1500)];
    assert_eq!(condition::bounds(&three), Ok(vec![ticks(4000), ticks(2500), ticks(1500)]));
    assert_eq!((condition::within_bounds(&three), condition::holds(&three)), (Ok(true), Ok(true)));
}

/// The slack of the bounds: the third task may be 2501 long, not only 1500. Negative control for both: one
/// tick more than the condition allows misses.
#[test]
fn yarteks_bounds_are_safe_and_not_the_condition() {
    let with_third = |worst| [implicit(4000, 1500), implicit(6000, 1500), implicit(7000, worst)];
    assert_eq!(condition::within_bounds(&with_third(1501)), Ok(false));
    assert_eq!(condition::holds(&with_third(2501)), Ok(true));
    assert_eq!(condition::holds(&with_third(2502)), Ok(false));
    for seed in SEEDS {
        let mut tasks: Vec<_> = jobs::tasks(&mut Random(seed))
            .iter()
            .map(|task| Sporadic::implicit(task.period, task.worst))
            .collect();
        tasks.sort_by_key(|task| task.period);
        if condition::within_bounds(&tasks).unwrap() {
            assert_eq!(condition::holds(&tasks), Ok(true), "seed {seed}: {tasks:?}");
        }
    }
}

#[test]
fn bounds_refuse_what_they_are_not_for() {
    let refused = |tasks: &[Sporadic]| match condition::within_bounds(tasks) {
        Err(Failure::Invalid { name, fault }) => (name, fault),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[implicit(5, 1), implicit(4, 1)]), ("task 1".into(), Fault::OutOfOrder));
    assert_eq!(refused(&[implicit(5, 1).due(ticks(4))]), ("task 0".into(), Fault::DeadlineNotPeriod));
}
