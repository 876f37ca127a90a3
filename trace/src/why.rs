//! Why a job was late or early: which thread had the processor between its release and its end, step by step.
//!
//! The chain is built from releases, switches, completions, drivers and faults, and from notes about waits,
//! locks and interrupts. A trace may lack those notes: if the processor was idle although the job wasn't
//! done, the job waited for something; the chain then says that the cause is unknown.

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
    /// The job's number within its task, from 1.
    pub number: usize,
    /// What happened from its release to its end, without gaps.
    pub steps: Vec<Step>,
    /// The same, summed up by cause, in the order in which causes first appear.
    pub parts: Vec<Part>,
    /// What the task's jobs usually meet.
    pub usual: Usual,
}

/// One stretch of time in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// When it begins.
    pub from: Instant,
    /// When it ends.
    pub to: Instant,
    /// Which thread had the processor, and why the job didn't.
    pub cause: Cause,
}

/// The use of a stretch of time between a job's release and its end.
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
    /// The job waited for a lock; meanwhile `runs` had the processor, whichever thread held the lock.
    Lock {
        /// The kind of lock.
        awaited: Awaited,
        /// Its number.
        object: u8,
        /// The owner when the wait began.
        owner: ThreadId,
        /// The thread that had the processor.
        runs: ThreadId,
    },
    /// The job waited for something else, whichever thread had the processor.
    Wait {
        /// What it waited for.
        awaited: Awaited,
        /// The number of the object, if there is one.
        object: u8,
    },
    /// No thread had it: the job waited for something that isn't in the trace.
    Idle,
    /// The trace has nothing about this time.
    Unknown,
}

impl Cause {
    /// The cause to use in sums: a lock is one cause, whichever thread owns it or runs meanwhile.
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
    /// The chain of the job at an index of `history.jobs`, if there is one.
    #[must_use]
    pub fn of(history: &History, names: &Names, position: usize) -> Option<Chain> {
        let job = *history.jobs.get(position)?;
        let steps = steps(history, names, &job);
        let number = history.jobs[..=position].iter().filter(|other| other.task == job.task).count();
        let usual = Usual::of(history, names, job.task);
        Some(Chain { job, number, parts: usual::parts(&steps), steps, usual })
    }

    /// The last instant of the chain.
    #[must_use]
    pub fn end(&self) -> Instant {
        self.steps.last().map_or(self.job.release, |step| step.to)
    }

    /// How long after its deadline the job ended; `None` if it was in time, or never ended.
    #[must_use]
    pub fn lateness(&self) -> Option<Duration> {
        let end = self.job.end.filter(|_| self.job.outcome == Outcome::Missed)?;
        Some(end.since(self.job.deadline))
    }
}

/// The steps between a job's release and its end, or the end of the trace.
fn steps(history: &History, names: &Names, job: &Job) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let first = history.runs.partition_point(|run| run.to <= job.release);
    walk(history, names, job, (first, job.release), |from, to, cause| match steps.last_mut() {
        Some(last) if last.cause == cause => last.to = to,
        _ => steps.push(Step { from, to, cause }),
    });
    steps
}

/// Walks through the stretches of time and their uses, from an instant at which a job was open and the run
/// across it, to the job's end or the end of the trace.
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
            // One run may serve several jobs in turn.
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

/// The object that a job waits for at an instant. Before its thread is released, it waits only for that.
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

/// The open job of a thread at an instant: the one being worked on.
fn job_at(history: &History, thread: ThreadId, at: Instant) -> Option<&Job> {
    let is_open = |job: &&Job| job.told <= at && job.end.is_none_or(|end| at < end);
    history.jobs_of(thread).take_while(|job| job.told <= at).find(is_open)
}

#[cfg(test)]
mod tests;
