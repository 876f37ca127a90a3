//! Take-overs: while a slot's program runs, the tasks that it names are run only by its threads.
//!
//! ```text
//!                  name (1)                  a period ends (2)
//!   accepted so far --------> names known -------------------> its tasks are taken, others are given back
//! ```
//! (1) a stage of the check (`offered_bit`), (2) `may_take_over`, `Bands::take_over`.

use beryl_abi::{SlotId, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::threads::Place;
use crate::scheduling::bands::slot_bit;
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::Table;

/// The bit of a task's slot, if the task is offered to the program of a slot for programs.
pub(crate) fn offered_bit<S: Sizes>(system: &System<S>, programs: SlotId, task: ThreadId) -> Option<u32> {
    let Place::Offered { slot, program, .. } = system.threads.at(task.index()).place else { return None };
    let is_its = system.programs.at(program.index()).slot == programs;
    Some(slot_bit(slot)).filter(|bit| is_its && *bit != 0)
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether no job is at work of a task whose dispatcher changes. Between two periods there is none,
    /// unless one is late.
    pub(crate) fn may_take_over(&self, before: u32, after: u32) -> bool {
        let system = self.machine.system();
        let is_late = |slot: u8| {
            (before ^ after) & slot_bit(slot) != 0 && self.is_at_work(*system.slots.at(slot.into()))
        };
        // bound: SLOTS, and 32
        !(0..S::Slots::LENGTH.min(32) as u8).any(is_late)
    }
}
