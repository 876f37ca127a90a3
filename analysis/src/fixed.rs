//! Fixed bands: response-time analysis of Joseph and Pandya (1986).

use crate::demand::{Demand, Stream, finish};
use crate::failure::Failure;
use crate::fixed_priority::level::Level;
use crate::locks::Blocking;
use crate::ticks::Ticks;

/// The worst-case response time of each task of the band: its first job, when all that is at least as urgent starts
/// together with it. Where the deadline lies within the period, a result beyond it may not be the worst, but it tells
/// that the deadline is not proved. Of a task with a deadline beyond its period all jobs are looked at, up to where nothing as
/// urgent is left to do.
///
/// Tasks of equal priority count as interference of each other, whatever their order. A job that is released late and is
/// in time all the same is done before the next one can come.
pub(crate) fn response_times(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Vec<Ticks>, Failure> {
    (0..band.len()).map(|index| response_time(band, index, above, blocking.of_task(index))).collect()
}

fn response_time(band: &[Demand], index: usize, above: &[Stream], blocking: Ticks) -> Result<Ticks, Failure> {
    let task = &band[index];
    let others = band.iter().enumerate().filter(|&(other, _)| other != index);
    let as_urgent =
        others.filter(|(_, other)| other.priority >= task.priority).map(|(_, other)| other.stream);
    let interference: Vec<Stream> = above.iter().copied().chain(as_urgent).collect();
    if task.limit > task.stream.period {
        return Level { blocking, ..Level::preemptive(task.stream, &interference) }.response();
    }
    Ok(finish(task.stream.cost.plus(blocking)?, &interference)?.plus(task.stream.jitter)?)
}
