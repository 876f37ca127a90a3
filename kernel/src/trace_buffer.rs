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

use beryl_abi::{CallError, Classes, Moment, Note, ThreadId};

use crate::calls::Outcome;
use crate::event::Machine;
use crate::handle::{Kernel, Next};
use crate::sizes::{Blank, Sizes, Table};

/// A note as it lies in the buffer: header, low word of kernel time, the kind's words.
pub type Kept = [u32; 4];

/// Bytes of a note in the buffer.
const KEPT_BYTES: u32 = 16;
/// The most notes that one step copies out.
const MOST_TAKEN: u32 = 4;
/// The most bytes of a driver's value that are kept.
const MOST_OF_VALUE: u32 = 32;

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
    fn put(&mut self, note: Note, time: Moment) {
        if self.put.wrapping_sub(self.taken) >= S::Notes::LENGTH as u32 {
            self.lost = self.lost.saturating_add(1);
            return;
        }
        let [first, second] = note.words;
        *self.notes.at_mut(self.put as usize) = [note.header, time.ticks(), first, second];
        self.put = self.put.wrapping_add(1);
    }

    /// The oldest note, if there is one.
    fn take(&mut self) -> Option<Kept> {
        if self.put == self.taken {
            return None;
        }
        let note = *self.notes.at(self.taken as usize);
        self.taken = self.taken.wrapping_add(1);
        Some(note)
    }

    /// Notes behind all others how many were lost; there is room.
    fn own_up(&mut self, time: Moment) {
        let lost = core::mem::take(&mut self.lost);
        if lost > 0 {
            self.put(Note::lost(lost), time);
        }
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Keeps a note, if its class is wanted.
    #[inline(always)]
    pub(crate) fn store(&mut self, note: Note) {
        let others_listen = Self::HAS_TAKEOVERS || self.state.host.is_any();
        if others_listen && !self.state.buffer.classes.has(note.class()) {
            return;
        }
        let time = self.machine.moment();
        self.state.buffer.put(note, time);
    }

    /// Keeps the beginning of a driver's value, behind its note: two words a note.
    #[cold]
    #[inline(never)]
    pub(crate) fn store_value(&mut self, address: u32, length: u32) {
        let length = length.min(MOST_OF_VALUE);
        let mut offset = 0;
        // bound: 4
        while offset < length {
            let at = address.wrapping_add(offset);
            let second = if offset + 4 < length { self.machine.load(at.wrapping_add(4)) } else { 0 };
            let words = [self.machine.load(at), second];
            self.store(Note::new(beryl_abi::note::kind::VALUE, Classes::DRIVERS, 0, words));
            offset += 8;
        }
    }

    /// The caller tells something; it is nobody's business whether anybody listens.
    #[inline(never)]
    pub(crate) fn hear_event(&mut self, event: u32, value: u32) -> Outcome {
        self.note(Note::event(self.state.running, event as u16, value));
        self.succeed();
        Ok(Next::Stay)
    }

    /// The reader chooses classes. What is in the buffer stays there.
    pub(crate) fn choose_classes(&mut self, classes: u32) -> Outcome {
        self.must_be_reader()?;
        self.state.buffer.classes = Classes(classes as u16 & Classes::ALL.0);
        self.state.listen();
        self.succeed();
        Ok(Next::Stay)
    }

    /// The reader takes the oldest notes, as many as have room and one step copies.
    #[inline(never)]
    pub(crate) fn take_notes(&mut self, to: u32, length: u32) -> Outcome {
        self.must_be_reader()?;
        let most = (length / KEPT_BYTES).min(MOST_TAKEN);
        self.must_be_callers(to, most * KEPT_BYTES)?;
        let mut place = to;
        // bound: 4
        for _ in 0..most {
            let Some(note) = self.state.buffer.take() else { break };
            // bound: 4
            for word in note {
                self.machine.store(place, word);
                place = place.wrapping_add(4);
            }
        }
        if place != to {
            let time = self.machine.moment();
            self.state.buffer.own_up(time);
        }
        self.answer([beryl_abi::call::SUCCESS, place.wrapping_sub(to) / KEPT_BYTES, 0]);
        Ok(Next::Stay)
    }

    /// Refuses everybody but the thread that reads the buffer.
    fn must_be_reader(&self) -> Result<(), CallError> {
        match Self::HAS_BUFFER && self.state.running == ThreadId(S::READER) {
            true => Ok(()),
            false => Err(CallError::NoSuchObject),
        }
    }
}
