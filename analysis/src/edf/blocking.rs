//! Blocking under earliest deadline first: locks whose ceilings are preemption levels.

use crate::demand::Demand;
use crate::failure::Failure;
use crate::locks::Blocking;
use crate::sporadic::{self, Deadlines, Sporadic};

pub use crate::fixed_priority::blocking::Section;

/// Whether all tasks meet their deadlines under preemptive earliest deadline first with the stack resource
/// policy: a task with a shorter deadline, from the arrival, has a higher preemption level, and a job begins
/// only if its level is above the ceilings of all locks that others hold. Sections name tasks by their
/// positions, in any order; they may nest.
///
/// *Safe* for preemptive sporadic tasks with arbitrary deadlines and release jitter on one processor, if no
/// task suspends itself inside: Baker, *Stack-based scheduling of realtime processes* (1991); the windows of
/// Baruah, *Resource sharing in EDF-scheduled systems: a closer look* (2006): in each window, the due work
/// must fit together with the longest section, in a lock used by a due task, of a task that isn't due. Cost:
/// as [`edf::holds`](super::holds), for each section.
///
/// # Errors
/// Those of [`edf::holds`](super::holds).
pub fn holds(tasks: &[Sporadic], sections: &[Section]) -> Result<bool, Failure> {
    sporadic::validate(tasks, Deadlines::Arbitrary)?;
    let demands: Vec<Demand> = tasks.iter().map(Sporadic::demand).collect();
    if !super::meets_demand(&demands, &[], &Blocking::NONE)? {
        return Ok(false);
    }
    for section in sections {
        let users = sections.iter().filter(|user| user.lock == section.lock && user.task != section.task);
        let shortest = users.filter_map(|user| demands.get(user.task)).map(Demand::lead).min();
        let (Some(shortest), Some(holder)) = (shortest, demands.get(section.task)) else { continue };
        if !super::holds_behind(&demands, section.length, shortest, holder.lead())? {
            return Ok(false);
        }
    }
    Ok(true)
}
