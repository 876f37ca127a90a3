//! Tests of the whole crate, and their common helpers: systems in one line each.

mod at_the_top;
mod backlog;
mod by_hand;
mod chains;
mod combined;
mod earliest_deadline;
mod equals;
mod fixed_priorities;
mod in_step;
mod jobs;
mod late;
mod lateness;
mod locks;
mod locks_of_systems;
mod modes;
mod near_full;
mod nested;
mod non_preemptive;
mod offsets;
mod one_by_one;
mod oracle;
mod oracle_lists;
mod papers;
mod partitions;
mod plain;
mod plain_chains;
mod plain_runs;
mod random;
mod random_systems;
mod sensitivity;
mod servers;
mod simso;
mod spread;
mod state_messages;
mod sweep;
mod synchronous;
mod windows;

use crate::*;

pub(crate) use near_full::look;

fn ticks(count: u64) -> Ticks {
    Ticks::new(count)
}

/// A task whose deadline is the end of its period.
fn task(name: &str, period: u64, worst: u64) -> Task {
    let (period, worst) = (ticks(period), ticks(worst));
    Task { name: name.into(), period, deadline: period, worst, ..Task::default() }
}

/// The tasks with priorities in list order, the first the most urgent.
fn by_order(tasks: Vec<Task>) -> Vec<Task> {
    let priorities = (0..100).rev();
    tasks.into_iter().zip(priorities).map(|(task, priority)| Task { priority, ..task }).collect()
}

fn band(policy: Policy, tasks: Vec<Task>) -> Band {
    Band { name: format!("{policy:?}").to_lowercase(), policy, tasks }
}

fn dynamic(tasks: Vec<Task>) -> System {
    System { bands: vec![band(Policy::Dynamic, tasks)], ..System::default() }
}

fn fixed(tasks: Vec<Task>) -> System {
    System { bands: vec![band(Policy::Fixed, by_order(tasks))], ..System::default() }
}

fn responses(proof: &Proof) -> Vec<u64> {
    proof.bands.iter().flat_map(|band| &band.tasks).map(|task| task.response.get()).collect()
}

fn missed(system: &System) -> Miss {
    match prove(system) {
        Err(Failure::NotSchedulable(miss)) => *miss,
        other => panic!("expected a missed deadline, got {other:?}"),
    }
}

/// A schedule as text: `name start-end` for each segment.
fn drawn(system: &System, schedule: &Schedule) -> String {
    let name = |work| match work {
        Work::Kernel => "kernel",
        Work::Driver(DriverIndex(index)) => &system.interference[index].name,
        Work::Job(Job { task, .. }) => &system.bands[task.band].tasks[task.task].name,
    };
    let draw = |segment: &Segment| format!("{} {}-{}", name(segment.work), segment.start, segment.end);
    schedule.segments.iter().map(draw).collect::<Vec<_>>().join(", ")
}
