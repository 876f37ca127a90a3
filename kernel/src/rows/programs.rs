//! Constant rows of programs: their system code, the ports that they look at, and the slots from which others
//! take over.

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
    /// The conditions that its threads wait for.
    pub conditions: &'static [beryl_syscode::Condition],
    /// The first place of its threads.
    pub first_schedule: u8,
    /// The most threads that it has at one time.
    pub schedules: u8,
    /// The rank of the tasks that it dispatches.
    pub rank: Rank,
    /// The slot from which other programs take over from it, or none.
    pub slot: SlotId,
    /// The first place of its triggers. Each program has its own.
    pub first_trigger: u8,
    /// The most triggers that it has at one time.
    pub triggers: u8,
    /// Its handlers' addresses, in the order of [`beryl_syscode::Exception`]; [`Program::NO_HANDLER`] where
    /// the default applies. Never read in systems that have neither slots nor
    /// [`Sizes::HANDLERS`](crate::sizes::Sizes::HANDLERS).
    pub handlers: [u16; 2],
}

/// A port's constant row: a value that only drivers write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// Its address.
    pub address: u32,
    /// What is there.
    pub holds: Held,
}

/// What a port holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Held {
    /// An unsigned number of one byte.
    Byte,
    /// A number of two bytes, at a multiple of two.
    Half,
    /// A number of four bytes, at a multiple of four.
    Word,
    /// So many bytes, one at least, at any address. They are no number: they change, and compare with none.
    Bytes(u8),
}

impl Port {
    /// A row that names no port.
    pub const NONE: Port = Port { address: 0, holds: Held::Word };

    /// How many words of memory it lies in.
    #[must_use]
    #[inline(always)]
    pub const fn words(&self) -> usize {
        match self.holds {
            Held::Byte | Held::Half | Held::Word => 1,
            Held::Bytes(length) => (((self.address & 3) + length as u32).div_ceil(4)) as usize,
        }
    }
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
    /// Instead of an address: the default applies.
    pub const NO_HANDLER: u16 = u16::MAX;
}

/// A program slot's constant row: a place for other programs of a module, which take over from the one in the
/// image and from each other. It has two rooms: one for the running program, one for the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProgramSlot {
    /// The processes that may write it.
    pub processes: Processes,
    /// The first byte of its rooms.
    pub base: u16,
    /// Bytes of each room.
    pub size: u16,
    /// What it demands of its programs, and their supply of the processor.
    pub terms: Terms<'static>,
}

impl ProgramSlot {
    /// A row that nobody may name.
    pub const NONE: ProgramSlot = ProgramSlot { processes: 0, base: 0, size: 0, terms: Terms::NONE };
}
