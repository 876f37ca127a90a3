//! The state of a process that can be replaced.

use beryl_abi::Progress;
use beryl_abi::process_image::Misfit;

use crate::machine::program::Room;
use crate::table::Blank;

/// The state of a process that can be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Replacement {
    pub(crate) phase: Phase,
    /// Where the code is that its threads run.
    pub(crate) running: Room,
    /// Where the code is that they ran before.
    pub(crate) previous: Room,
}

/// How far a process has come that shall take the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Phase {
    /// Nothing was written.
    Empty,
    /// This many bytes were written.
    Filling(u32),
    /// This many bytes were written, and are being checked.
    Checking(u32, Check),
    /// The one in this room begins as soon as its process may begin anew.
    Waiting(Room),
    /// It has begun.
    Running,
    /// It was refused.
    Refused(Misfit, u16),
}

/// What is checked next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Check {
    /// The numbers before the entries.
    Head,
    /// The checksum, from this byte on.
    Words { at: u32, sum: u32 },
    /// Where this thread begins.
    Entry(u16),
    /// This stretch of memory.
    Stretch(u16),
}

impl Replacement {
    /// The image's own runs.
    pub(crate) const NONE: Replacement =
        Replacement { phase: Phase::Empty, running: Room::Image, previous: Room::Image };

    /// The room is about to be overwritten.
    pub(crate) fn without(self, room: Room) -> Replacement {
        Replacement { previous: if self.previous == room { Room::Image } else { self.previous }, ..self }
    }

    pub(crate) fn progress(&self) -> Progress {
        match self.phase {
            Phase::Empty => Progress::Nothing,
            Phase::Filling(_) | Phase::Checking(..) => Progress::More,
            Phase::Waiting(_) => Progress::Accepted,
            Phase::Running => Progress::Running,
            Phase::Refused(misfit, number) => Progress::Refused { reason: misfit as u16, address: number },
        }
    }
}

impl Blank for Replacement {
    const BLANK: Replacement = Replacement::NONE;
}
