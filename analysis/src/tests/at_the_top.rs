//! Limited preemption by locks: a non-preemptive stretch equals a section in a lock that all tasks use, with
//! a ceiling above all.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::jobs;
use super::*;
use crate::demand::Load;
use crate::fixed_priority::blocking::{Section, ceiling};
use crate::fixed_priority::limited::{self, Chunked};

/// A stretch in each job: after how much work it begins, and its length.
fn stretches(tasks: &[Sporadic], random: &mut Random) -> Vec<(u64, u64)> {
    let stretch = |task: &Sporadic| {
        let length = random.within(1, task.worst.get());
        (random.within(0, task.worst.get() - length), length)
    };
    tasks.iter().map(stretch).collect()
}

/// Tick by tick, a non-preemptible job and one raised above all do the same.
#[test]
fn a_section_at_the_top_is_run_as_a_stretch_without_preemption() {
    let mut with_preemption = 0;
    for seed in 0..300 {
        let mut random = Random(seed);
        let tasks = jobs::tasks(&mut random);
        let stretches = stretches(&tasks, &mut random);
        let is_inside = |task: usize, done: u64| {
            let (begin, length) = stretches[task];
            done > begin && done < begin + length
        };
        let activations = jobs::random(&tasks, 200, &mut random);
        let held = jobs::run(&activations, |job, _| job.task, |task, done| !is_inside(task, done));
        let raised = |job: &jobs::Activation, done: u64| (!is_inside(job.task, done), job.task);
        assert_eq!(
            jobs::run(&activations, raised, jobs::always),
            held,
            "seed {seed}: {tasks:?} {stretches:?}"
        );
        with_preemption += u32::from(jobs::run(&activations, |job, _| job.task, jobs::always) != held);
    }
    assert!(with_preemption > 100, "{with_preemption}");
}

/// In the analysis they are the same except for one tick: a blocking job has begun earlier, which a ceiling's
/// bound ignores.
#[test]
fn a_lock_at_the_top_has_the_bounds_of_limited_preemption() {
    for seed in 0..3000 {
        let mut random = Random(seed);
        let on_time = |task: &Sporadic| task.due(task.deadline.min(task.period)).released_within(ticks(0));
        let tasks: Vec<_> = jobs::tasks(&mut random).iter().map(on_time).collect();
        let lengths: Vec<Ticks> =
            stretches(&tasks, &mut random).into_iter().map(|(_, length)| ticks(length)).collect();
        let chunk =
            |(task, longest): (&Sporadic, &Ticks)| Chunked { task: *task, longest: *longest, last: ticks(1) };
        let limited =
            limited::response_times(&tasks.iter().zip(&lengths).map(chunk).collect::<Vec<_>>()).unwrap();
        let section = |(task, length): (usize, &Ticks)| Section { task, lock: 0, length: *length };
        let sections: Vec<_> = lengths.iter().enumerate().map(section).collect();
        let mut blocking = ceiling(tasks.len(), &sections);
        // The system counts the whole section.
        let system = at_the_top(&tasks, &lengths);
        let counted: Vec<Ticks> = Load::of(&system).unwrap().blocking[0].of_tasks.clone();
        assert_eq!(counted, blocking, "seed {seed}");
        blocking.iter_mut().for_each(|time| *time = time.less(ticks(1)));
        let by_ceiling = fixed_priority::response_times(&tasks, &blocking).unwrap();
        assert_eq!(by_ceiling, limited, "seed {seed}: {tasks:?} {lengths:?}");
    }
}

/// A fixed band in which all tasks use one lock.
fn at_the_top(tasks: &[Sporadic], lengths: &[Ticks]) -> System {
    let task = |of: &Sporadic| Task { deadline: of.deadline, ..task("t", of.period.get(), of.worst.get()) };
    let mut system = fixed(tasks.iter().map(task).collect());
    let user = |(thread, (task, hold)): (usize, (&Task, &Ticks))| User {
        thread,
        urgency: Some(Urgency { priority: task.priority, ..Urgency::default() }),
        hold: *hold,
    };
    let users = system.bands[0].tasks.iter().zip(lengths).enumerate().map(user).collect();
    system.locks = vec![Lock { users, ..Lock::default() }];
    system
}
