//! What a task's jobs usually meet between release and end: a job is late compared with the others.
//!
//! Medians are over all completed jobs, without sampling: taking every n-th job would beat with the trace's
//! periods. Once a job has begun, it is followed step by step, and no other job of its task at the same time,
//! so the total number of steps is no more than the trace has. Before that, any number of jobs may wait at
//! once; for that time, the threads' processor time is a difference of sums.

use std::collections::BTreeMap;

use beryl_abi::{Duration, Instant, ThreadId};

use super::{Cause, Step, is_idle, walk};
use crate::jobs::{History, Job};
use crate::names::Names;
use crate::track::Track;

/// How much of a job's response time one cause took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The cause.
    pub cause: Cause,
    /// Its time.
    pub length: Duration,
}

/// Medians over the jobs of a task that completed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usual {
    /// The number of these jobs.
    pub jobs: usize,
    /// The median response time; `None` if no job completed.
    pub response: Option<Duration>,
    /// The median of each cause's time, without causes that usually take none.
    pub parts: Vec<Part>,
}

impl Usual {
    pub(super) fn of(history: &History, names: &Names, task: ThreadId) -> Usual {
        let tracks = Tracks::of(history, names);
        let mut responses: Vec<Duration> = Vec::new();
        let mut causes: Vec<(Cause, Vec<Duration>)> = Vec::new();
        for job in history.jobs_of(task).filter(|job| job.response().is_some()) {
            responses.extend(job.response());
            for part in tracks.parts(job) {
                match causes.iter_mut().find(|(cause, _)| *cause == part.cause) {
                    Some((_, lengths)) => lengths.push(part.length),
                    None => causes.push((part.cause, vec![part.length])),
                }
            }
        }
        let jobs = responses.len();
        // A cause that doesn't appear in a job took no time there.
        let usual = |(cause, mut lengths): (Cause, Vec<Duration>)| {
            lengths.resize(jobs.max(lengths.len()), Duration::ZERO);
            Some(Part { cause, length: median(lengths)? }).filter(|part| part.length > Duration::ZERO)
        };
        Usual { jobs, response: median(responses), parts: causes.into_iter().filter_map(usual).collect() }
    }

    /// The usual time of a cause.
    #[must_use]
    pub fn of_cause(&self, cause: Cause) -> Duration {
        self.parts.iter().find(|part| part.cause == cause).map_or(Duration::ZERO, |part| part.length)
    }
}

/// The processor time of each thread, for sums over any window.
pub(super) struct Tracks<'a> {
    history: &'a History,
    names: &'a Names,
    threads: Vec<(ThreadId, Track)>,
}

impl<'a> Tracks<'a> {
    pub(super) fn of(history: &'a History, names: &'a Names) -> Tracks<'a> {
        let mut runs: BTreeMap<ThreadId, Vec<(Instant, Instant)>> = BTreeMap::new();
        for run in &history.runs {
            runs.entry(run.thread).or_default().push((run.from, run.to));
        }
        let threads = runs.into_iter().map(|(thread, runs)| (thread, Track::of(runs))).collect();
        Tracks { history, names, threads }
    }

    /// The parts of a job's time from release to end: the sums of its steps.
    pub(super) fn parts(&self, job: &Job) -> Vec<Part> {
        let Tracks { history, names, .. } = *self;
        let runs = &history.runs;
        let end = job.end.unwrap_or(history.span.1).max(job.release);
        let first = runs.partition_point(|run| run.to <= job.release);
        // Runs that are over when the job begins contain none of its waits.
        let begun = job.start.map_or(end, |start| start.min(end));
        let waited = first + runs[first..].partition_point(|run| run.to <= begun);
        let mut sums = Sums::default();
        let is_long = waited - first > 2 * self.threads.len();
        let (next, reached) = match waited.checked_sub(1).filter(|_| is_long) {
            Some(last) => (waited, runs[last].to),
            None => (first, job.release),
        };
        if reached > job.release {
            self.before(job, reached, &mut sums);
        }
        walk(history, names, job, (next, reached), |from, to, cause| sums.add(cause, to.since(from)));
        sums.0
    }

    /// What was done from a job's release up to an instant before it began.
    fn before(&self, job: &Job, until: Instant, sums: &mut Sums) {
        let mut told = Duration::ZERO;
        for (thread, track) in &self.threads {
            let had = track.covered(job.release, until);
            told = told.plus(had);
            if *thread == job.task {
                sums.add(Cause::EarlierJob, had);
            } else if is_idle(*thread, self.names) {
                let kernel = track.covered(job.release, job.told.clamp(job.release, until));
                sums.add(Cause::Kernel, kernel);
                sums.add(Cause::Idle, had.minus(kernel));
            } else {
                sums.add(Cause::Other(*thread), had);
            }
        }
        sums.add(Cause::Unknown, until.since(job.release).minus(told));
    }
}

/// Lengths by cause, in the order in which causes first appear.
#[derive(Default)]
struct Sums(Vec<Part>);

impl Sums {
    fn add(&mut self, cause: Cause, length: Duration) {
        if length == Duration::ZERO {
            return;
        }
        let cause = cause.summed();
        match self.0.iter_mut().find(|part| part.cause == cause) {
            Some(part) => part.length = part.length.plus(length),
            None => self.0.push(Part { cause, length }),
        }
    }
}

/// Sums the steps by cause.
pub(super) fn parts(steps: &[Step]) -> Vec<Part> {
    let mut sums = Sums::default();
    steps.iter().for_each(|step| sums.add(step.cause, step.to.since(step.from)));
    sums.0
}

/// The median, the lower one of two.
fn median(mut lengths: Vec<Duration>) -> Option<Duration> {
    let middle = lengths.len().checked_sub(1)? / 2;
    Some(*lengths.select_nth_unstable(middle).1)
}
