//! How threads of one process write events into its journal, over whatever memory its words are in.
//!
//! ```text
//!   read put --> write the event at its place --> advance put, if it is still the same --> told (1)
//!                                                  otherwise all of it once more             (2)
//! ```
//! An event is there once `put` has gone on behind it (1). Whenever the kernel is entered, it reads what is new and lets `put` go on by a whole round;
//! so who is preempted in the middle writes its event anew, with a new time (2), and who dies in the middle has left
//! nothing. Nobody waits. (`put` would have to come round to the same number while somebody is preempted: that is after 2^32 events and
//! rounds, 67 million entries of the kernel at the most places.)
//!
//! What somebody goes on to write before it notices goes over no event: the journal is empty then, since the kernel has read it, and no other thread
//! of the process goes on without the kernel. `interleavings` tries them all.

use beryl_abi::Journal;

/// Access to memory by whole words, each once and in the order of the calls.
pub(super) trait Access: Copy {
    /// The word at an address.
    fn load(self, address: u32) -> u32;

    /// The word at an address and the next.
    fn load_two(self, address: u32) -> [u32; 2];

    /// Writes the word at an address.
    fn store(self, address: u32, word: u32);

    /// Changes the word at an address from one to another at once, if it is the one. It may fail where it is, too, if the processor was
    /// elsewhere meanwhile.
    fn advance(self, address: u32, from: u32, to: u32) -> bool;

    /// The time.
    fn moment(self) -> u32;
}

/// Writes an event into the journal at `journal`; answers whether there was room.
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
