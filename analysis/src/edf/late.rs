//! Deadlines that count from releases: who is released late has a deadline as much later, and others may go before it.
//!
//! So does the kernel with threads that wake up when something happens: it can't know when they were to come. What is
//! promised is counted from the arrival all the same, so the order of deadlines isn't that of what is promised, and the
//! demand criterion alone says too little: it asks whether *some* order is in time.

use crate::demand::{Demand, Stream, busy_period, least_fixed_point, requested};
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::{Ticks, TimesTooLarge, sum};

/// The worst-case response time of each task under preemptive earliest deadline first, where a job's deadline decides
/// about its turn and counts from its release; equal deadlines in any order. Responses are measured from arrivals, jitter
/// included.
///
/// *Exact* for independent, preemptive sporadic tasks with arbitrary deadlines and release jitter on one processor, in
/// discrete time: Spuri, *Analysis of deadline scheduled real-time systems* (1996), section 3, with other arrivals. A job
/// that is as late as it may be was preceded by jobs that were no later, so those of its busy period came a period apart;
/// all others come as the jitter lets them, as many as possible at the start. Without jitter it is
/// [`edf::response_times`](super::response_times). Cost: as that.
///
/// # Errors
/// Those of [`edf::response_times`](super::response_times).
pub fn response_times(tasks: &[Sporadic]) -> Result<Vec<Ticks>, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    sporadic::refuse_overload(tasks)?;
    responses(&super::demands(tasks), &[], &Blocking::NONE)
}

/// The same for a band beneath what runs above it, if so much else is in the way. *Safe* with either. Their utilisation must
/// not exceed one.
pub(crate) fn responses(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Vec<Ticks>, Failure> {
    let busy = busy_period(&super::streams(band, above), blocking.most())?;
    let mut turns = turns_within(band, busy)?;
    turns.extend(blocking.changes());
    (0..band.len()).map(|index| Level { band, index, above, blocking }.response(busy, &turns)).collect()
}

/// Whether all jobs are done at their deadlines from the arrivals on; no where that can't be told.
pub(crate) fn holds(band: &[Demand], above: &[Stream], blocking: &Blocking) -> Result<bool, Failure> {
    Ok(super::meets_demand(band, above, blocking)? && first_late(band, above, blocking)?.is_none())
}

/// The first task of a band that meets its demand, but is late as it comes late, or would skip a release; the last where that
/// can't be told.
pub(crate) fn first_late(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Option<usize>, Failure> {
    if band.iter().all(|task| task.stream.jitter == Ticks::ZERO && task.limit == task.deadline) {
        return Ok(None);
    }
    match responses(band, above, blocking) {
        Ok(responses) => Ok(band.iter().zip(responses).position(|(task, response)| response > task.limit)),
        Err(Failure::TooLong) => Ok(band.len().checked_sub(1)),
        Err(failure) => Err(failure),
    }
}

/// One task of a band and all that may keep it from running.
struct Level<'a> {
    band: &'a [Demand],
    index: usize,
    above: &'a [Stream],
    blocking: &'a Blocking,
}

impl Level<'_> {
    fn own(&self) -> &Demand {
        &self.band[self.index]
    }

    /// The longest over all releases at which more comes before the job than just before; in between, it falls.
    fn response(&self, busy: Ticks, turns: &[Ticks]) -> Result<Ticks, Failure> {
        let Demand { stream, deadline, .. } = *self.own();
        let others = turns.iter().filter(|turn| **turn >= deadline).map(|turn| turn.less(deadline));
        let mut releases: Vec<Ticks> = others.collect();
        for job in 0..stream.releases(busy)? {
            releases.push(stream.period.times(job)?);
        }
        releases.retain(|release| *release < busy);
        releases.sort();
        releases.dedup();
        let (mut longest, mut finished, mut before) = (Ticks::ZERO, Ticks::ZERO, Ticks::ZERO);
        for release in releases {
            let turn = release.plus(deadline)?;
            let in_the_way = self.blocking.most_between(turn.less(stream.jitter), turn);
            // With as much in the way a later job is never done earlier.
            let earliest = if in_the_way < before { Ticks::ZERO } else { finished };
            let jobs = release.whole(stream.period).saturating_add(1);
            let own_work = stream.cost.times(jobs)?.plus(in_the_way)?;
            finished = self.finish(turn, own_work, earliest)?;
            before = in_the_way;
            longest = longest.max(finished.less(release).plus(stream.jitter)?);
        }
        Ok(longest)
    }

    /// When the job whose turn it is at a deadline is done, if equal ones go first; surely not before `earliest`.
    fn finish(&self, turn: Ticks, own_work: Ticks, earliest: Ticks) -> Result<Ticks, Failure> {
        least_fixed_point(own_work.max(earliest), |window| {
            let others = self.band.iter().enumerate().filter(|&(other, _)| other != self.index);
            let work = sum(others.map(|(_, other)| {
                let jobs = other.stream.releases(window)?.min(released_and_due(other, turn)?);
                other.stream.cost.times(jobs)
            }))?;
            Ok(own_work.plus(work)?.plus(requested(self.above, window)?)?)
        })
    }
}

/// How many jobs of a task can be released in a window and have deadlines in it.
fn released_and_due(task: &Demand, window: Ticks) -> Result<u64, TimesTooLarge> {
    match window < task.deadline {
        true => Ok(0),
        false => {
            let last = window.less(task.deadline).plus(task.stream.jitter)?;
            Ok(last.whole(task.stream.period).saturating_add(1))
        }
    }
}

/// The deadlines of all jobs that are released before `busy` ends, if all come as late at first and then as soon as they may.
fn turns_within(band: &[Demand], busy: Ticks) -> Result<Vec<Ticks>, Failure> {
    let jobs = band.iter().map(|task| task.stream.releases(busy)).collect::<Result<Vec<_>, _>>()?;
    if jobs.iter().fold(0u64, |total, jobs| total.saturating_add(*jobs)) > Failure::JOB_LIMIT.into() {
        return Err(Failure::TooLong);
    }
    let mut turns = Vec::new();
    for (task, jobs) in band.iter().zip(jobs) {
        for job in 0..jobs {
            let release = task.stream.period.times(job)?.less(task.stream.jitter);
            turns.push(release.plus(task.deadline)?);
        }
    }
    Ok(turns)
}
