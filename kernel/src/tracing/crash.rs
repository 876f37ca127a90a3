//! Crash records: which is being written, and which are kept.
//!
//! ```text
//!   nothing --begin (1)--> the frame --> the other registers --> the stack, in four pieces --> the head --+
//!      ^                                    go on (2), a piece each step                                  |
//!      +---------------------------------------------------------------------------- kept ----------------+
//! ```
//! (1) [`Crashes::begin`], (2) [`Crashes::go_on`].
//!
//! A full table keeps the old records, as the buffer does: the first fault tells more than those that follow from it.
//! Every fault is counted, so the number in a record says how many before it had no room.

use beryl_abi::crash::{Extent, PARTS, PIECE, PIECES, WORDS};
use beryl_abi::{Fault, Instant, ThreadId};

use crate::table::Blank;

/// A crash record: see [`beryl_abi::crash`].
pub type Crash = [u32; WORDS];

/// The record that is being written, and the order of those that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Crashes {
    /// The head of the record that is being written.
    pub(crate) head: [u32; PIECE],
    /// Whose it is.
    pub(crate) thread: ThreadId,
    /// The pieces that aren't written yet; 0 while no record is being written.
    left: u8,
    /// Whether all registers can be told: the thread isn't one that an interrupt found running.
    pub(crate) is_whole: bool,
    /// The place of the oldest record, and how many are kept.
    first: u8,
    kept: u8,
    /// How many parts of the oldest have been read.
    read: u8,
    /// How many faults there were since the start.
    faults: u32,
}

impl Blank for Crashes {
    const BLANK: Crashes = Crashes {
        head: [0; PIECE],
        thread: ThreadId(0),
        left: 0,
        is_whole: false,
        first: 0,
        kept: 0,
        read: 0,
        faults: 0,
    };
}

impl Crashes {
    /// (1) A thread has faulted. One of `places` is written on, unless all are taken, or another record isn't done.
    pub(crate) fn begin(&mut self, thread: ThreadId, fault: Fault, time: Instant, notes: u32, places: usize) {
        self.faults = self.faults.saturating_add(1);
        if self.left > 0 || usize::from(self.kept) >= places {
            return;
        }
        let ticks = time.ticks();
        let extent = Extent::begin(thread, fault);
        let time = [ticks as u32, (ticks >> 32) as u32];
        self.head = [extent, time[0], time[1], fault.address, fault.instruction, notes, 0, self.faults];
        (self.thread, self.left) = (thread, PIECES);
    }

    /// Whether a record is being written.
    #[inline(always)]
    pub(crate) fn is_writing(&self) -> bool {
        self.left > 0
    }

    /// The piece that is written next.
    pub(crate) fn piece(&self) -> u8 {
        PIECES.wrapping_sub(self.left)
    }

    /// Where the record is that is being written.
    pub(crate) fn place(&self, places: usize) -> usize {
        let place = usize::from(self.first).wrapping_add(self.kept.into());
        if place < places { place } else { place.wrapping_sub(places) }
    }

    /// (2) So many words of a piece are there.
    pub(crate) fn go_on(&mut self, words: u8) {
        let piece = self.piece();
        let [extent, ..] = &mut self.head;
        *extent = Extent::with(*extent, piece, words);
        self.left = self.left.wrapping_sub(1);
        if self.left == 0 {
            self.kept = self.kept.wrapping_add(1);
        }
    }

    /// The next part of the oldest record: the record's place, and the number of the part. It counts as read.
    pub(crate) fn take(&mut self, places: usize) -> Option<(usize, u8)> {
        if self.kept == 0 {
            return None;
        }
        let taken = (usize::from(self.first), self.read);
        self.read = self.read.wrapping_add(1);
        if self.read >= PARTS {
            self.read = 0;
            self.kept = self.kept.wrapping_sub(1);
            let next = self.first.wrapping_add(1);
            self.first = if usize::from(next) < places { next } else { 0 };
        }
        Some(taken)
    }
}
