//! Combined static and dynamic scheduling: compared with simulated arrivals, the paper's example, and
//! exhaustive placement.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::jobs::{self, Activation, all_dense, always, misses};
use super::ticks;
use crate::csd::placement::{Test, cheapest};
use crate::csd::{self, printed};
use crate::{Failure, Fault, Sporadic, Ticks, edf, fixed_priority};

const SEEDS: std::ops::Range<u64> = 0..400;
const LENGTH: u64 = 400;

fn implicit(period: u64, worst: u64) -> Sporadic {
    Sporadic::implicit(ticks(period), ticks(worst))
}

/// The urgency of a job: its band, then its deadline or its task.
fn urgency(dynamic: &[usize]) -> impl Fn(&Activation, u64) -> (usize, u64) {
    let ends: Vec<usize> = dynamic
        .iter()
        .scan(0, |end, size| {
            *end += size;
            Some(*end)
        })
        .collect();
    move |job, _| {
        let band = ends.iter().filter(|&&end| end <= job.task).count();
        (band, if band < ends.len() { job.deadline } else { job.task as u64 })
    }
}

fn simulated(tasks: &[Sporadic], dynamic: &[usize]) -> bool {
    let activations = all_dense(tasks, LENGTH);
    !misses(&activations, &jobs::run(&activations, urgency(dynamic), always))
}

fn random_sizes(tasks: usize, random: &mut Random) -> Vec<usize> {
    let mut left = tasks;
    let take = |_| {
        let size = usize::try_from(random.within(0, left as u64)).unwrap();
        left -= size;
        size
    };
    (0..2).map(take).collect()
}

#[test]
fn bands_hold_where_dense_arrivals_meet_their_deadlines() {
    let (mut held, mut as_printed_only) = (0, 0);
    for seed in SEEDS {
        let mut random = Random(seed);
        let mut tasks = jobs::tasks(&mut random);
        if seed % 2 == 0 {
            tasks = tasks.iter().map(|task| Sporadic::implicit(task.period, task.worst)).collect();
            tasks.sort_by_key(|task| task.period);
        }
        let dynamic = random_sizes(tasks.len(), &mut random);
        let meets = simulated(&tasks, &dynamic);
        assert_eq!(csd::holds(&tasks, &dynamic), Ok(meets), "seed {seed}: {dynamic:?} of {tasks:?}");
        held += u32::from(meets);
        as_printed_only += u32::from(!meets && printed::holds(&tasks, &dynamic) == Ok(true));
    }
    assert!((100..350).contains(&held), "lopsided: {held} hold, {as_printed_only} as printed only");
}

#[test]
fn random_arrivals_never_miss_where_bands_hold() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        let dynamic = random_sizes(tasks.len(), &mut random);
        if csd::holds(&tasks, &dynamic).unwrap() {
            let activations = jobs::random(&tasks, LENGTH, &mut random);
            let ends = jobs::run(&activations, urgency(&dynamic), always);
            assert!(!misses(&activations, &ends), "seed {seed}: {dynamic:?} of {tasks:?}");
        }
    }
}

/// Negative control: the test of section 5.7 looks only at first deadlines and says yes; the second deadline
/// of {8/18} and the third of {3/12} is 36, and not all work is done by then.
#[test]
fn the_papers_test_is_unsafe() {
    let (tasks, dynamic) = ([implicit(10, 3), implicit(12, 3), implicit(18, 8)], [1, 2]);
    assert_eq!(printed::holds(&tasks, &dynamic), Ok(true));
    assert_eq!(csd::holds(&tasks, &dynamic), Ok(false));
    let activations = all_dense(&tasks, 180);
    let ends = jobs::run(&activations, urgency(&dynamic), always);
    let late = activations.iter().zip(&ends).filter(|(job, end)| **end > job.deadline);
    let first = late.map(|(job, _)| job.deadline - jobs::START).min();
    assert_eq!(first, Some(36));
    // With one tick less, both agree.
    let shorter = [tasks[0], tasks[1], implicit(18, 7)];
    assert_eq!((printed::holds(&shorter, &dynamic), csd::holds(&shorter, &dynamic)), (Ok(true), Ok(true)));
}

/// Whatever the paper's test refuses does miss: it errs only on the unsafe side.
#[test]
fn the_papers_test_refuses_nothing_that_holds() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let mut tasks: Vec<_> =
            jobs::tasks(&mut random).iter().map(|task| Sporadic::implicit(task.period, task.worst)).collect();
        tasks.sort_by_key(|task| task.period);
        let dynamic = random_sizes(tasks.len(), &mut random);
        if csd::holds(&tasks, &dynamic).unwrap() {
            assert_eq!(printed::holds(&tasks, &dynamic), Ok(true), "seed {seed}: {dynamic:?} of {tasks:?}");
        }
    }
}

#[test]
fn one_band_is_one_policy() {
    for seed in SEEDS {
        let tasks = jobs::tasks(&mut Random(seed));
        assert_eq!(csd::holds(&tasks, &[]), fixed_priority::holds(&tasks, &[]), "seed {seed}");
        assert_eq!(csd::holds(&tasks, &[tasks.len()]), edf::holds(&tasks), "seed {seed}");
    }
}

/// EMERALDS, Table 1, in tenths of a millisecond: the fifth task is the troublesome one.
#[test]
fn the_papers_workload_needs_its_first_five_tasks_in_one_band() {
    let rows =
        [(40, 10), (50, 10), (60, 10), (70, 10), (80, 5), (200, 5), (300, 5), (500, 5), (1000, 5), (1300, 5)];
    let tasks = rows.map(|(period, worst)| implicit(period, worst));
    let verdicts = |dynamic: &[usize]| (csd::holds(&tasks, dynamic), printed::holds(&tasks, dynamic));
    for (dynamic, expected) in
        [(&[][..], false), (&[4], false), (&[5], true), (&[10], true), (&[4, 1], false), (&[5, 3], true)]
    {
        assert_eq!(verdicts(dynamic), (Ok(expected), Ok(expected)), "{dynamic:?}");
    }
    // The cheapest placement, if each member of a dynamic band adds a thousandth of a period to a job's cost.
    let costs =
        |sizes: &[usize], band: usize| ticks(if band + 1 < sizes.len() { sizes[band] as u64 } else { 1 });
    let finer = tasks.map(|task| implicit(task.period.get() * 100, task.worst.get() * 100));
    assert_eq!(cheapest(&finer, 1, &costs, Test::Sound), Ok(Some(vec![5])));
}

#[test]
fn nonsense_is_refused() {
    let tasks = [implicit(10, 1), implicit(12, 1)];
    let refused = |dynamic: &[usize], tasks: &[Sporadic]| match printed::holds(tasks, dynamic) {
        Err(Failure::Invalid { name, fault }) => (name, fault),
        other => panic!("{other:?}"),
    };
    assert_eq!(refused(&[1, 2], &tasks), ("band 1".into(), Fault::TooManyMembers));
    assert_eq!(refused(&[1], &[tasks[1], tasks[0]]), ("task 1".into(), Fault::OutOfOrder));
    assert_eq!(refused(&[1], &[tasks[0].released_within(ticks(1))]), ("task 0".into(), Fault::Jitter));
    assert_eq!(refused(&[1], &[tasks[0].due(ticks(9))]), ("task 0".into(), Fault::DeadlineNotPeriod));
}

/// Costs after the paper's Table 3: half of a band's search cost for each member, and a constant for each
/// band.
fn costs(sizes: &[usize], band: usize) -> Ticks {
    let members = sizes[band] as u64;
    let bands = sizes.len() as u64;
    ticks(if band + 1 == sizes.len() { 60 + 6 * members + 2 * bands } else { 60 + 10 * members + 2 * bands })
}

/// Workloads that just fit or just don't: periods of one to three digits, deadlines at or before them.
fn workload(random: &mut Random, constrained: bool) -> Vec<Sporadic> {
    let count = random.within(3, 15);
    let load = random.within(75, 100);
    let mut tasks: Vec<Sporadic> = (0..count)
        .map(|_| {
            let period =
                *random.one_of(&[random.0 % 5 + 5, random.0 % 90 + 10, random.0 % 900 + 100]) * 1_000;
            let worst = (period * load / 100 / count * random.within(50, 150) / 100).max(1);
            let deadline = if constrained { period - random.within(0, period / 5) } else { period };
            Sporadic::implicit(ticks(period), ticks(worst)).due(ticks(deadline))
        })
        .collect();
    tasks.sort_by_key(|task| (task.period, task.deadline));
    tasks
}

/// The naive way: all placements, each tested in full.
fn exhaustive(tasks: &[Sporadic], dynamic_bands: usize, test: Test) -> Option<Vec<usize>> {
    let n = tasks.len();
    let grown = |some: Vec<usize>| {
        let used: usize = some.iter().sum();
        (0..=n - used).map(move |size| [some.clone(), vec![size]].concat())
    };
    let all = (0..dynamic_bands).fold(vec![vec![]], |all, _| all.into_iter().flat_map(grown).collect());
    let holding = all.into_iter().filter_map(|dynamic: Vec<usize>| {
        let sizes = [dynamic.clone(), vec![n - dynamic.iter().sum::<usize>()]].concat();
        let bands = sizes.iter().enumerate().flat_map(|(band, size)| std::iter::repeat_n(band, *size));
        let (mut with_costs, mut share) = (Vec::new(), 0_u128);
        for (task, band) in tasks.iter().zip(bands) {
            let cost = costs(&sizes, band);
            share += u128::from(cost.get()) * ((1 << 64) / u128::from(task.period.get()));
            with_costs.push(Sporadic { worst: task.worst.plus(cost).unwrap(), ..*task });
        }
        let holds = match test {
            Test::Sound => csd::holds(&with_costs, &dynamic),
            Test::Printed => printed::holds(&with_costs, &dynamic),
        };
        holds.unwrap().then_some((share, dynamic))
    });
    holding.min().map(|(_, dynamic)| dynamic)
}

#[test]
fn the_pruned_search_finds_what_the_exhaustive_one_does() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..60 {
        let mut random = Random(seed);
        let constrained = seed % 3 == 0;
        let mut tasks = workload(&mut random, constrained);
        for dynamic_bands in 0..=3 {
            if dynamic_bands == 3 {
                tasks.truncate(10);
            }
            for test in if constrained { &[Test::Sound][..] } else { &[Test::Sound, Test::Printed] } {
                let pruned = cheapest(&tasks, dynamic_bands, &costs, *test).unwrap();
                let all = exhaustive(&tasks, dynamic_bands, *test);
                assert_eq!(pruned, all, "seed {seed}, {dynamic_bands} dynamic bands, {test:?}: {tasks:?}");
                found += u32::from(all.is_some());
                none += u32::from(all.is_none());
            }
        }
    }
    assert!(found > 60 && none > 60, "lopsided: {found} found, {none} not");
}
