//! How threads of one process write events into its journal, independent of the memory that holds its words.
//!
//! ```text
//!   read put --> write the event at its place --> advance put, if it is still the same --> told (1)
//!                                                  otherwise all of it once more             (2)
//! ```
//! An event counts once `put` has moved past it (1). Whenever the kernel is entered, it reads the new events
//! and moves `put` on by a whole lap. So a thread that is preempted in the middle writes its event anew, with
//! a new time (2), and one that dies in the middle leaves nothing. No thread waits. (`put` would have to wrap
//! around to the same number while a thread is preempted: that takes 2^32 events and laps, 67 million entries
//! of the kernel with the most places.)
//!
//! Until it notices, a preempted thread overwrites no event: the journal is empty then, since the kernel has
//! read it, and no other thread of the process goes on without an entry of the kernel. `interleavings` tries
//! all cases.

use beryl_abi::Journal;

/// Access to memory by whole words, each once and in the order of the calls.
pub(super) trait Access: Copy {
    /// The word at an address.
    fn load(self, address: u32) -> u32;

    /// The word at an address and the next.
    fn load_two(self, address: u32) -> [u32; 2];

    /// Writes the word at an address.
    fn store(self, address: u32, word: u32);

    /// Atomically changes the word at an address from one value to another, if it has the first. It may also
    /// fail without a reason if the processor was elsewhere meanwhile.
    fn advance(self, address: u32, from: u32, to: u32) -> bool;

    /// The time.
    fn moment(self) -> u32;
}

/// Writes an event into the journal at `journal`; returns whether there was room.
#[inline(always)]
pub(super) fn write(memory: impl Access, journal: u32, [event, value]: [u32; 2]) -> bool {
    // bound: once, and once more for each entry of the kernel meanwhile
    loop {
        let [put, end] = memory.load_two(journal.wrapping_add(Journal::PUT));
        if put == end {
            return false;
        }
        let mask = memory.load(journal.wrapping_add(Journal::MASK));
        let place = Journal::place(journal, put, mask);
        memory.store(place, event);
        memory.store(place.wrapping_add(4), memory.moment());
        memory.store(place.wrapping_add(8), value);
        if memory.advance(journal.wrapping_add(Journal::PUT), put, put.wrapping_add(1)) {
            return true;
        }
    }
}
