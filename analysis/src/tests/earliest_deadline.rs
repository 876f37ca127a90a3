//! Earliest deadline first for sporadic tasks: compared with simulated arrivals, and the papers' examples.

use beryl_testing::SplitMix64 as Random;

use super::jobs::{self, Activation, START, all_dense, always, dense, longest, misses};
use super::ticks;
use crate::{Failure, Fault, Sporadic, Ticks, edf};

const SEEDS: std::ops::Range<u64> = 0..300;
const LENGTH: u64 = 300;

fn sporadic(period: u64, deadline: u64, worst: u64) -> Sporadic {
    Sporadic::implicit(ticks(period), ticks(worst)).due(ticks(deadline))
}

fn in_time(tasks: &[Sporadic], responses: &[Ticks]) -> bool {
    tasks.iter().zip(responses).all(|(task, response)| *response <= task.deadline)
}

fn by_deadline(job: &Activation, _: u64) -> u64 {
    job.deadline
}

/// Dense arrivals are the worst case: they miss if and only if the criterion fails.
#[test]
fn the_demand_criterion_is_what_dense_arrivals_do() {
    let mut held = 0;
    for seed in SEEDS {
        let tasks = jobs::tasks(&mut Random(seed));
        let activations = all_dense(&tasks, LENGTH);
        let missed = misses(&activations, &jobs::run(&activations, by_deadline, always));
        assert_eq!(edf::holds(&tasks), Ok(!missed), "seed {seed}: {tasks:?}");
        assert_eq!(in_time(&tasks, &edf::response_times(&tasks).unwrap()), !missed, "seed {seed}: {tasks:?}");
        held += u32::from(!missed);
    }
    assert!((50..250).contains(&held), "lopsided: {held} hold");
}

/// The longest response of one task, over all its arrivals in a busy interval that the others start together.
fn seen(tasks: &[Sporadic], index: usize) -> u64 {
    let others = || tasks.iter().enumerate().filter(|(other, _)| *other != index);
    let mut seen = 0;
    let first_arrival = START - tasks[index].jitter.get();
    for arrival in first_arrival..START + 60 {
        let mut activations: Vec<_> =
            others().flat_map(|(other, of)| dense(other, of, START, START + 120)).collect();
        let own = tasks[index].period.get();
        // The job under test, and its predecessors at the shortest distance.
        for earlier in
            (0..).map(|jobs| jobs * own).take_while(|time| arrival - time.min(&arrival) >= first_arrival)
        {
            let arrival = arrival - earlier;
            activations.push(Activation {
                task: index,
                arrival,
                release: arrival.max(START),
                deadline: arrival + tasks[index].deadline.get(),
                work: tasks[index].worst.get(),
            });
        }
        // Equal deadlines of others go first.
        let ends = jobs::run(&activations, |job, _| (job.deadline, job.task == index), always);
        seen = seen.max(longest(tasks.len(), &activations, &ends)[index]);
    }
    seen
}

#[test]
fn response_times_are_reached() {
    for seed in 0..60 {
        let tasks = jobs::tasks(&mut Random(seed));
        let responses = edf::response_times(&tasks).unwrap();
        for (index, response) in responses.iter().enumerate() {
            assert_eq!(response.get(), seen(&tasks, index), "seed {seed}, task {index}: {tasks:?}");
        }
    }
}

#[test]
fn random_arrivals_never_take_longer() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        let responses = edf::response_times(&tasks).unwrap();
        for _ in 0..2 {
            let activations = jobs::random(&tasks, LENGTH, &mut random);
            let ends = jobs::run(&activations, by_deadline, always);
            let longest = longest(tasks.len(), &activations, &ends);
            let within = longest.iter().zip(&responses).all(|(seen, bound)| *seen <= bound.get());
            assert!(within, "seed {seed}: {longest:?} beyond {responses:?}: {tasks:?}");
        }
    }
}

/// Negative control: as soon as deadlines come before periods, utilisation alone accepts systems that miss.
#[test]
fn utilisation_is_not_enough_for_constrained_deadlines() {
    let tasks = [sporadic(10, 4, 3), sporadic(10, 5, 3)];
    assert!(!crate::sporadic::utilisation(&tasks).unwrap().exceeds_one());
    assert_eq!(edf::holds(&tasks), Ok(false));
    let activations = all_dense(&tasks, 20);
    assert!(misses(&activations, &jobs::run(&activations, by_deadline, always)));
}

/// Negative control: jitter brings the deadline nearer, and the next release too.
#[test]
fn jitter_counts() {
    let tasks = [sporadic(10, 6, 3), sporadic(10, 6, 3)];
    assert_eq!(edf::holds(&tasks), Ok(true));
    assert_eq!(edf::response_times(&tasks), Ok(vec![ticks(6), ticks(6)]));
    let late = tasks.map(|task| task.released_within(ticks(1)));
    assert_eq!(edf::holds(&late), Ok(false));
    assert_eq!(edf::response_times(&late), Ok(vec![ticks(7), ticks(7)]));
}

/// Buttazzo's textbook set: 16 ticks of work are due in 16 ticks.
#[test]
fn a_window_may_be_full() {
    let tasks = [sporadic(6, 4, 2), sporadic(8, 5, 2), sporadic(9, 7, 3)];
    assert_eq!(edf::holds(&tasks), Ok(true));
    assert_eq!(edf::holds(&[tasks[0], tasks[1], sporadic(9, 7, 4)]), Ok(false));
}

/// More work than time is detected without a bound on the windows.
#[test]
fn overload_does_not_hold() {
    assert_eq!(edf::holds(&[sporadic(10, 40, 6), sporadic(10, 40, 5)]), Ok(false));
    let overload = edf::response_times(&[sporadic(10, 40, 6), sporadic(10, 40, 5)]);
    assert!(matches!(overload, Err(Failure::Overload { .. })));
    assert_eq!(edf::holds(&[]), Ok(true));
    // The whole processor, and periods without a common multiple in range.
    let prime = [1_000_000_007, 1_000_000_009, 998_244_353];
    let full: Vec<_> = prime.map(|period| sporadic(period, period, period / 3)).to_vec();
    assert_eq!(edf::holds(&full), Ok(true));
    // A full processor with late releases: together they never leave it idle.
    let late = [sporadic(10, 8, 5).released_within(ticks(2)), sporadic(10, 10, 5)];
    assert_eq!((edf::holds(&late), edf::response_times(&late)), (Ok(true), Err(Failure::TooLong)));
}

#[test]
fn nonsense_is_refused_by_its_position() {
    let fault = |task: Sporadic| match edf::holds(&[sporadic(10, 10, 1), task]) {
        Err(Failure::Invalid { name, fault }) if name == "task 1" => fault,
        other => panic!("{other:?}"),
    };
    assert_eq!(fault(sporadic(0, 1, 1)), Fault::NoPeriod);
    assert_eq!(fault(sporadic(1, 0, 1)), Fault::NoDeadline);
    assert_eq!(fault(sporadic(1, 1, 0)), Fault::NoWorst);
    assert_eq!(fault(sporadic(9, 8, 1).released_within(ticks(8))), Fault::JitterTooLong);
    let huge = sporadic(u64::MAX, u64::MAX, u64::MAX);
    assert_eq!(edf::holds(&[huge, sporadic(u64::MAX - 1, u64::MAX - 1, 1)]), Ok(false));
}
