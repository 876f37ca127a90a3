//! What changes of a timing program.

use beryl_abi::{Instant, ThreadId};

use crate::machine::schedule::ScheduleId;
use crate::rows::programs::ProgramSlot;
use crate::table::Blank;

/// What changes of a timing program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramState {
    /// What the last guard said.
    pub(crate) verdict: bool,
    /// The next instruction isn't checked: its handler has said so.
    pub(crate) is_forced: bool,
    /// Its thread that has dispatched a task.
    pub(crate) holder: ScheduleId,
    /// Where its text lies.
    pub(crate) room: Room,
    /// The exception that its handler is busy with.
    pub(crate) handling: Option<Handling>,
    /// When it last changed its mode.
    pub(crate) changed: Instant,
    /// How far its round has come at the instant that it set last; see `rounds`.
    pub(crate) position: u32,
}

impl ProgramState {
    /// Before the program's start.
    pub(crate) const BEFORE: ProgramState = ProgramState {
        verdict: false,
        is_forced: false,
        holder: ScheduleId::NONE,
        room: Room::Image,
        handling: None,
        changed: Instant::NEVER,
        position: 0,
    };
}

impl Blank for ProgramState {
    const BLANK: ProgramState =
        ProgramState { holder: ScheduleId(0), changed: Instant::START, ..ProgramState::BEFORE };
}

/// Where a program's text lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Room {
    /// In the image.
    Image = 0,
    /// In the first room of its slot.
    First = 1,
    /// In the second.
    Second = 2,
}

impl Room {
    /// The room in which the next program is prepared while this one runs.
    pub(crate) fn spare(self) -> Room {
        match self {
            Room::First => Room::Second,
            Room::Image | Room::Second => Room::First,
        }
    }

    /// Its first byte.
    pub(crate) fn base(self, slot: &ProgramSlot) -> usize {
        usize::from(slot.base) + if self == Room::Second { usize::from(slot.size) } else { 0 }
    }
}

/// The exception that a handler is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handling {
    /// The instruction.
    pub(crate) address: u16,
    /// The object of it, if it is a batch.
    pub(crate) position: u8,
    /// The task that is in its way.
    pub(crate) task: ThreadId,
}
