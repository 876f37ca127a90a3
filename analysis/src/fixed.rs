//! Fixed bands: response-time analysis of Joseph and Pandya (1986).

use crate::demand::{Demand, Stream, finish};
use crate::failure::Failure;
use crate::fixed_priority::level::Level;
use crate::locks::Blocking;
use crate::ticks::Ticks;

/// The worst-case response time of each task of the band: that of its first job, when everything at least as
/// urgent starts together with it. If the deadline is within the period, a result beyond it may not be the
/// worst case, but it shows that the deadline isn't proved. For a task with a deadline beyond its period all
/// jobs are checked, until no work as urgent is left.
///
/// Tasks of equal priority count as interference for each other, whatever their order. A job that is released
/// late but still in time is done before the next one can come.
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
