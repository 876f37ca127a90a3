//! Time: from one instant to the next.

use crate::machine::Machine;
use crate::state::{Timeout, Trigger};
use crate::trace::Event;
use crate::world::Change;

impl Machine {
    /// Goes to the next instant at which something happens, or to `until`; answers whether anything happens before.
    pub(crate) fn advance(&mut self, until: u64) -> bool {
        let next = self.next_instant().unwrap_or(u64::MAX);
        let target = next.min(until);
        if let Some(job) = self.running.and_then(|task| self.jobs.get_mut(&task)) {
            job.left = job.left.saturating_sub(target - self.now);
        }
        self.now = target;
        if next >= until {
            return false;
        }
        self.complete();
        self.change();
        true
    }

    fn next_instant(&self) -> Option<u64> {
        let triggers = self.triggers.iter().filter_map(|binding| match binding.trigger {
            Trigger::At(instant) => Some(instant),
            Trigger::When(_) => None,
        });
        let timeouts = self.threads.iter().filter_map(|thread| match thread.timeout {
            Some(Timeout::At(instant)) => Some(instant),
            _ => None,
        });
        let changes = self.world.changes.iter().map(|(instant, _)| *instant);
        let taken = self.world.taken.iter().flat_map(|(from, to)| [*from, *to]);
        let completion = self.running.and_then(|task| self.jobs.get(&task)).map(|job| self.now + job.left);
        triggers
            .chain(timeouts)
            .chain(changes)
            .chain(taken)
            .chain(completion)
            .filter(|instant| *instant > self.now)
            .min()
    }

    /// The running job is done if nothing of it is left: its outputs are written.
    fn complete(&mut self) {
        let Some(task) = self.running else { return };
        let Some(job) = self.jobs.get(&task).filter(|job| job.left == 0).cloned() else { return };
        self.jobs.remove(&task);
        self.end_dispatch(task);
        self.running = None;
        self.completed.push(task);
        self.note(Event::Complete(task));
        let writes = self.world.tasks.get(task).map(|row| row.writes.clone()).unwrap_or_default();
        // Any function of the inputs will do, as long as another input gives another output.
        let value = job.inputs.iter().fold(1_i32, |value, input| value.wrapping_add(*input));
        writes.into_iter().for_each(|port| self.write(port, value));
    }

    /// What happens outside at this instant.
    fn change(&mut self) {
        let now = self.now;
        let changes: Vec<_> = self
            .world
            .changes
            .iter()
            .filter(|(instant, _)| *instant == now)
            .map(|(_, change)| *change)
            .collect();
        for change in changes {
            match change {
                Change::Port(port, value) => self.write(port, value),
                Change::Interrupt(line) => self.interrupts.push(line.0),
            }
        }
    }
}
