//! Earliest deadline first without preemption: once begun, a job runs to its end.
//!
//! Time is discrete: jobs arrive and begin at whole ticks, so a blocking job has begun at least one tick
//! earlier.

use crate::demand::Demand;
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::Ticks;
use crate::utilisation::Utilisation;

/// Whether all tasks meet their deadlines.
///
/// *Exact* for independent, non-preemptive sporadic tasks with arbitrary deadlines on one processor in
/// discrete time, if the processor is never idle while a job waits. With implicit deadlines it is the
/// condition of Jeffay, Stanat and Martel (*On non-preemptive scheduling of periodic and sporadic tasks*,
/// 1991, theorems 3.2 and 3.4); with others, that of George, Rivierre and Spuri (*Preemptive and
/// non-preemptive real-time uniprocessor scheduling*, 1996): each window must have room for the due work and
/// for the longest job that isn't due, less a tick. For strictly periodic tasks with given offsets it is only
/// safe.
///
/// # Errors
/// [`Failure::Invalid`], [`Failure::TimesTooLarge`], or [`Failure::TooLong`].
pub fn holds(tasks: &[Sporadic]) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    let demands: Vec<Demand> = tasks.iter().map(Sporadic::demand).collect();
    if !super::meets_demand(&demands, &[], &Blocking::NONE)? {
        return Ok(false);
    }
    let Some(shortest) = demands.iter().map(Demand::lead).min() else { return Ok(true) };
    for blocker in &demands {
        if !super::holds_behind(&demands, blocker.stream.cost.less(Ticks::new(1)), shortest, blocker.lead())?
        {
            return Ok(false);
        }
    }
    Ok(true)
}

/// How long each task's job may be, given those of the tasks before it, in whole ticks: the bounds of
/// proposition 1 of *Yartek* (Mumolo and others, 2008). `tasks` are in the order of their periods, the
/// shortest first.
///
/// *Safe*: if each task's execution time is at most its bound, [`holds`] is true. The paper's introduction
/// requires less than the bound; its proof and its example allow the bound itself, as does this function. The
/// bounds aren't tight: the proof drops the tick by which the blocking job began earlier, and the rounding in
/// Jeffay's condition.
///
/// # Errors
/// [`Failure::Invalid`], also if a period is shorter than the one before, or [`Failure::TimesTooLarge`].
pub fn bounds(tasks: &[Sporadic]) -> Result<Vec<Ticks>, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    let Some(first) = tasks.first() else { return Ok(Vec::new()) };
    sporadic::in_order_of_periods(tasks)?;
    let mut used = Utilisation::ZERO;
    let mut bounds = Vec::new();
    for task in tasks {
        bounds.push(used.rest_of(first.period)?);
        used = used.plus(task.utilisation())?;
    }
    Ok(bounds)
}

/// Whether each execution time is within its bound. *Safe*, for implicit deadlines; see [`bounds`].
///
/// # Errors
/// As [`bounds`], and if a deadline isn't the period or there is jitter.
pub fn within_bounds(tasks: &[Sporadic]) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Implicit)?;
    Ok(tasks.iter().zip(bounds(tasks)?).all(|(task, bound)| task.worst <= bound))
}
