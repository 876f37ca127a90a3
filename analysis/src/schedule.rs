//! The schedule with worst-case execution times, laid out from instant 0 until it repeats.

use crate::failure::{Failure, Miss};
use crate::model::System;
use crate::processor::Processor;
use crate::ticks::Ticks;

/// Where a task stands in its [`System`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskIndex {
    /// Position of the band.
    pub band: usize,
    /// Position within the band.
    pub task: usize,
}

/// Position of a driver in [`System::interference`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DriverIndex(pub usize);

/// One activation of a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Job {
    /// Whose.
    pub task: TaskIndex,
    /// The instant from which it can run.
    pub release: Ticks,
    /// The instant by which it must be complete.
    pub deadline: Ticks,
}

/// What the processor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The alarm, the entry into system code, and releases.
    Kernel,
    /// A driver, with the kernel's part of its call.
    Driver(DriverIndex),
    /// A job, with its switches and its completion.
    Job(Job),
}

/// A stretch of time with one work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What is done.
    pub work: Work,
    /// From this instant on.
    pub start: Ticks,
    /// Until this one, exclusive.
    pub end: Ticks,
}

/// A part of a schedule. Between segments the processor is idle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Where the part begins.
    pub start: Ticks,
    /// Where it ends, exclusive.
    pub end: Ticks,
    /// What is done, in order, without overlap.
    pub segments: Vec<Segment>,
    /// The jobs released in it, in order.
    pub releases: Vec<Job>,
}

/// What laying out the schedule tells.
pub(crate) enum Outcome {
    /// It repeats without a miss; by band and task the longest response times, whoever of equals goes first: so one that is beyond its
    /// deadline says that it is missed in another order.
    Repeats(Vec<Vec<Ticks>>),
    Missed(Box<Miss>),
    TooLong,
}

/// The schedule from instant 0 to `end`, or to the first missed deadline.
///
/// # Errors
/// [`Failure::Invalid`], [`Failure::TimesTooLarge`], or [`Failure::TooLong`] if it holds too many jobs.
pub fn timeline(system: &System, end: Ticks) -> Result<Schedule, Failure> {
    system.validate()?;
    let mut processor = Processor::new(system);
    while processor.now < end && processor.late().is_none() {
        processor.step(end)?;
        if processor.admitted > Failure::JOB_LIMIT {
            return Err(Failure::TooLong);
        }
    }
    Ok(Schedule { end: processor.now, ..processor.past })
}

/// Lays the schedule out until it repeats, misses a deadline, or is too long.
///
/// It repeats from then on when the pending work at one multiple of the hyperperiod after the last offset is that of
/// one hyperperiod before. If the work is more than the processor can do, this never happens.
pub(crate) fn lay_out(system: &System) -> Result<Outcome, Failure> {
    until_repeated(system, Processor::new(system))
}

/// The first missed deadline if one task goes behind all its equals that are released with it, and else the order is that in which jobs
/// are released. In orders that are less usual it may miss one all the same.
pub(crate) fn miss_behind_equals(system: &System, last: TaskIndex) -> Result<Option<Box<Miss>>, Failure> {
    match until_repeated(system, Processor::with_last(system, last))? {
        Outcome::Missed(miss) => Ok(Some(miss)),
        Outcome::Repeats(_) | Outcome::TooLong => Ok(None),
    }
}

fn until_repeated(system: &System, mut processor: Processor) -> Result<Outcome, Failure> {
    let Ok(hyperperiod) = system.hyperperiod() else { return until_missed(processor) };
    let mut checkpoint = system.sequences().map(|(_, offset)| offset).max().unwrap_or(Ticks::ZERO);
    let mut pending_before = None;
    loop {
        if let Some(outcome) = processor.run(checkpoint)? {
            return Ok(outcome);
        }
        let pending = processor.pending();
        if pending_before.as_ref() == Some(&pending) {
            return Ok(Outcome::Repeats(processor.responses));
        }
        pending_before = Some(pending);
        let Ok(next) = checkpoint.plus(hyperperiod) else { return until_missed(processor) };
        checkpoint = next;
    }
}

fn until_missed(mut processor: Processor) -> Result<Outcome, Failure> {
    Ok(processor.run(Ticks::new(u64::MAX))?.unwrap_or(Outcome::TooLong))
}
