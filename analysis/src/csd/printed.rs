//! The paper's own test for CSD-x (EMERALDS, sections 5.5 and 5.7), as printed. **Unsafe**: for a task of a
//! dynamic band below another one it looks only at the first deadline, but there the first job needn't be the
//! worst. With the bands {3/10} and {3/12, 8/18} it says yes, and a deadline at 36 is missed. It is kept to
//! reproduce the paper's figures and as a negative control. Use [`csd::holds`](super::holds).

use super::Late;
use crate::demand::Stream;
use crate::failure::Failure;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::{Ticks, sum};
use crate::utilisation::exceed_one;

/// The verdict of the paper's test; it may say yes although deadlines are missed. For implicit deadlines
/// without jitter; tasks in the order of their periods, `dynamic` as in [`csd::holds`](super::holds). With
/// more than two dynamic bands, each one below another is tested as the paper tests its DP2. Cost: a fixed
/// point, linear in the number of tasks per step, for each task.
///
/// # Errors
/// [`Failure::Invalid`], also for jitter and for other deadlines or orders; [`Failure::TimesTooLarge`];
/// [`Failure::TooLong`].
pub fn holds(tasks: &[Sporadic], dynamic: &[usize]) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Implicit)?;
    sporadic::in_order_of_periods(tasks)?;
    let ends = super::ends(dynamic, tasks.len())?;
    let streams: Vec<Stream> = tasks.iter().map(Sporadic::stream).collect();
    Ok(late(&streams, &ends)?.is_none())
}

/// The first task or window that the test finds late.
pub(crate) fn late(streams: &[Stream], ends: &[usize]) -> Result<Option<Late>, Failure> {
    let dynamic = ends.last().copied().unwrap_or(0);
    if exceed_one(streams[..dynamic].iter().map(|stream| (stream.cost, stream.period)))? {
        return Ok(Some(Late::All));
    }
    let first_band = ends.first().copied().unwrap_or(0);
    for task in first_band..streams.len() {
        if is_late(streams, ends, task)? {
            return Ok(Some(Late::Task(task)));
        }
    }
    Ok(None)
}

/// Whether no instant up to the deadline has room for the task's first job and everything that goes before
/// it.
pub(crate) fn is_late(streams: &[Stream], ends: &[usize], task: usize) -> Result<bool, Failure> {
    let deadline = streams[task].period;
    let (start, end) = match ends.iter().position(|&end| task < end) {
        None => (task, task + 1),
        Some(band) => (band.checked_sub(1).map_or(0, |before| ends[before]), ends[band]),
    };
    let mut window = Ticks::new(1);
    for _ in 0..Failure::JOB_LIMIT {
        let above: Ticks = sum(streams[..start].iter().map(|other| other.requested(window)))?;
        let beside: Ticks = sum(streams[start..end].iter().map(|other| {
            let jobs = window.covered_by(other.period);
            let last_due = other.period.times(jobs)?;
            other.cost.times(if last_due <= deadline { jobs } else { jobs - 1 })
        }))?;
        let work = above.plus(beside)?;
        if work > deadline {
            return Ok(true);
        }
        if work <= window {
            return Ok(false);
        }
        window = work;
    }
    Err(Failure::TooLong)
}
