//! A process's journal: its threads write events there by themselves. The layout is known to the process and
//! the kernel.
//!
//! ```text
//!   put | end | calls | mask | event, time, value | event, time, value | ...
//! ```
//! The last bits of `put` name the place of the next event, and each event adds one; at `end` there is no
//! room. The process writes events and `put`; the kernel writes everything else, and moves `put` on by a
//! whole lap each time it has read. The process can forge all of this, so the kernel trusts none of it: it
//! reads only places of the journal, and no more than there are.

use crate::Range;

/// The position and size of a journal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Journal {
    /// Its first word, at a multiple of eight.
    pub address: u32,
    /// How many events fit: a power of two, or zero.
    pub places: u32,
}

impl Journal {
    /// No journal.
    pub const NONE: Journal = Journal { address: 0, places: 0 };
    /// The most events that fit in one: the kernel reads them in one step.
    pub const MOST: u32 = 64;

    /// All of it.
    #[must_use]
    pub const fn range(self) -> Range {
        Range::new(self.address, Journal::bytes(self.places))
    }

    /// Bytes before the events.
    const HEAD: u32 = 16;
    /// Bytes of an event.
    const EACH: u32 = 12;
    /// The offset of the count of events.
    pub const PUT: u32 = 0;
    /// The offset of the count at which there is no room.
    pub const END: u32 = 4;
    /// The offset of the word that says whether a thread without room calls the kernel; if not, nobody
    /// listens.
    pub const CALLS: u32 = 8;
    /// The offset of the mask for the bits of a count that name a place.
    pub const MASK: u32 = 12;

    /// The size of a journal with this many places, in bytes.
    #[must_use]
    pub const fn bytes(places: u32) -> u32 {
        match places {
            0 => 0,
            places => Journal::HEAD + places * Journal::EACH,
        }
    }

    /// The address of the event with this count in the journal at `address`.
    #[must_use]
    #[inline(always)]
    pub const fn place(address: u32, count: u32, mask: u32) -> u32 {
        address.wrapping_add((count & mask).wrapping_mul(Journal::EACH)).wrapping_add(Journal::HEAD)
    }
}
