//! Dynamic bands: earliest deadline first under the interference of everything above.
//!
//! For sporadic tasks alone on the processor: [`holds`] and [`response_times`]. To the demand criterion, a
//! task whose jobs are released up to `jitter` after their arrival is the same as one whose deadline is
//! shorter by that much, since both have the same work due in every window. For response times it isn't,
//! since the next release after a late one may come sooner.

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
mod shares;
mod sweep;

use sweep::Sweep;

pub(crate) use criterion::{Verdict, demand_verdict, verdict};

/// Whether all tasks meet their deadlines under preemptive earliest deadline first.
///
/// *Exact* for independent, preemptive sporadic tasks with arbitrary deadlines and release jitter on one
/// processor: the processor-demand criterion (Baruah, Rosier and Howell, *Algorithms and complexity
/// concerning the preemptive scheduling of periodic, real-time tasks on one processor*, 1990). Windows are
/// visited as in QPA (Zhang and Burns, *Schedulability analysis for real-time systems with EDF scheduling*,
/// 2009, theorem 5), the short ones first. Cost: a demand, linear in the number of tasks, for each window
/// visited; these are few unless utilisation is near one, and never more than [`Failure::STEP_LIMIT`].
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if utilisation is so near one that
/// no bound on the windows is reached in that many steps.
pub fn holds(tasks: &[Sporadic]) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    meets_demand(&demands(tasks), &[], &Blocking::NONE)
}

/// The worst-case response time of each task under preemptive earliest deadline first, with equal deadlines
/// in any order.
///
/// Measured from arrivals, including jitter. *Exact* for independent, preemptive sporadic tasks with
/// arbitrary deadlines and release jitter on one processor: Spuri, *Analysis of deadline scheduled real-time
/// systems* (1996), section 3. Cost: the jobs of the busy period, sorted and visited twice.
///
/// # Errors
/// [`Failure::Invalid`]; [`Failure::Overload`]; [`Failure::TimesTooLarge`]; [`Failure::TooLong`] if the busy
/// period holds too many jobs, or never ends, as with jitter on a full processor.
pub fn response_times(tasks: &[Sporadic]) -> Result<Vec<Ticks>, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    sporadic::refuse_overload(tasks)?;
    responses(&demands(tasks), &[], &Blocking::NONE)
}

fn demands(tasks: &[Sporadic]) -> Vec<Demand> {
    tasks.iter().map(Sporadic::demand).collect()
}

/// Whether the band meets all deadlines for any phasing of its tasks.
pub(crate) fn meets_demand(band: &[Demand], above: &[Stream], blocking: &Blocking) -> Result<bool, Failure> {
    Ok(demand_verdict(band, above, blocking)? == Verdict::Holds)
}

/// When the work due in a window is done, if that is within the window.
pub(crate) fn done_in(
    band: &[Demand],
    above: &[Stream],
    window: Ticks,
    patience: &mut Patience,
) -> Result<Option<Ticks>, Failure> {
    let work = due(band, window)?;
    finish_by(work, above, Rest::beneath(above).earliest(work), window, patience)
}

/// Whether the due work is done in time in all windows from `shortest` up to `end`, exclusive, with
/// `in_the_way` as blocking. Windows are visited backwards as in QPA: the work due in one of them is done,
/// blocking included, at some instant, and no window from that instant up to this one can fail.
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

/// The worst-case response time of each task of the band, by the deadline busy periods of Spuri (*Analysis of
/// deadline scheduled real-time systems*, 1996, section 3): the task's job is released at some point of a
/// busy period that all others start together. `edf/sweep.rs` explains how to compute all of them at once.
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

/// The last deadline before `end` if all start together; zero if there is none.
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
