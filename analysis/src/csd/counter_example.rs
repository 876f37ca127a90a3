//! The counter-example: the shortest schedule of the bands that misses a deadline.

use crate::failure::{Failure, Miss};
use crate::model::{Band, Policy, System, Task};
use crate::processor::Processor;
use crate::schedule::Outcome;
use crate::sporadic::{self, Deadlines, Sporadic};
use crate::ticks::Ticks;

/// The shortest schedule that misses a deadline, if [`holds`](super::holds) says that there is one. With all
/// tasks in one dynamic band, or none, that is the one for earliest deadline first or fixed priorities.
///
/// The model is that of `holds` without jitter: all tasks arrive together at 0 and then as often as they may,
/// jobs take their worst-case execution times, and equal urgencies go by arrival. No schedule of sporadic
/// tasks misses sooner after the start of its busy period. Tasks are named by their positions. Cost: a step
/// for each job up to the miss, linear in the number of tasks.
///
/// # Errors
/// Those of `holds`; [`Failure::Invalid`] for jitter; [`Failure::TooLong`] if the miss isn't reached within
/// [`Failure::JOB_LIMIT`] jobs.
pub fn counter_example(tasks: &[Sporadic], dynamic: &[usize]) -> Result<Option<Miss>, Failure> {
    sporadic::validate(tasks, Deadlines::OnTime)?;
    if super::holds(tasks, dynamic)? {
        return Ok(None);
    }
    let system = system(tasks, &super::ends(dynamic, tasks.len())?);
    match Processor::new(&system).run(Ticks::new(u64::MAX))? {
        Some(Outcome::Missed(miss)) => Ok(Some(*miss)),
        _ => Err(Failure::TooLong),
    }
}

fn system(tasks: &[Sporadic], ends: &[usize]) -> System {
    let task = |index: usize| Task {
        name: format!("task {index}"),
        period: tasks[index].period,
        deadline: tasks[index].deadline,
        worst: tasks[index].worst,
        priority: u32::try_from(tasks.len() - index).unwrap_or(u32::MAX),
        ..Task::default()
    };
    let band = |name: String, policy, members: std::ops::Range<usize>| Band {
        name,
        policy,
        tasks: members.map(task).collect(),
    };
    let starts = std::iter::once(0).chain(ends.iter().copied());
    let dynamic = starts.zip(ends).enumerate();
    let dynamic =
        dynamic.map(|(index, (start, &end))| band(format!("dynamic {index}"), Policy::Dynamic, start..end));
    let rest = ends.last().copied().unwrap_or(0)..tasks.len();
    let bands = dynamic.chain([band("fixed".into(), Policy::Fixed, rest)]).collect();
    System { bands, ..System::default() }
}
