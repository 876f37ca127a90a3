//! A process's journal: where its threads write down events by themselves, and how process and kernel find their way in it.
//!
//! ```text
//!   put | end | calls | mask | event, time, value | event, time, value | ...
//! ```
//! `put` names the place of the next event by its last bits, and goes on by one for each; at `end` there is no room. The process
//! writes events and `put`, the kernel all else, and lets `put` go a whole round on whenever it has read. What stands there the process can forge, so the kernel believes
//! nothing of it: it looks at places of the journal only, and at no more than there are.

/// Where a journal is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Journal {
    /// Its first word, at a multiple of eight.
    pub address: u32,
    /// How many events have room: a power of two, or none.
    pub places: u32,
}

impl Journal {
    /// No journal.
    pub const NONE: Journal = Journal { address: 0, places: 0 };
    /// The most events that one can have room for: the kernel reads them in one step.
    pub const MOST: u32 = 64;

    /// Bytes before the events.
    const HEAD: u32 = 16;
    /// Bytes of an event.
    const EACH: u32 = 12;
    /// Where the count of events stands.
    pub const PUT: u32 = 0;
    /// Where the count stands at which there is no room.
    pub const END: u32 = 4;
    /// Whether who finds no room shall call the kernel: otherwise nobody listens.
    pub const CALLS: u32 = 8;
    /// Which bits of a count name a place.
    pub const MASK: u32 = 12;

    /// Bytes of one with so many places.
    #[must_use]
    pub const fn bytes(places: u32) -> u32 {
        match places {
            0 => 0,
            places => Journal::HEAD + places * Journal::EACH,
        }
    }

    /// Where the event with this count goes in the journal at `address`.
    #[must_use]
    #[inline(always)]
    pub const fn place(address: u32, count: u32, mask: u32) -> u32 {
        address.wrapping_add((count & mask).wrapping_mul(Journal::EACH)).wrapping_add(Journal::HEAD)
    }
}
