//! Deliberate misuse of a journal, for tests that check that no other process suffers.

use beryl_abi::Journal;

use super::protocol::Access;
use super::{Memory, platform};

/// Writes an event as [`tell`](super::tell) does, but doesn't finish: the state of a thread that dies in the
/// middle.
pub fn begin(event: u16, value: u32) {
    let Some(journal) = platform::journal() else { return };
    let [put, _] = Memory.load_two(journal);
    let place = Journal::place(journal, put, Memory.load(journal.wrapping_add(Journal::MASK)));
    Memory.store(place, event.into());
    Memory.store(place.wrapping_add(8), value);
}

/// Forges the count of written events, and the count at which there is no room.
pub fn forge(put: u32, end: u32) {
    let Some(journal) = platform::journal() else { return };
    Memory.store(journal.wrapping_add(Journal::PUT), put);
    Memory.store(journal.wrapping_add(Journal::END), end);
}
