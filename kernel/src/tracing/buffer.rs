//! The trace buffer on a target: a ring of notes of fixed size, filled by the kernel, emptied by one thread.
//!
//! ```text
//!     put:   a note is kept if there is room (1); otherwise it is lost, and counted (2)
//!     take:  the reader gets the oldest note; then a note about the lost ones goes behind the others (3)
//! ```
//! (1), (2) [`Buffer::put`], (3) [`Buffer::take`].
//!
//! Notes come from threads (by their calls), interrupts, the alarm and programs. All of them pass through the
//! kernel, where nothing is preempted, so no writer ever waits for another or for the reader, and none loses
//! its place. A full buffer keeps the old notes: the beginning of a story tells more than a piece of its
//! middle.

use beryl_abi::{Classes, Moment, Note};

use crate::sizes::Sizes;
use crate::table::{Blank, Table};
use crate::tracing::stored::Stored;

/// The notes that haven't been read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Buffer<S: Sizes> {
    /// The classes to keep.
    pub(crate) classes: Classes,
    /// How many were put in and taken out, modulo a word. They never differ by more than the length.
    put: u32,
    taken: u32,
    /// How many were lost since the last note about that.
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

    /// Keeps a note of something that happened at `time`, as told by somebody who may be wrong: it never
    /// counts as earlier than the last note.
    pub fn put_late(&mut self, note: Note, time: Moment, now: Moment) {
        let [_, last, ..] = *self.notes.at(self.put.wrapping_sub(1) as usize);
        self.put(note, time.within(Moment::from_ticks(last), now));
    }

    /// How many notes were put in since the start, modulo a word.
    pub fn noted(&self) -> u32 {
        self.put
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

    /// Adds a note of how many were lost; there is room.
    pub fn own_up(&mut self, time: Moment) {
        let lost = core::mem::take(&mut self.lost);
        if lost > 0 {
            self.put(Note::lost(lost), time);
        }
    }
}
