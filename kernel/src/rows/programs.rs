//! Constant rows of programs: their text, the ports at which they look, and the slots from which others take over.

use beryl_abi::{Duration, SlotId};
use beryl_syscode::check::admission::Terms;

use crate::rows::processes::Processes;
use crate::rows::rank::Rank;

/// A timing program: the system code of a module and what it refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Program {
    /// Its instructions.
    pub code: &'static [u32],
    /// The durations that its instructions name, in ticks.
    pub durations: &'static [Duration],
    /// Where it starts.
    pub start: u16,
    /// What its threads wait for.
    pub conditions: &'static [beryl_syscode::Condition],
    /// The first place of its threads.
    pub first_schedule: u8,
    /// How many threads it has at most at one time.
    pub schedules: u8,
    /// The rank at which the tasks run that it dispatches.
    pub rank: Rank,
    /// The slot from which other programs take over from it, or none.
    pub slot: SlotId,
    /// The first place of its triggers. Each program has its own.
    pub first_trigger: u8,
    /// How many triggers it has at most at one time.
    pub triggers: u8,
    /// Where exceptions enter it, in the order of [`beryl_syscode::Exception`]; [`Program::NO_HANDLER`] where the default applies.
    /// Nobody looks at it in systems that have neither slots nor [`Sizes::HANDLERS`](super::Sizes::HANDLERS).
    pub handlers: [u16; 2],
}

/// A port's constant row: a number that only drivers write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// Where it lies.
    pub address: u32,
    /// Its length in bytes: 1, which is a number without a sign, 2 or 4; at an address that is a multiple of it.
    pub length: u8,
}

impl Port {
    /// A row that names no port.
    pub const NONE: Port = Port { address: 0, length: 4 };
}

impl Program {
    /// A row that names no program.
    pub const NONE: Program = Program {
        code: &[],
        durations: &[],
        start: 0,
        conditions: &[],
        first_schedule: 0,
        schedules: 0,
        rank: Rank::fixed(31),
        slot: SlotId::NONE,
        first_trigger: 0,
        triggers: 1,
        handlers: [Program::NO_HANDLER; 2],
    };
    /// In place of an address: the default applies.
    pub const NO_HANDLER: u16 = u16::MAX;
}

/// A slot's constant row: a place for other programs of a module, which take over from the one in the image and from
/// each other. It has two rooms: one for the program that runs, one for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSlot {
    /// Who may write it.
    pub processes: Processes,
    /// The first byte of its rooms.
    pub base: u16,
    /// Bytes a room.
    pub size: u16,
    /// What it asks of its programs, and what they have of the processor.
    pub terms: Terms<'static>,
}

impl ProgramSlot {
    /// A row that nobody may name.
    pub const NONE: ProgramSlot = ProgramSlot { processes: 0, base: 0, size: 0, terms: Terms::NONE };
}
