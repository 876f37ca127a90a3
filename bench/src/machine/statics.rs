//! Figures that don't need the board: the schedule of a case, and how often jobs are preempted.

use anyhow::{Result, ensure};
use beryl_assembler::Program;
use beryl_generator::{GenerateError, Task, TaskSet, generate, schedule};
use beryl_reference::{Driver, Event, Machine, Policy, World};
use beryl_syscode::Container;

use super::cases::{Case, Way};
use super::system::{HYPERPERIOD, SPEED, TICK};

/// The kernel's work on each job, in addition to the job's own instructions.
const KERNEL: u64 = 2500;

/// The figures of a case before it runs.
pub struct Statics {
    /// The schedule, for tasks released by other code.
    pub schedule: Program,
    /// Preemptions in a hyperperiod, with every job as long as it may be.
    pub preemptions: u64,
}

impl Statics {
    /// `None` if there is no such schedule.
    pub fn of(case: &Case) -> Result<Option<Statics>> {
        let set = tasks(case);
        let schedule = match schedule(&set, case.way.scheme()) {
            Err(GenerateError::Missed { .. }) => return Ok(None),
            schedule => schedule?,
        };
        let whole = generate(&set, case.way.scheme())?;
        Ok(Some(Statics { schedule, preemptions: preemptions(case, &set, &whole)? }))
    }
}

/// The tasks with their bounds in ticks, named as in the timing program.
pub fn tasks(case: &Case) -> TaskSet {
    let ticks = |instructions: u64| (instructions << SPEED).div_ceil(TICK);
    let bound = ticks(case.job(HYPERPERIOD) + KERNEL);
    let task =
        |(number, group): (usize, u64)| Task::new(&format!("t{number}"), ticks(HYPERPERIOD) / group, bound);
    TaskSet::new("Machine", case.groups().enumerate().map(task).collect())
}

fn preemptions(case: &Case, set: &TaskSet, program: &Program) -> Result<u64> {
    let bounds: Vec<_> = set.tasks.iter().map(|task| task.bound).collect();
    let world = World {
        policy: if case.way == Way::Bands { Policy::EarliestDeadline } else { Policy::None },
        drivers: vec![Driver::copy(0, 0); program.drivers.len()],
        ..World::of_times(&bounds)
    };
    let bytes = program.to_bytes();
    let container = Container::read(&bytes).map_err(|reason| anyhow::anyhow!("{reason}"))?;
    let trace = Machine::new(&[container], world).run(set.hyperperiod()?);
    let trace = trace.map_err(|trap| anyhow::anyhow!("{}: {trap:?}", case.name()))?;
    let wrong = trace.iter().find(|entry| matches!(entry.event, Event::Violation(..)));
    ensure!(wrong.is_none(), "{}: {wrong:?}", case.name());
    let count = trace.iter().filter(|entry| matches!(entry.event, Event::Preempt(_))).count();
    Ok(u64::try_from(count)?)
}

#[cfg(test)]
mod tests {
    use super::super::cases::Length;
    use super::*;

    #[test]
    fn all_cases_have_a_schedule_that_keeps_deadlines() -> Result<()> {
        // The paper's method for non-preemptive code, reordering preemptive code, found none for long jobs of
        // 4 and 10 tasks.
        for case in Case::all() {
            assert!(Statics::of(&case)?.is_some(), "{}", case.name());
        }
        Ok(())
    }

    #[test]
    fn long_jobs_are_preempted_unless_they_may_not_be() -> Result<()> {
        let mut preemptions = Vec::new();
        for way in [Way::Bands, Way::Preemptive, Way::NonPreemptive, Way::ByRate] {
            let statics = Statics::of(&Case { tasks: 10, way, length: Length::Long })?;
            preemptions.push(statics.map(|statics| statics.preemptions));
        }
        assert_eq!(preemptions, [Some(3), Some(3), Some(0), Some(3)]);
        Ok(())
    }
}
