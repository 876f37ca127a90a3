//! Where the parts of a program in a room are, noted when it takes over: so its instructions are read like those of the image.
//!
//! What the check has found needn't be asked again at each instruction. From its first step on the room is the kernel's, and it stays so until
//! another program has taken over: nobody writes to the room of a program that runs. So its header counts what it counted when the
//! container was read; that addresses lie inside of the code, and numbers inside of their pools, is what the check of structure has seen
//! (`beryl_syscode::check::structure`). An offset that were wrong for all that would read another byte of the rooms, or zero, and nothing else.

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
    /// The layout of a program that came by a slot; nothing if the image's runs.
    #[inline(always)]
    pub(crate) fn layout_of(&self, program: ProgramId) -> Option<Layout> {
        if self.state.e_machine.programs.at(program.index()).room == Room::Image {
            return None;
        }
        let slot = self.machine.system().programs.at(program.index()).slot;
        Some(self.state.program_slots.at(slot.index()).layout)
    }

    /// Where the parts of the program in a room are; of none in the image's.
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
