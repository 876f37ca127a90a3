//! How soon an output that a task waits for may change again.
//!
//! Outputs that are published at logical instants change no sooner than these follow each other, all others when jobs are complete.
//! A job is complete by its deadline, and the next one at its release at the soonest:
//!
//! ```text
//!   released            due            released again
//!   |------- a job ------>|               |->| a short one
//!                         |<--- least --->|
//! ```

use beryl_abi::Duration;
use beryl_timing::{self as timing, Trigger};

use super::Join;

/// How soon an output may change again.
pub(super) enum Rhythm {
    Known(Duration),
    /// The tasks release each other in a circle that begins with who waits.
    Round,
    /// Modes of the image's program don't release the task, or aren't the only ones that do.
    Elsewhere,
    /// Something else is wrong with who releases the task, and is told there.
    Unknown,
}

/// A task, by its module and its number there.
type TaskId = (usize, usize);

impl Join<'_> {
    /// The rhythm of a task's outputs. `before` are the tasks that wait for it, the first of them first.
    pub(super) fn rhythm(&self, source: TaskId, before: &mut Vec<TaskId>) -> Rhythm {
        let at_instants = self.shortest(&self.model.modules[source.0], source.1);
        let at_instants = at_instants.filter(|_| !self.assembly.publishes_at_completion);
        at_instants.map_or_else(|| self.completions(source, before), Rhythm::Known)
    }

    fn completions(&self, source: TaskId, before: &mut Vec<TaskId>) -> Rhythm {
        match before.iter().position(|known| *known == source) {
            Some(0) => return Rhythm::Round,
            Some(_) => return Rhythm::Unknown,
            None => before.push(source),
        }
        let (module, task) = (&self.model.modules[source.0], source.1);
        let released = match module.asynchronous.iter().find(|activity| activity.task == task) {
            None => match self.released_by_modes(module, task) {
                Some(own) if !self.is_invoked_later(module, task) => Some((own.separation, own.longest)),
                _ => return Rhythm::Elsewhere,
            },
            Some(activity) => match &activity.trigger {
                Trigger::Interrupt(name) => {
                    self.separation_of(name).map(|separation| (separation, separation))
                }
                Trigger::Port { module, task, .. } => match self.rhythm((*module, *task), before) {
                    Rhythm::Known(separation) => Some((separation, separation)),
                    other => return other,
                },
            },
        };
        let Some((separation, most)) = released else { return Rhythm::Unknown };
        let due = self.due(module, &module.tasks[task], most);
        due.map_or(Rhythm::Unknown, |due| Rhythm::Known(separation.minus(due)))
    }

    /// How long after its release a job of a task must be done, by the description or by what is left to it.
    pub(super) fn due(
        &self,
        module: &timing::Module,
        task: &timing::Task,
        most: Duration,
    ) -> Option<Duration> {
        let deadline = self.described(module, task)?.deadline;
        Some(deadline.map_or(most, |row| row.value.rounded_down(self.description.board.board.tick)))
    }

    fn separation_of(&self, interrupt: &str) -> Option<Duration> {
        let row = self.description.objects.interrupts.iter().find(|row| row.name.value == interrupt)?;
        Some(row.separation?.value.rounded_down(self.description.board.board.tick))
    }
}
