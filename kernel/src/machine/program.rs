//! The state of a timing program.

use beryl_abi::{Instant, ThreadId};

use crate::machine::schedule::ScheduleId;
use crate::rows::programs::ProgramSlot;
use crate::table::Blank;

/// The state of a timing program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramState {
    /// The last guard's verdict.
    pub(crate) verdict: bool,
    /// The next instruction isn't checked, by its handler's order.
    pub(crate) is_forced: bool,
    /// Its thread that has dispatched a task.
    pub(crate) holder: ScheduleId,
    /// Where its system code lies.
    pub(crate) room: Room,
    /// The exception that its handler is dealing with.
    pub(crate) handling: Option<Handling>,
    /// When it last changed its mode.
    pub(crate) changed: Instant,
    /// Its position in the round at the instant that it set last; see `rounds`.
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

/// Where a program's system code lies.
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

/// The exception that a handler is dealing with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handling {
    /// The instruction.
    pub(crate) address: u16,
    /// The object in its batch.
    pub(crate) position: u8,
    /// The task that is in its way.
    pub(crate) task: ThreadId,
}
