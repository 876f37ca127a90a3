//! Access to a program's system code: in the image, or in a room of its slot.

use beryl_abi::{Duration, ProgramId};
use beryl_syscode::{Condition, Container, Exception};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::program::Room;
use crate::parts::Parts;
use crate::rows::programs::{Program, ProgramSlot};
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The instruction at an address; beyond the end 0, which is none.
    #[inline(always)]
    pub(crate) fn instruction_at(&self, program: ProgramId, address: u16) -> u32 {
        if S::HAS_ROOMS
            && let Some(text) = self.layout_of(program)
        {
            return self.instruction_in(text, address);
        }
        let row = self.machine.system().programs.at(program.index());
        row.code.get(usize::from(address)).copied().unwrap_or_default()
    }

    /// One of a program's durations, by its number in the pool.
    #[inline(always)]
    pub(crate) fn duration_of(&self, program: ProgramId, number: u8) -> Duration {
        if S::HAS_ROOMS
            && let Some(text) = self.layout_of(program)
        {
            return self.duration_in(text, number);
        }
        let row = self.machine.system().programs.at(program.index());
        row.durations.get(usize::from(number)).copied().unwrap_or_default()
    }

    /// One of a program's conditions, by its number in the pool.
    #[inline(always)]
    pub(crate) fn condition_of(&self, program: ProgramId, number: u8) -> Option<Condition> {
        if S::HAS_ROOMS
            && let Some(text) = self.layout_of(program)
        {
            return self.condition_in(text, number);
        }
        let row = self.machine.system().programs.at(program.index());
        row.conditions.get(usize::from(number)).copied()
    }

    /// The address of a program's handler for an exception.
    pub(crate) fn handler_of(&self, program: ProgramId, exception: Exception) -> u16 {
        match self.container_of(program) {
            Some(container) => {
                // bound: 255, the most that a container counts
                let found = container.handlers().find(|(known, _)| *known == exception);
                found.map_or(Program::NO_HANDLER, |(_, address)| address)
            }
            None => {
                let [safety, share] = self.machine.system().programs.at(program.index()).handlers;
                if exception == Exception::Safety { safety } else { share }
            }
        }
    }

    /// Where a program starts.
    pub(crate) fn start_of(&self, program: ProgramId) -> u16 {
        match self.container_of(program) {
            Some(container) => container.start(),
            None => self.machine.system().programs.at(program.index()).start,
        }
    }

    /// Whether the image's program runs: the addresses in the image's tables belong to that one.
    #[inline(always)]
    pub(crate) fn runs_the_images(&self, program: ProgramId) -> bool {
        !S::HAS_ROOMS || self.state.e_machine.programs.at(program.index()).room == Room::Image
    }

    /// The container of a program that didn't come with the image.
    fn container_of(&self, program: ProgramId) -> Option<Container<'_>> {
        let room = self.state.e_machine.programs.at(program.index()).room;
        if room == Room::Image {
            return None;
        }
        let slot = self.machine.system().programs.at(program.index()).slot;
        let slot = self.machine.system().program_slots.at(slot.index());
        Container::reopen(self.bytes_of(slot, room))
    }

    /// The bytes of a room.
    pub(crate) fn bytes_of(&self, slot: &ProgramSlot, room: Room) -> &[u8] {
        let base = room.base(slot);
        self.state.rooms.rows().get(base..base + usize::from(slot.size)).unwrap_or_default()
    }
}
