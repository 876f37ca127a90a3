//! Deadlines that count from releases: a job released late has a deadline that is later by as much, so others
//! may go before it.
//!
//! The kernel does so for threads that wake up on an event: it can't know when they should have arrived. The
//! guarantee still counts from the arrival, so the order of the deadlines isn't that of the guarantees, and
//! the demand criterion isn't enough: it asks whether *some* order is in time.

use super::sweep::{self, Sweep};
use crate::demand::{Demand, Stream, busy_period};
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::{Ticks, TimesTooLarge};

/// The worst-case response time of each task under preemptive earliest deadline first, where a job's turn
/// goes by a deadline that counts from its release; equal deadlines in any order. Responses are measured from
/// arrivals, including jitter.
///
/// *Exact* for independent, preemptive sporadic tasks with arbitrary deadlines and release jitter on one
/// processor, in discrete time: Spuri, *Analysis of deadline scheduled real-time systems* (1996), section 3,
/// with other arrivals. A job that is as late as it may be was preceded by jobs that were no later, so those
/// of its busy period came a period apart; all other jobs come as the jitter allows, as many as possible at
/// the start. Without jitter it is [`edf::response_times`](super::response_times). Cost: the same, and once
/// more for each task with jitter.
///
/// # Errors
/// Those of [`edf::response_times`](super::response_times).
pub fn response_times(tasks: &[Sporadic]) -> Result<Vec<Ticks>, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    sporadic::refuse_overload(tasks)?;
    responses(&super::demands(tasks), &[], &Blocking::NONE)
}

/// The same for a band below everything above it, with blocking. *Safe* with either. Their utilisation must
/// not exceed one. If the deadlines of a task's jobs differ, this is for jobs with the shortest.
pub(crate) fn responses(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Vec<Ticks>, Failure> {
    responses_of(band, above, blocking, |task| task.deadline)
}

/// The same for any jobs: those with the longest deadlines wait the longest. *Safe*: other jobs, and the
/// task's own earlier ones, count with their shortest deadlines.
pub(crate) fn longest_responses(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Vec<Ticks>, Failure> {
    responses_of(band, above, blocking, |task| task.latest)
}

/// For jobs with deadlines of `own`, no shorter than the shortest.
fn responses_of(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
    own: impl Fn(&Demand) -> Ticks,
) -> Result<Vec<Ticks>, Failure> {
    if band.iter().any(|task| task.is_share) {
        return super::shares::responses(band, above, blocking, own);
    }
    let busy = busy_period(&super::streams(band, above), blocking.most())?;
    let jobs = sweep::jobs(band.iter(), busy, own_turn)?;
    let of_jobs = jobs.iter().map(|job| job.turn);
    let mut turns: Vec<Ticks> = of_jobs.chain(blocking.changes()).chain(band.iter().map(&own)).collect();
    turns.sort_unstable();
    turns.dedup();
    let mut sweep = Sweep::new(jobs, above, busy)?;
    let done = sweep.done(turns.iter().copied(), |turn| blocking.within(turn))?;
    let mut longest = sweep::longest(&done, band.iter().map(|task| (own(task), own(task))))?;
    for (index, longest) in longest.iter_mut().enumerate() {
        if band[index].stream.jitter > Ticks::ZERO {
            let deadline = own(&band[index]);
            *longest = Level { band, index, above, blocking }.response(deadline, busy, &turns)?;
        }
    }
    Ok(longest)
}

/// The deadline that decides the turn of a job that comes as early as it may.
fn own_turn(task: &Demand, arrival: Ticks) -> Result<Ticks, TimesTooLarge> {
    arrival.less(task.stream.jitter).plus(task.deadline)
}

/// Whether all jobs are done by their deadlines from the arrivals; no if that can't be decided.
pub(crate) fn holds(band: &[Demand], above: &[Stream], blocking: &Blocking) -> Result<bool, Failure> {
    Ok(super::meets_demand(band, above, blocking)? && first_late(band, above, blocking)?.is_none())
}

/// The first task of a band that meets its demand but is late because of late releases, or would skip a
/// release; the last one if that can't be decided.
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

/// A task of a band that may be released late, and everything that may keep it from running.
struct Level<'a> {
    band: &'a [Demand],
    index: usize,
    above: &'a [Stream],
    blocking: &'a Blocking,
}

impl Level<'_> {
    /// Its own jobs come a period apart, and the last one as late as it may, so more work may precede it than
    /// precedes a deadline.
    fn response(&self, deadline: Ticks, busy: Ticks, turns: &[Ticks]) -> Result<Ticks, Failure> {
        let Demand { stream, .. } = self.band[self.index];
        let others = self.band.iter().enumerate().filter(|(other, _)| *other != self.index);
        let mut jobs = sweep::jobs(others.map(|(_, task)| task), busy, own_turn)?;
        let own = self.band[self.index..].iter().take(1);
        let own = sweep::jobs(own, busy, |task, arrival| arrival.plus(task.deadline))?;
        let mut turns: Vec<Ticks> = own.iter().map(|job| job.turn).chain(turns.iter().copied()).collect();
        turns.sort_unstable();
        turns.dedup();
        jobs.extend(own);
        let mut sweep = Sweep::new(jobs, self.above, busy)?;
        let in_the_way = |turn: Ticks| self.blocking.most_between(turn.less(stream.jitter), turn);
        let done = sweep.done(turns.into_iter(), in_the_way)?;
        let longest = sweep::longest(&done, std::iter::once((deadline, deadline)))?;
        Ok(longest.first().copied().unwrap_or(Ticks::ZERO).plus(stream.jitter)?)
    }
}
