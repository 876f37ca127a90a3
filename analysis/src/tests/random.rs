//! Properties of random systems; a failure names its seed.

use beryl_testing::{Draw, SplitMix64 as Random};

use std::collections::BTreeSet;

use super::plain::{length, run, run_behind_equals, run_with_calls, run_worst};
use super::*;
use crate::demand::Load;
use crate::proof::analyse;

const SEEDS: std::ops::Range<u64> = 0..600;

/// The verdict of the analysis alone.
fn analysis_holds(system: &System) -> bool {
    let load = Load::of(system).unwrap();
    let holds = |(index, band): (usize, &Band)| analyse(&load, index, band.policy).unwrap().holds;
    !load.utilisation().unwrap().exceeds_one() && system.bands.iter().enumerate().all(holds)
}

#[test]
fn analysis_schedule_and_tick_by_tick_simulation_agree_when_all_start_together() {
    let mut proved = 0;
    for seed in SEEDS {
        let system = random_systems::system(&mut Random(seed));
        let simulated = run_behind_equals(&system, length(&system));
        assert_eq!(analysis_holds(&system), simulated.missed.is_none(), "seed {seed}: {system:?}");
        assert_eq!(prove(&system).is_ok(), simulated.missed.is_none(), "seed {seed}: {system:?}");
        proved += u32::from(simulated.missed.is_none());
    }
    assert!((100..400).contains(&proved), "the random systems are lopsided: {proved} proved");
}

#[test]
fn demand_and_response_times_agree() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let system = System {
            bands: vec![random_systems::band_of(&mut random, Policy::Dynamic)],
            ..random_systems::system(&mut random)
        };
        let load = Load::of(&system).unwrap();
        if !load.utilisation().unwrap().exceeds_one() {
            let above = load.above(0);
            let responses = edf::responses(&load.bands[0], &above, &load.blocking[0]).unwrap();
            let in_time =
                responses.iter().zip(&load.bands[0]).all(|(response, task)| *response <= task.deadline);
            assert_eq!(
                edf::meets_demand(&load.bands[0], &above, &load.blocking[0]).unwrap(),
                in_time,
                "seed {seed}: {system:?}"
            );
        }
    }
}

#[test]
fn with_offsets_and_costs_the_verdict_is_that_of_tick_by_tick_simulation() {
    let (mut proved, mut by_schedule, mut by_equals, mut undecided) = (0, 0, 0, 0);
    for seed in SEEDS {
        let system = random_systems::system_with_offsets_and_costs(&mut Random(seed), 8);
        let simulated = run_behind_equals(&system, length(&system));
        match prove(&system) {
            Ok(proof) => {
                let observed =
                    proof.bands.iter().flat_map(|band| &band.tasks).map(|task| task.observed.unwrap().get());
                assert_eq!(simulated.missed, None, "seed {seed}: {system:?}");
                assert_eq!(observed.collect::<Vec<_>>(), simulated.responses, "seed {seed}: {system:?}");
                proved += 1;
                by_schedule += u32::from(proof.bands.iter().any(|band| band.method == Method::Schedule));
            }
            Err(Failure::NotSchedulable(miss)) => {
                let first = run_worst(&system, length(&system)).missed;
                let missed = first.or(simulated.missed).expect("a miss");
                let is_known = first.is_none() || miss.job.deadline.get() == missed;
                assert!(is_known, "seed {seed}: {missed}: {system:?}");
                assert!(first.is_some() || !miss.equals.is_empty(), "seed {seed}: {system:?}");
                by_equals += u32::from(first.is_none());
            }
            Err(Failure::LateBehindEquals { equals, .. }) => {
                assert!(simulated.missed.is_some() && !equals.is_empty(), "seed {seed}: {system:?}");
                by_equals += 1;
            }
            Err(Failure::Overload { .. }) => undecided += 1,
            Err(other) => panic!("seed {seed}: {other}"),
        }
    }
    assert!(proved >= 100 && by_schedule >= 10 && undecided <= 20, "{proved} {by_schedule} {undecided}");
    assert!(by_equals >= 3, "{by_equals}");
}

#[test]
fn no_run_with_shorter_execution_times_or_another_order_of_equals_is_worse_than_the_proof() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let system = random_systems::system_with_offsets_and_costs(&mut random, 4);
        let Ok(proof) = prove(&system) else { continue };
        let mut ties = Random(seed);
        let execution = |task: &Task| random.within(1, task.worst.get());
        let seen = run(&system, length(&system), execution, |_| ties.next());
        assert_eq!(seen.missed, None, "seed {seed}: {system:?}");
        for (task, seen) in proof.bands.iter().flat_map(|band| &band.tasks).zip(seen.responses) {
            assert!(ticks(seen) <= task.response, "seed {seed}: {system:?}");
            assert!(task.observed.is_none_or(|observed| observed <= task.response));
        }
    }
}

/// The running thread calls the kernel now and then, and the call is part of its time; so does a thread below
/// all others.
#[test]
fn no_call_of_somebody_less_urgent_makes_a_job_longer_than_the_proof_says() {
    let (mut decided, mut reached, mut used) = (BTreeSet::new(), 0, 0);
    for seed in SEEDS {
        let mut random = Random(seed);
        let mut system = random_systems::system_with_offsets_and_costs(&mut random, 12);
        system.costs.under_way = ticks(random.within(1, 10));
        let Ok(proof) = prove(&system) else { continue };
        let mut calls = Random(seed);
        let often = random.within(1, 12);
        let seen = run_with_calls(
            &system,
            length(&system),
            |task| task.worst.get(),
            |_| 0,
            || calls.within(0, often) == 0,
        );
        assert_eq!(seen.missed, None, "seed {seed}: {system:?}");
        decided.extend(proof.bands.iter().map(|band| format!("{:?}", band.method)));
        let without =
            System { costs: KernelCosts { under_way: Ticks::ZERO, ..system.costs }, ..system.clone() };
        let without = responses(&prove(&without).unwrap());
        for ((task, seen), without) in
            proof.bands.iter().flat_map(|band| &band.tasks).zip(seen.responses).zip(without)
        {
            assert!(ticks(seen) <= task.response, "seed {seed}: {seen} of {}: {system:?}", task.response);
            used += u32::from(seen > without);
            reached += u32::from(ticks(seen + 1) >= task.response);
        }
    }
    assert!(decided.len() >= 3, "{decided:?}");
    assert!(used > 100 && reached > 20, "{used} jobs need the term, and {reached} all of it");
}

#[test]
fn longer_execution_times_never_help() {
    for seed in SEEDS {
        let mut random = Random(seed);
        let system = random_systems::system(&mut random);
        let mut longer = system.clone();
        let band = random.within(0, system.bands.len() as u64 - 1);
        let task = &mut longer.bands[usize::try_from(band).unwrap()].tasks[0];
        task.worst = task.worst.plus(ticks(1)).unwrap();
        if let Ok(proof) = prove(&longer) {
            let before = prove(&system).unwrap_or_else(|failure| panic!("seed {seed}: {failure}"));
            let fell =
                responses(&before).iter().zip(responses(&proof)).any(|(before, after)| *before > after);
            assert!(!fell, "seed {seed}: {system:?}");
        }
    }
}

/// A response time grows at least as much as the task's own execution time.
#[test]
fn no_task_can_take_more_than_its_margin() {
    for seed in SEEDS {
        let system = random_systems::system(&mut Random(seed));
        let Ok(proof) = prove(&system) else { continue };
        for (band, proved) in proof.bands.iter().enumerate() {
            for (task, proved) in proved.tasks.iter().enumerate() {
                let mut longer = system.clone();
                let worst = &mut longer.bands[band].tasks[task].worst;
                *worst = worst.plus(proved.margin).and_then(|worst| worst.plus(ticks(1))).unwrap();
                assert!(!analysis_holds(&longer), "seed {seed}: {system:?}");
                assert!(prove(&longer).is_err(), "seed {seed}: {system:?}");
            }
        }
    }
}

#[test]
fn more_than_the_processor_is_always_refused() {
    let mut refused = 0;
    for seed in SEEDS {
        let mut random = Random(seed);
        let mut system = random_systems::system(&mut random);
        for task in system.bands.iter_mut().flat_map(|band| &mut band.tasks) {
            task.worst = ticks(random.within(1, task.period.get()));
            task.deadline = task.period;
        }
        if Load::of(&system).unwrap().utilisation().unwrap().exceeds_one() {
            missed(&system);
            refused += 1;
        }
    }
    assert!(refused > 200, "{refused} refused");
}

#[test]
fn counter_examples_are_whole() {
    for seed in SEEDS {
        let system = random_systems::system_with_offsets_and_costs(&mut Random(seed), 4);
        let Err(Failure::NotSchedulable(miss)) = prove(&system) else { continue };
        let Schedule { start, end, segments, releases } = &miss.schedule;
        assert_eq!(*end, miss.job.deadline, "seed {seed}");
        let meets = segments.windows(2).all(|pair| pair[0].end == pair[1].start);
        assert!(
            meets && segments[0].start == *start && segments[segments.len() - 1].end == *end,
            "seed {seed}"
        );
        assert!(releases.contains(&miss.job), "seed {seed}");
        assert!(releases.iter().all(|job| (*start..*end).contains(&job.release)), "seed {seed}");
        let jobs = segments.iter().filter_map(|segment| match segment.work {
            Work::Job(job) => Some(job),
            Work::Kernel | Work::Driver(_) => None,
        });
        for job in jobs {
            assert!(releases.contains(&job) && job.task.band <= miss.job.task.band, "seed {seed}: {job:?}");
        }
    }
}
