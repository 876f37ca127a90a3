//! The state of a program slot.

use beryl_abi::Progress;
use beryl_syscode::Container;
use beryl_syscode::check::admission::Admission;
use beryl_syscode::generate::Recorder;
use beryl_syscode::refused::Refused;

use crate::machine::program::Room;
use crate::table::Blank;

/// The state of a program slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSlotState {
    pub(crate) phase: Phase,
    /// The room of the running program.
    pub(crate) running: Room,
    /// The room of the program that ran before it.
    pub(crate) previous: Room,
    /// The tasks that the programs in the two rooms take over: one bit for each slot of the bands.
    pub(crate) named: [u32; 2],
    /// The layout of the running program, if it isn't the image's.
    pub(crate) layout: Layout,
}

/// The phase of a slot. Its first byte says which, so an empty slot is all zeros, as memory is before the
/// start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Phase {
    /// Nothing was written.
    Empty,
    /// A period is recorded, or will be.
    Recording(Recorder),
    /// A recording of this many bytes lies in the room.
    Recorded(u16),
    /// This many bytes were written.
    Filling(u16),
    /// The program is being checked.
    Checking(Admission),
    /// The program in this room takes over as soon as a period ends.
    Waiting(Room),
    /// It has taken over.
    Running,
    /// It was refused.
    Refused(Refused),
}

impl ProgramSlotState {
    pub(crate) const EMPTY: ProgramSlotState = ProgramSlotState {
        phase: Phase::Empty,
        running: Room::Image,
        previous: Room::Image,
        named: [0; 2],
        layout: Layout::NONE,
    };

    /// The tasks that the program in a room takes over; the image's takes none.
    pub(crate) fn named(&self, room: Room) -> u32 {
        let [first, second] = self.named;
        match room {
            Room::Image => 0,
            Room::First => first,
            Room::Second => second,
        }
    }

    /// The program in a room takes over these tasks.
    pub(crate) fn name(&mut self, room: Room, tasks: u32) {
        let [first, second] = &mut self.named;
        *(if room == Room::Second { second } else { first }) = tasks;
    }

    /// The room is about to be overwritten: the program in it, if rollback would bring that back, is
    /// forgotten.
    pub(crate) fn forget(&mut self, room: Room) {
        if self.previous == room {
            self.previous = Room::Image;
        }
    }

    /// Whether its check has begun and isn't over.
    pub(crate) fn is_checked(&self) -> bool {
        matches!(self.phase, Phase::Checking(_))
    }

    /// Whoever had it checked begins anew: nothing was written.
    pub(crate) fn forget_check(&mut self) {
        if matches!(self.phase, Phase::Filling(_) | Phase::Checking(_)) {
            self.phase = Phase::Empty;
        }
    }

    pub(crate) fn progress(&self) -> Progress {
        match self.phase {
            Phase::Empty | Phase::Recording(_) | Phase::Recorded(_) => Progress::Nothing,
            Phase::Filling(_) | Phase::Checking(_) => Progress::More,
            Phase::Waiting(_) => Progress::Accepted,
            Phase::Running => Progress::Running,
            Phase::Refused(refused) => {
                let (reason, address) = refused.encode();
                Progress::Refused { reason, address }
            }
        }
    }
}

impl Blank for ProgramSlotState {
    const BLANK: ProgramSlotState = ProgramSlotState::EMPTY;
}

/// Where the parts begin, counted from the first byte of all rooms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Layout {
    pub code: u32,
    pub durations: u32,
    pub conditions: u32,
}

impl Layout {
    /// Of no program.
    pub const NONE: Layout = Layout { code: 0, durations: 0, conditions: 0 };

    /// The layout of a container that begins at a byte of the rooms.
    pub fn of(container: &Container<'_>, base: usize) -> Layout {
        let from = |offset: usize| (base + offset) as u32;
        Layout {
            code: from(container.code_offset()),
            durations: from(container.durations_offset()),
            conditions: from(container.conditions_offset()),
        }
    }
}
