//! Dynamic bands: earliest deadline first beneath the interference of all that runs above.
//!
//! For sporadic tasks that have the processor to themselves: [`holds`] and [`response_times`]. To the demand
//! criterion a task whose jobs are released up to `jitter` after they arrive is one with a deadline shorter
//! by as much, since both let as much be due in every window; to response times it isn't, since the release
//! that follows a late one may come sooner.

use crate::demand::{Demand, Patience, Rest, Stream, busy_period, finish_by};
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::{Ticks, sum};

pub mod blocking;
mod criterion;
mod horizon;
pub mod late;
pub mod non_preemptive;
mod sweep;

use sweep::Sweep;

pub(crate) use criterion::{Verdict, demand_verdict, verdict};

/// Whether all tasks meet their deadlines under preemptive earliest deadline first.
///
/// *Exact* for independent, preemptive sporadic tasks with arbitrary deadlines and release jitter on one
/// processor: the processor-demand criterion (Baruah, Rosier and Howell, *Algorithms and complexity
/// concerning the preemptive scheduling of periodic, real-time tasks on one processor*, 1990), visited as in
/// QPA (Zhang and Burns, *Schedulability analysis for real-time systems with EDF scheduling*, 2009, theorem
/// 5), the short ones first. Cost: a demand, linear in the number of tasks, for each window visited; these are few unless
/// utilisation is near one, and never more than [`Failure::STEP_LIMIT`].
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`] where utilisation is so near to one that no
/// bound on the windows is reached in so many steps.
pub fn holds(tasks: &[Sporadic]) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    meets_demand(&demands(tasks), &[], &Blocking::NONE)
}

/// The worst-case response time of each task under preemptive earliest deadline first, equal deadlines in any order.
///
/// Measured from arrivals, jitter included. *Exact* for independent, preemptive sporadic tasks with arbitrary deadlines
/// and release jitter on one processor: Spuri, *Analysis of deadline scheduled real-time systems* (1996), section 3.
/// Cost: the jobs of the busy period, sorted and looked at twice.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::Overload`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if the busy period
/// holds too many jobs, or never ends, as with jitter on a full processor.
pub fn response_times(tasks: &[Sporadic]) -> Result<Vec<Ticks>, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    sporadic::refuse_overload(tasks)?;
    responses(&demands(tasks), &[], &Blocking::NONE)
}

fn demands(tasks: &[Sporadic]) -> Vec<Demand> {
    tasks.iter().map(Sporadic::demand).collect()
}

/// Whether the band meets all deadlines however its tasks are phased.
pub(crate) fn meets_demand(band: &[Demand], above: &[Stream], blocking: &Blocking) -> Result<bool, Failure> {
    Ok(demand_verdict(band, above, blocking)? == Verdict::Holds)
}

/// When what is due in a window is done, if that is in the window.
pub(crate) fn done_in(
    band: &[Demand],
    above: &[Stream],
    window: Ticks,
    patience: &mut Patience,
) -> Result<Option<Ticks>, Failure> {
    let work = due(band, window)?;
    finish_by(work, above, Rest::beneath(above).earliest(work), window, patience)
}

/// Whether what is due is done in time in all windows from `shortest` up to `end`, excluded, if so much else
/// is in the way. The windows are visited backwards as in QPA: what is due in one, with that in the way, is
/// done at an instant from which on no window up to this one can fail.
fn holds_behind(band: &[Demand], in_the_way: Ticks, shortest: Ticks, end: Ticks) -> Result<bool, Failure> {
    let mut window = end.less(Ticks::new(1));
    for _ in 0..Failure::JOB_LIMIT {
        if window < shortest {
            return Ok(true);
        }
        let done = due(band, window)?.plus(in_the_way)?;
        if done > window {
            return Ok(false);
        }
        window = done.min(window).less(Ticks::new(1));
    }
    Err(Failure::TooLong)
}

/// The worst-case response time of each task of the band, by the deadline busy periods of Spuri (*Analysis of deadline
/// scheduled real-time systems*, 1996, section 3): the task's job is released at some point of a busy period that
/// all others start together. How all tasks are answered at once stands in `edf/sweep.rs`.
pub(crate) fn responses(
    band: &[Demand],
    above: &[Stream],
    blocking: &Blocking,
) -> Result<Vec<Ticks>, Failure> {
    let busy = busy_period(&streams(band, above), blocking.most())?;
    let jobs = sweep::jobs(band.iter(), busy, |task, arrival| arrival.plus(task.lead()))?;
    let mut deadlines: Vec<Ticks> = jobs.iter().map(|job| job.turn).chain(blocking.changes()).collect();
    deadlines.sort_unstable();
    deadlines.dedup();
    let mut sweep = Sweep::new(jobs, above, busy)?;
    let done = sweep.done(deadlines.into_iter(), |deadline| blocking.within(deadline))?;
    Ok(sweep::longest(&done, band.iter().map(|task| (task.lead(), task.deadline)))?)
}

fn due(band: &[Demand], window: Ticks) -> Result<Ticks, Failure> {
    Ok(sum(band.iter().map(|task| task.due(window)))?)
}

/// The last deadline before `end` when all start together; zero if there is none.
fn last_deadline_before(band: &[Demand], end: Ticks) -> Ticks {
    let last = |task: &Demand| {
        let jobs = task.jobs_due(end.less(Ticks::new(1)));
        let periods = task.stream.period.times(jobs.checked_sub(1)?).ok()?;
        periods.plus(task.lead()).ok()
    };
    band.iter().filter_map(last).max().unwrap_or(Ticks::ZERO)
}

fn streams(band: &[Demand], above: &[Stream]) -> Vec<Stream> {
    band.iter().map(|task| task.stream).chain(above.iter().copied()).collect()
}
