//! A reference simulator for single jobs, tick by tick: any arrivals, any urgency, preemption at given
//! points.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::ticks;
use crate::Sporadic;

/// Jobs of a busy interval that starts at this instant may have arrived before it.
pub const START: u64 = 1_000;

/// One activation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    pub task: usize,
    pub arrival: u64,
    pub release: u64,
    pub deadline: u64,
    pub work: u64,
}

/// Runs all jobs to their ends. At each tick the released job with the smallest key runs, given the job and
/// the work it has done, unless the running one isn't `preemptible` after the work it has done. Returns the
/// instant at which each job is complete.
pub fn run<K: Ord>(
    jobs: &[Activation],
    key: impl Fn(&Activation, u64) -> K,
    preemptible: impl Fn(usize, u64) -> bool,
) -> Vec<u64> {
    let mut done = vec![0; jobs.len()];
    let mut ends = vec![0; jobs.len()];
    let mut running: Option<usize> = None;
    let mut now = jobs.iter().map(|job| job.release).min().unwrap_or(0);
    while ends.contains(&0) {
        let held = running.filter(|&job| ends[job] == 0 && !preemptible(jobs[job].task, done[job]));
        let ready = (0..jobs.len()).filter(|&job| ends[job] == 0 && jobs[job].release <= now);
        running = held.or_else(|| ready.min_by_key(|&job| (key(&jobs[job], done[job]), jobs[job].arrival)));
        now += 1;
        if let Some(job) = running {
            done[job] += 1;
            ends[job] = if done[job] == jobs[job].work { now } else { 0 };
        }
    }
    ends
}

pub fn always(_: usize, _: u64) -> bool {
    true
}

pub fn never(_: usize, _: u64) -> bool {
    false
}

fn activation(task: usize, of: &Sporadic, arrival: u64, release: u64) -> Activation {
    let deadline = arrival + of.deadline.get();
    Activation { task, arrival, release, deadline, work: of.worst.get() }
}

/// The jobs of a task: the first is released at `first` with its full jitter, and the others as soon and as
/// often as they may be, up to `until`.
pub fn dense(task: usize, of: &Sporadic, first: u64, until: u64) -> Vec<Activation> {
    let arrivals = (0..).map(|job| first + job * of.period.get() - of.jitter.get());
    let arrivals = arrivals.take_while(|arrival| *arrival < until);
    arrivals.map(|arrival| activation(task, of, arrival, arrival.max(first))).collect()
}

/// All tasks arriving densely from [`START`] on.
pub fn all_dense(tasks: &[Sporadic], length: u64) -> Vec<Activation> {
    tasks.iter().enumerate().flat_map(|(task, of)| dense(task, of, START, START + length)).collect()
}

/// Random arrivals within the tasks' limits: most come as soon as they may.
pub fn random(tasks: &[Sporadic], length: u64, random: &mut Random) -> Vec<Activation> {
    let mut jobs = Vec::new();
    for (task, of) in tasks.iter().enumerate() {
        let mut arrival = START + random.within(0, of.period.get());
        let mut last = 0;
        while arrival < START + length {
            let release = arrival + *random.one_of(&[0, of.jitter.get(), random.0 % (of.jitter.get() + 1)]);
            last = release.max(last);
            jobs.push(activation(task, of, arrival, last));
            arrival += of.period.get() + *random.one_of(&[0, 0, 0, 1, 2, 7]);
        }
    }
    jobs
}

/// The longest response time of each task, from its arrivals.
pub fn longest(tasks: usize, jobs: &[Activation], ends: &[u64]) -> Vec<u64> {
    let mut longest = vec![0; tasks];
    for (job, end) in jobs.iter().zip(ends) {
        longest[job.task] = longest[job.task].max(end - job.arrival);
    }
    longest
}

/// Whether some job ends after its deadline.
pub fn misses(jobs: &[Activation], ends: &[u64]) -> bool {
    jobs.iter().zip(ends).any(|(job, end)| *end > job.deadline)
}

/// Two to four tasks that require less than the whole processor; deadlines from a third of the period to
/// twice the period, jitter for every other task.
pub fn tasks(random: &mut Random) -> Vec<Sporadic> {
    loop {
        let tasks: Vec<_> = (0..random.within(2, 4)).map(|_| task(random)).collect();
        if crate::sporadic::utilisation(&tasks).unwrap() < crate::Utilisation::ONE {
            return tasks;
        }
    }
}

fn task(random: &mut Random) -> Sporadic {
    let period = *random.one_of(&[4, 5, 6, 8, 10, 12, 15, 20]);
    let worst = random.within(1, period / 2);
    let deadline = random.within(worst.max(period / 3), random.0 % period + period);
    let jitter = *random.one_of(&[0, random.0 % (deadline - worst + 1)]);
    Sporadic::implicit(ticks(period), ticks(worst)).due(ticks(deadline)).released_within(ticks(jitter))
}
