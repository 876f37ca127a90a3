//! The buffer for notes on a target: a ring of fixed size, filled by the kernel, emptied by one thread.
//!
//! ```text
//!     store: who is told, when there is room (1); else it is lost, and counted (2)
//!     take:  the oldest, to whoever reads; then what was lost before is noted behind the others (3)
//! ```
//! (1), (2) [`Buffer::put`], (3) [`Buffer::take`].
//!
//! Everybody writes: threads by what they ask of the kernel, interrupts, the alarm, programs. All of them come through the kernel, where
//! nothing is preempted; so no writer ever waits for another, or for the reader, and none loses its place. A full buffer
//! keeps what is old: the beginning of a story tells more than a piece of its middle.

use beryl_abi::{Classes, Moment, Note};

use crate::sizes::Sizes;
use crate::table::{Blank, Table};
use crate::tracing::stored::Stored;

/// What was told and hasn't been read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Buffer<S: Sizes> {
    /// What is kept.
    pub(crate) classes: Classes,
    /// How many have been put in and taken out, as far as a word counts. The difference is never more than the length.
    put: u32,
    taken: u32,
    /// How many had no room since that was noted last.
    lost: u32,
    notes: S::Notes,
}

impl<S: Sizes> Buffer<S> {
    pub(crate) const BLANK: Buffer<S> =
        Buffer { classes: Classes::NONE, put: 0, taken: 0, lost: 0, notes: S::Notes::BLANK };

    /// Keeps a note, or counts it as lost.
    #[inline(always)]
    pub fn put(&mut self, note: Note, time: Moment) {
        if self.put.wrapping_sub(self.taken) >= S::Notes::LENGTH as u32 {
            self.lost = self.lost.saturating_add(1);
            return;
        }
        let [first, second] = note.words;
        *self.notes.at_mut(self.put as usize) = [note.header, time.ticks(), first, second];
        self.put = self.put.wrapping_add(1);
    }

    /// Keeps a note of what happened at `time`, as somebody says who may be wrong: not before what was kept last.
    pub fn put_late(&mut self, note: Note, time: Moment, now: Moment) {
        let [_, last, ..] = *self.notes.at(self.put.wrapping_sub(1) as usize);
        self.put(note, time.within(Moment::from_ticks(last), now));
    }

    /// The oldest note, if there is one.
    pub fn take(&mut self) -> Option<Stored> {
        if self.put == self.taken {
            return None;
        }
        let note = *self.notes.at(self.taken as usize);
        self.taken = self.taken.wrapping_add(1);
        Some(note)
    }

    /// Notes behind all others how many were lost; there is room.
    pub fn own_up(&mut self, time: Moment) {
        let lost = core::mem::take(&mut self.lost);
        if lost > 0 {
            self.put(Note::lost(lost), time);
        }
    }
}
