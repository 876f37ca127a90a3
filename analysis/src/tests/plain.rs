//! A reference simulator, tick by tick, that shares only the model with the crate.

use std::collections::BTreeSet;

use super::*;

/// The observations of a run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Observed {
    /// The instant of the first missed deadline.
    pub missed: Option<u64>,
    /// The longest response time of each task, in order.
    pub responses: Vec<u64>,
}

struct Pending {
    task: usize,
    band: usize,
    key: u64,
    release: u64,
    deadline: u64,
    left: u64,
}

/// Runs for `length` ticks or to the first miss. `execution` gives each job's execution time; at each tick
/// `tie` decides which of several equally urgent tasks goes first, by their numbers in band order.
pub fn run(
    system: &System,
    length: u64,
    execution: impl FnMut(&Task) -> u64,
    tie: impl FnMut(usize) -> u64,
) -> Observed {
    run_with_calls(system, length, execution, tie, || false)
}

/// The same with kernel calls: the running thread makes one when `calls` says so, and so does an idle thread
/// below all others, which does nothing else. No other thread proceeds until the kernel has done everything
/// that may be under way.
pub fn run_with_calls(
    system: &System,
    length: u64,
    mut execution: impl FnMut(&Task) -> u64,
    mut tie: impl FnMut(usize) -> u64,
    mut calls: impl FnMut() -> bool,
) -> Observed {
    let tasks: Vec<_> = system
        .bands
        .iter()
        .enumerate()
        .flat_map(|(at, band)| band.tasks.iter().map(move |t| (at, t)))
        .collect();
    let costs = &system.costs;
    let mut seen = Observed { missed: None, responses: vec![0; tasks.len()] };
    let mut jobs: Vec<Pending> = Vec::new();
    let mut above = 0;
    // How long the kernel is still at work, and for which job.
    let mut call: (u64, Option<(usize, u64)>) = (0, None);
    let comes = |offset: Ticks, period: Ticks, now: u64| {
        now >= offset.get() && (now - offset.get()).is_multiple_of(period.get())
    };
    for now in 0..length {
        if jobs.iter().any(|job| job.deadline <= now) {
            seen.missed = Some(now);
            return seen;
        }
        let mut instants = BTreeSet::new();
        for driver in system.interference.iter().filter(|driver| comes(driver.offset, driver.period, now)) {
            instants.insert(now);
            above += costs.driver.get() + driver.worst.get();
        }
        for (index, (band, task)) in tasks.iter().enumerate() {
            if comes(task.offset, task.period, now) {
                instants.insert(now);
                above += costs.release.get();
                let deadline = now + task.deadline.get();
                let policy = system.bands[*band].policy;
                let key = if policy == Policy::Dynamic { deadline } else { 1000 - u64::from(task.priority) };
                let left = 2 * costs.switch.get() + execution(task) + costs.completion.get();
                jobs.push(Pending { task: index, band: *band, key, release: now, deadline, left });
            }
        }
        above += instants.len() as u64 * (costs.alarm.get() + costs.instant.get());
        let order = |job: &Pending, tie: u64| (job.band, job.key, tie, job.release, job.task);
        let first = jobs.iter().min_by_key(|job| order(job, tie(job.task)));
        let own = first.map_or(u64::MAX, |job| job.left);
        let first = first.map(|job| (job.task, job.release));
        if call.0 == 0 && above == 0 && calls() {
            // A call is part of its caller's time.
            call = (costs.under_way.get().min(own), first);
        }
        let is_in_call = call.0 > 0;
        let running = if is_in_call { call.1 } else { first };
        call.0 = call.0.saturating_sub(1);
        if above > 0 && !is_in_call {
            above -= 1;
        } else if let Some(job) = jobs.iter_mut().find(|job| Some((job.task, job.release)) == running) {
            job.left -= 1;
            if job.left == 0 {
                let longest = &mut seen.responses[job.task];
                *longest = (*longest).max(now + 1 - job.release);
            }
        }
        jobs.retain(|job| job.left > 0);
    }
    seen
}

/// The same with worst-case execution times and ties in release order.
pub fn run_worst(system: &System, length: u64) -> Observed {
    run(system, length, |task| task.worst.get(), |_| 0)
}

/// The same, with each task in turn going after all its equals: the longest responses of that task, and the
/// first miss in any of these runs.
pub fn run_behind_equals(system: &System, length: u64) -> Observed {
    let mut seen = Observed::default();
    for last in 0..system.tasks().count() {
        let run = run(system, length, |task| task.worst.get(), |task| (task == last).into());
        seen.missed = seen.missed.into_iter().chain(run.missed).min();
        seen.responses.push(run.responses[last]);
    }
    seen
}

/// The last offset and ten hyperperiods: long enough for any of the random systems to repeat or, with
/// slightly too much work, for the backlog to show.
pub fn length(system: &System) -> u64 {
    system.sequences().map(|(_, offset)| offset.get()).max().unwrap()
        + 10 * system.hyperperiod().unwrap().get()
        + 1
}
