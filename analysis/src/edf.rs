//! Dynamic bands: earliest deadline first beneath the interference of all that runs above.

use crate::demand::{Demand, Stream, busy_period, finish, least_fixed_point, requested};
use crate::failure::Failure;
use crate::ticks::{Ticks, sum};

/// Whether the band meets all deadlines however its tasks are phased: the processor-demand criterion of Baruah, Rosier
/// and Howell (1990), visited backwards from the end of the busy period as in QPA (Zhang and Burns, 2009).
///
/// Deviation from both papers: the band has only what the streams above leave it, so that the work due in a window is
/// compared by the time at which it is *finished* beneath them. That time never falls as the window grows, which is
/// all that QPA needs.
pub(crate) fn meets_demand(band: &[Demand], above: &[Stream]) -> Result<bool, Failure> {
    let Some(shortest) = band.iter().map(|task| task.deadline).min() else { return Ok(true) };
    let busy = busy_period(&streams(band, above))?;
    let mut window = last_deadline_before(band, busy.plus(Ticks::new(1))?);
    for _ in 0..Failure::JOB_LIMIT {
        let finished = finish(due(band, window)?, above)?;
        if finished > window {
            return Ok(false);
        }
        if finished <= shortest || window <= shortest {
            // What is due in this window is done by the shortest deadline, so shorter windows hold.
            return Ok(true);
        }
        window = if finished < window { finished } else { last_deadline_before(band, window) };
    }
    Err(Failure::TooLong)
}

/// The worst-case response time of each task of the band, by the deadline busy periods of Spuri (*Analysis of deadline
/// scheduled real-time systems*, 1996, section 3): the task's job is released at some point of a busy period that
/// all others start together.
pub(crate) fn response_times(band: &[Demand], above: &[Stream]) -> Result<Vec<Ticks>, Failure> {
    let busy = busy_period(&streams(band, above))?;
    let deadlines = deadlines_within(band, busy)?;
    (0..band.len()).map(|index| response_time(band, index, above, busy, &deadlines)).collect()
}

/// The longest response over all releases that make the deadline coincide with some other one; in between, it falls.
/// A later deadline never lets the job finish earlier, so each search begins where the last one ended.
fn response_time(
    band: &[Demand],
    index: usize,
    above: &[Stream],
    busy: Ticks,
    deadlines: &[Ticks],
) -> Result<Ticks, Failure> {
    let (mut longest, mut finished) = (Ticks::ZERO, Ticks::ZERO);
    for &deadline in deadlines.iter().filter(|&&deadline| deadline >= band[index].deadline) {
        let release = deadline.less(band[index].deadline);
        if release < busy {
            finished = deadline_busy_period(band, index, above, deadline, finished)?;
            longest = longest.max(finished.less(release));
        }
    }
    Ok(longest)
}

/// When the job due at `deadline` is done, if jobs with an equal deadline go first; surely not before `earliest`.
fn deadline_busy_period(
    band: &[Demand],
    index: usize,
    above: &[Stream],
    deadline: Ticks,
    earliest: Ticks,
) -> Result<Ticks, Failure> {
    let own_work = band[index].due(deadline)?;
    least_fixed_point(own_work.max(earliest), |window| {
        let others = band.iter().enumerate().filter(|&(other, _)| other != index);
        let work = sum(others.map(|(_, other)| {
            let jobs = window.covered_by(other.stream.period).min(other.jobs_due(deadline));
            other.stream.cost.times(jobs)
        }))?;
        Ok(own_work.plus(work)?.plus(requested(above, window)?)?)
    })
}

/// All deadlines of jobs that are released before `busy` ends, in order, once each.
fn deadlines_within(band: &[Demand], busy: Ticks) -> Result<Vec<Ticks>, Failure> {
    let jobs = |task: &Demand| busy.covered_by(task.stream.period);
    let total = band.iter().fold(0u64, |total, task| total.saturating_add(jobs(task)));
    if total > Failure::JOB_LIMIT.into() {
        return Err(Failure::TooLong);
    }
    let mut deadlines = Vec::new();
    for task in band {
        for job in 0..jobs(task) {
            deadlines.push(task.stream.period.times(job)?.plus(task.deadline)?);
        }
    }
    deadlines.sort();
    deadlines.dedup();
    Ok(deadlines)
}

fn due(band: &[Demand], window: Ticks) -> Result<Ticks, Failure> {
    Ok(sum(band.iter().map(|task| task.due(window)))?)
}

/// The last deadline before `end` when all start together; zero if there is none.
fn last_deadline_before(band: &[Demand], end: Ticks) -> Ticks {
    let last = |task: &Demand| {
        let jobs = task.jobs_due(end.less(Ticks::new(1)));
        let periods = task.stream.period.times(jobs.checked_sub(1)?).ok()?;
        periods.plus(task.deadline).ok()
    };
    band.iter().filter_map(last).max().unwrap_or(Ticks::ZERO)
}

fn streams(band: &[Demand], above: &[Stream]) -> Vec<Stream> {
    band.iter().map(|task| task.stream).chain(above.iter().copied()).collect()
}
