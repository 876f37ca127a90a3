//! Why a job was late or early: who had the processor between its release and its end, step by step.
//!
//! The chain is built from releases, switches, completions, drivers and faults, and from what notes tell of waits, locks and
//! interrupts. A trace may be without those: where the processor was idle then although the job wasn't done, the job waited
//! for something; what it was, the chain can't say, and says so.

mod text;
mod usual;

use beryl_abi::{Awaited, Duration, Instant, ThreadId};

use crate::jobs::{History, Job, Outcome};
use crate::names::{Names, ThreadKind};
use crate::waits::Waited;

pub use usual::{Part, Usual};

/// The chain of one job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The job.
    pub job: Job,
    /// It is the so-many-th of its task, counted from 1.
    pub number: usize,
    /// What happened from its release to its end, without gaps.
    pub steps: Vec<Step>,
    /// The same, summed up by cause, in the order in which causes first appear.
    pub parts: Vec<Part>,
    /// What other jobs of the task usually meet.
    pub usual: Usual,
}

/// One stretch of time in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// When it begins.
    pub from: Instant,
    /// When it ends.
    pub to: Instant,
    /// Who had the processor, and why not the job.
    pub cause: Cause,
}

/// What a stretch of time between a job's release and its end was used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cause {
    /// The job had the processor.
    Own,
    /// An earlier job of the same task had it.
    EarlierJob,
    /// Another thread had it.
    Other(ThreadId),
    /// The kernel hadn't released it yet, though its instant had come; no thread had the processor.
    Kernel,
    /// The job waited for a lock: `runs` had the processor meanwhile, whoever holds the lock.
    Lock {
        /// What kind of lock.
        awaited: Awaited,
        /// Its number.
        object: u8,
        /// Who had it when the wait began.
        owner: ThreadId,
        /// Who had the processor.
        runs: ThreadId,
    },
    /// The job waited for something else, whoever had the processor meanwhile.
    Wait {
        /// For what.
        awaited: Awaited,
        /// The number of the object, if it is about one.
        object: u8,
    },
    /// Nobody had it: the job waited for something that the trace doesn't tell.
    Idle,
    /// The trace tells nothing about this time.
    Unknown,
}

impl Cause {
    /// The same for a sum: a lock is one cause, whoever has it and whoever runs meanwhile.
    #[must_use]
    pub fn summed(self) -> Cause {
        let none = ThreadId::NONE;
        match self {
            Cause::Lock { awaited: Awaited::Call, object, .. } => {
                Cause::Lock { awaited: Awaited::Reply, object, owner: none, runs: none }
            }
            Cause::Lock { awaited, object, .. } => Cause::Lock { awaited, object, owner: none, runs: none },
            other => other,
        }
    }
}

impl Chain {
    /// The chain of the job at a position of `history.jobs`; nothing if there is none.
    #[must_use]
    pub fn of(history: &History, names: &Names, position: usize) -> Option<Chain> {
        let job = *history.jobs.get(position)?;
        let steps = steps(history, names, &job);
        let number = history.jobs[..=position].iter().filter(|other| other.task == job.task).count();
        let usual = Usual::of(history, names, job.task);
        Some(Chain { job, number, parts: usual::parts(&steps), steps, usual })
    }

    /// The last instant that the chain tells about.
    #[must_use]
    pub fn end(&self) -> Instant {
        self.steps.last().map_or(self.job.release, |step| step.to)
    }

    /// How long after its deadline the job ended; nothing if it was in time, or never ended.
    #[must_use]
    pub fn lateness(&self) -> Option<Duration> {
        let end = self.job.end.filter(|_| self.job.outcome == Outcome::Missed)?;
        Some(end.since(self.job.deadline))
    }
}

/// What happened between a job's release and its end, or the end of the trace.
fn steps(history: &History, names: &Names, job: &Job) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let first = history.runs.partition_point(|run| run.to <= job.release);
    walk(history, names, job, (first, job.release), |from, to, cause| match steps.last_mut() {
        Some(last) if last.cause == cause => last.to = to,
        _ => steps.push(Step { from, to, cause }),
    });
    steps
}

/// Tells what time was used for, stretch by stretch, from an instant at which a job was open, and the run that reaches over it,
/// until its end or the end of the trace.
fn walk(
    history: &History,
    names: &Names,
    job: &Job,
    (first, begin): (usize, Instant),
    mut tell: impl FnMut(Instant, Instant, Cause),
) {
    let end = job.end.unwrap_or(history.span.1).max(job.release);
    let mut reached = begin;
    let mut push = |from: Instant, to: Instant, cause: Cause| {
        if from < to {
            tell(from, to, cause);
        }
    };
    for run in history.runs[first..].iter().take_while(|run| run.from < end) {
        push(reached, run.from, Cause::Unknown);
        let (from, to) = (run.from.max(job.release), run.to.min(end));
        let wait = waited(history, job, from);
        if run.thread == job.task {
            // One run may serve several jobs, one after the other.
            let start = job.start.unwrap_or(to).clamp(from, to.max(from));
            push(from, start, Cause::EarlierJob);
            push(start, to, Cause::Own);
        } else if let Some(wait) = wait {
            push(from, to, cause_of(wait, run.thread));
        } else if is_idle(run.thread, names) {
            let told = job.told.clamp(from, to.max(from));
            push(from, told, Cause::Kernel);
            push(told, to, Cause::Idle);
        } else {
            push(from, to, Cause::Other(run.thread));
        }
        reached = run.to.min(end);
    }
    push(reached, end, Cause::Unknown);
}

/// What a job waits for at an instant. Until its thread has been released it waits for that, and for nothing else.
fn waited<'a>(history: &'a History, job: &Job, at: Instant) -> Option<&'a Waited> {
    let has_begun = job.start.is_some_and(|start| start <= at);
    history.waits.at(job.task, at).filter(|wait| has_begun && wait.awaited != Awaited::Period)
}

fn cause_of(wait: &Waited, runs: ThreadId) -> Cause {
    let Waited { awaited, object, .. } = *wait;
    match wait.owner {
        Some(owner) => Cause::Lock { awaited, object, owner, runs },
        None => Cause::Wait { awaited, object },
    }
}

fn is_idle(thread: ThreadId, names: &Names) -> bool {
    names.known_thread(thread).is_some_and(|known| known.kind == ThreadKind::Idle)
}

/// The open job of a thread at an instant: the one that its time was spent on.
fn job_at(history: &History, thread: ThreadId, at: Instant) -> Option<&Job> {
    let is_open = |job: &&Job| job.told <= at && job.end.is_none_or(|end| at < end);
    history.jobs_of(thread).take_while(|job| job.told <= at).find(is_open)
}

#[cfg(test)]
mod tests;
