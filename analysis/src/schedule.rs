//! The schedule with worst-case execution times, laid out from instant 0 until it repeats.

use crate::failure::{Failure, Miss};
use crate::model::System;
use crate::processor::Processor;
use crate::ticks::Ticks;

/// The position of a task in its [`System`].
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
    /// The task.
    pub task: TaskIndex,
    /// The instant from which it can run.
    pub release: Ticks,
    /// The instant by which it must be complete.
    pub deadline: Ticks,
}

/// What the processor works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// The alarm, the entry into system code, and releases.
    Kernel,
    /// A driver, with the kernel's part of its call.
    Driver(DriverIndex),
    /// A job, with its switches and its completion.
    Job(Job),
}

/// A stretch of time with the same work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The work.
    pub work: Work,
    /// The first instant.
    pub start: Ticks,
    /// The end, exclusive.
    pub end: Ticks,
}

/// A part of a schedule. Between segments the processor is idle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// The beginning.
    pub start: Ticks,
    /// The end, exclusive.
    pub end: Ticks,
    /// The segments, in order, without overlap.
    pub segments: Vec<Segment>,
    /// The jobs released in it, in order.
    pub releases: Vec<Job>,
}

/// The outcome of laying out the schedule.
pub(crate) enum Outcome {
    /// It repeats without a miss; the longest response times by band and task, for any order of equals: so a
    /// response beyond the deadline means a miss in another order.
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
/// It repeats once the pending work at a multiple of the hyperperiod after the last offset equals that of one
/// hyperperiod earlier. If the work exceeds the processor, this never happens.
pub(crate) fn lay_out(system: &System) -> Result<Outcome, Failure> {
    until_repeated(system, Processor::new(system))
}

/// The first missed deadline if one task goes after all its equals released with it, and jobs otherwise go in
/// the order of their releases. Even without one, a less usual order may miss.
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
