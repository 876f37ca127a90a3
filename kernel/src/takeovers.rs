//! Taking over tasks: those that a program of a slot names are run by its threads alone, as long as it is the one that runs.
//!
//! ```text
//!                  name (1)                    a period ends (2)
//!   accepted so far --------> names are known -------------------> its tasks are taken, the others' given back
//! ```
//! (1) `name`, an instruction a step of the check, (2) `may_take_over`, `Bands::take_over`.

use beryl_abi::{SlotId, ThreadId};
use beryl_syscode::check::{Reason, Refusal};
use beryl_syscode::refused::Refused;
use beryl_syscode::{Container, Instruction};

use crate::bands::slot_bit;
use crate::event::Machine;
use crate::handle::Kernel;
use crate::sizes::{Sizes, Table};
use crate::system::{Place, System};

/// The tasks that a program names, and how far its code has been looked at for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Naming {
    address: u16,
    /// A bit for each slot of the bands, as `Bands` has them.
    tasks: u32,
}

/// What a step came to.
pub(crate) enum Named {
    /// There is more to be looked at.
    Again,
    /// These are the tasks.
    All(u32),
}

impl Naming {
    /// Before the first step.
    pub const BEGIN: Naming = Naming { address: 0, tasks: 0 };

    /// One instruction: a task that it dispatches must be one that is offered to programs of the slot.
    pub fn name<S: Sizes>(
        &mut self,
        container: &Container<'_>,
        system: &System<S>,
        slot: SlotId,
    ) -> Result<Named, Refused> {
        let Some(word) = container.instruction(self.address.into()) else {
            return Ok(Named::All(self.tasks));
        };
        if let Some(Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }) =
            Instruction::decode(word)
        {
            let offered = offered_bit(system, slot, task)
                .ok_or(Refused::Structure(Refusal { address: self.address.into(), reason: Reason::Task }))?;
            self.tasks |= offered;
        }
        self.address = self.address.saturating_add(1);
        Ok(Named::Again)
    }
}

/// The bit of a task's slot, if the task is offered to the program of a slot for programs.
fn offered_bit<S: Sizes>(system: &System<S>, programs: SlotId, task: ThreadId) -> Option<u32> {
    let Place::Offered { slot, program, .. } = system.threads.at(task.index()).place else { return None };
    let is_its = system.programs.at(program.index()).slot == programs;
    Some(slot_bit(slot)).filter(|bit| is_its && *bit != 0)
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether no job is at work of tasks whose dispatcher would be another: between two periods there is none, unless one is late.
    pub(crate) fn may_take_over(&self, before: u32, after: u32) -> bool {
        let system = self.machine.system();
        let is_late = |slot: u8| {
            (before ^ after) & slot_bit(slot) != 0 && self.is_at_work(*system.slots.at(slot.into()))
        };
        // bound: SLOTS, and 32
        !(0..S::Slots::LENGTH.min(32) as u8).any(is_late)
    }
}
