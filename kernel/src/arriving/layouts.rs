//! Layouts: where the parts of a program in a room are. Noted at the take-over, so that its instructions are
//! read as fast as the image's.
//!
//! What the check has verified isn't checked again at each instruction. From the first step of its check the
//! room belongs to the kernel until another program has taken over: no process writes to the room of a
//! running program. So its header still holds what it held when the container was read. The check of
//! structure has verified that addresses lie inside the code, and numbers inside their pools
//! (`beryl_syscode::check::structure`). Even a wrong offset could only read another byte of the rooms, or
//! zero.

use beryl_abi::{Duration, ProgramId};
use beryl_syscode::{Condition, Container};

use crate::arriving::slot::Layout;
use crate::event::Machine;
use crate::kernel::Kernel;
use crate::machine::program::Room;
use crate::rows::programs::ProgramSlot;
use crate::sizes::Sizes;
use crate::table::Table;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The layout of a program that came by a slot; none if the image's program runs.
    #[inline(always)]
    pub(crate) fn layout_of(&self, program: ProgramId) -> Option<Layout> {
        if self.state.e_machine.programs.at(program.index()).room == Room::Image {
            return None;
        }
        let slot = self.machine.system().programs.at(program.index()).slot;
        Some(self.state.program_slots.at(slot.index()).layout)
    }

    /// The layout of the program in a room; the empty layout for the image's.
    pub(crate) fn layout_in(&self, slot: &ProgramSlot, room: Room) -> Layout {
        match Container::reopen(self.bytes_of(slot, room)).filter(|_| room != Room::Image) {
            Some(container) => Layout::of(&container, room.base(slot)),
            None => Layout::NONE,
        }
    }

    /// An instruction.
    #[inline(always)]
    pub(crate) fn instruction_in(&self, layout: Layout, address: u16) -> u32 {
        u32::from_le_bytes(self.part_in(layout.code as usize + usize::from(address) * 4))
    }

    /// A duration.
    #[inline(always)]
    pub(crate) fn duration_in(&self, layout: Layout, number: u8) -> Duration {
        Duration::from_ticks(u64::from_le_bytes(
            self.part_in(layout.durations as usize + usize::from(number) * 8),
        ))
    }

    /// A condition.
    #[inline(always)]
    pub(crate) fn condition_in(&self, layout: Layout, number: u8) -> Option<Condition> {
        Condition::decode(self.part_in(layout.conditions as usize + usize::from(number) * 8))
    }

    /// Some bytes of the rooms.
    #[inline(always)]
    fn part_in<const LENGTH: usize>(&self, offset: usize) -> [u8; LENGTH] {
        let part = self.state.rooms.rows().get(offset..).and_then(|rest| rest.first_chunk());
        part.copied().unwrap_or([0; LENGTH])
    }
}
