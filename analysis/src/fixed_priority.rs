//! Fixed priorities for sporadic tasks alone on the processor. Lists are in priority order, the most urgent
//! task first; [`assignment`] finds such an order.

use crate::demand::Stream;
use crate::failure::Failure;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::Ticks;

pub mod assignment;
pub mod blocking;
pub(crate) mod level;
pub mod limited;
pub mod offsets;

use level::Level;

/// Whether all tasks meet their deadlines under preemptive fixed priorities. `blocking` is how long less
/// urgent tasks may block each task, by position; missing entries are zero. [`blocking`] computes it for
/// locks.
///
/// Without blocking *exact* for independent, preemptive sporadic tasks with arbitrary deadlines and release
/// jitter on one processor: Lehoczky, *Fixed priority scheduling of periodic task sets with arbitrary
/// deadlines* (1990), with the jitter of Tindell, Burns and Wellings, *An extendible approach for analyzing
/// fixed priority hard real-time tasks* (1994). With blocking *safe*. Cost: a fixed point, linear in the
/// number of tasks per step, for each job in each task's busy period.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if a busy period holds too many
/// jobs.
pub fn holds(tasks: &[Sporadic], blocking: &[Ticks]) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    let streams = streams(tasks);
    for (index, task) in tasks.iter().enumerate() {
        let level = level(&streams, index, blocking);
        if level.response_within(task.deadline)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The worst-case response time of each task under preemptive fixed priorities, from its arrivals, jitter
/// included. Model, class, source and cost are those of [`holds`].
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::Overload`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if a busy
/// period holds too many jobs, or never ends, as with blocking on a full processor.
pub fn response_times(tasks: &[Sporadic], blocking: &[Ticks]) -> Result<Vec<Ticks>, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    sporadic::refuse_overload(tasks)?;
    let streams = streams(tasks);
    (0..tasks.len()).map(|index| level(&streams, index, blocking).response()).collect()
}

fn level<'a>(streams: &'a [Stream], index: usize, blocking: &[Ticks]) -> Level<'a> {
    let blocking = blocking.get(index).copied().unwrap_or(Ticks::ZERO);
    Level { blocking, ..Level::preemptive(streams[index], &streams[..index]) }
}

fn streams(tasks: &[Sporadic]) -> Vec<Stream> {
    tasks.iter().map(Sporadic::stream).collect()
}
