//! Limited preemption: jobs are cut into chunks, and between two chunks the most urgent job continues.
//!
//! Time is discrete: jobs arrive and begin at whole ticks, so a blocking chunk has begun at least one tick
//! earlier.

use super::level::Level;
use super::streams;
use crate::failure::{Failure, Fault};
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::Ticks;

/// A task whose jobs are preempted only between chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Chunked {
    /// The task.
    pub task: Sporadic,
    /// The longest chunk, which may block more urgent tasks; positive, at most the execution time.
    pub longest: Ticks,
    /// The last chunk: once it has begun, nothing delays the job; positive, at most the longest.
    pub last: Ticks,
}

impl Chunked {
    /// Preemptible anywhere: chunks of one tick.
    pub const fn preemptive(task: Sporadic) -> Chunked {
        Chunked { task, longest: Ticks::new(1), last: Ticks::new(1) }
    }

    /// Not preemptible: one chunk.
    pub const fn whole(task: Sporadic) -> Chunked {
        Chunked { task, longest: task.worst, last: task.worst }
    }
}

/// The worst-case response time of each task, from its arrivals; tasks in priority order, the most urgent
/// first.
///
/// *Exact* for independent sporadic tasks with arbitrary deadlines and release jitter on one processor in
/// discrete time, whose jobs are cut at fixed places: Bril, Lukkien and Verhaegh, *Worst-case response time
/// analysis of real-time tasks under fixed-priority scheduling with deferred preemption* (2009). For jobs of
/// one chunk it is the analysis of George, Rivierre and Spuri (1996). It includes the second and later jobs
/// of a busy period, which Davis, Burns, Bril and Lukkien (*Controller Area Network (CAN) schedulability
/// analysis: refuted, revisited and revised*, 2007) found missing elsewhere. If the places of chunks aren't
/// known, give `last` as 1: then it is *safe*. Cost: as [`response_times`](super::response_times).
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::Overload`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if a busy
/// period holds too many jobs, or never ends, as with chunks on a full processor.
pub fn response_times(tasks: &[Chunked]) -> Result<Vec<Ticks>, Failure> {
    let plain = validate(tasks)?;
    sporadic::refuse_overload(&plain)?;
    let streams = streams(&plain);
    (0..tasks.len()).map(|index| level(tasks, &streams, index).response()).collect()
}

/// Whether all tasks meet their deadlines. Model, class and source are those of [`response_times`].
///
/// # Errors
/// As [`response_times`], but an overload is a no.
pub fn holds(tasks: &[Chunked]) -> Result<bool, Failure> {
    let streams = streams(&validate(tasks)?);
    for (index, chunked) in tasks.iter().enumerate() {
        if level(tasks, &streams, index).response_within(chunked.task.deadline)?.is_none() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn level<'a>(tasks: &[Chunked], streams: &'a [crate::demand::Stream], index: usize) -> Level<'a> {
    let in_the_way =
        tasks[index + 1..].iter().map(|less_urgent| less_urgent.longest.less(Ticks::new(1))).max();
    Level {
        blocking: in_the_way.unwrap_or(Ticks::ZERO),
        last: tasks[index].last,
        ..Level::preemptive(streams[index], &streams[..index])
    }
}

fn validate(tasks: &[Chunked]) -> Result<Vec<Sporadic>, Failure> {
    let plain: Vec<Sporadic> = tasks.iter().map(|chunked| chunked.task).collect();
    sporadic::validate(&plain, Deadlines::Arbitrary)?;
    let in_range = |chunked: &Chunked| {
        let Chunked { task, longest, last } = *chunked;
        Ticks::ZERO < last && last <= longest && longest <= task.worst
    };
    match tasks.iter().position(|chunked| !in_range(chunked)) {
        Some(index) => Err(Failure::Invalid { name: format!("task {index}"), fault: Fault::ChunkOutOfRange }),
        None => Ok(plain),
    }
}
