//! Tracing for the system itself: threads write into the buffer, and one thread reads it.

use beryl_abi::{CallError, Classes, Kind, Note, Range, ThreadId};

use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::parts::Parts;
use crate::sizes::Sizes;
use crate::tracing::stored::Stored;
use crate::ways::Any;

/// Bytes of a note in the buffer.
const KEPT_BYTES: u32 = 16;
/// The most notes that one step copies out.
const MOST_TAKEN: u32 = 4;
/// The most bytes of a value that are kept.
const MOST_OF_VALUE: u32 = 32;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Keeps a note, if its class is wanted.
    #[inline(always)]
    pub(crate) fn store(&mut self, note: Note) {
        let others_listen = S::HAS_TAKEOVERS || self.state.host.is_any();
        if others_listen && !self.state.buffer.classes.has(note.class()) {
            return;
        }
        let time = self.machine.moment();
        self.state.buffer.put(note, time);
    }

    /// Keeps the beginning of a value, behind the note that tells of it: two words in each note of this kind.
    #[cold]
    #[inline(never)]
    pub(crate) fn store_value(&mut self, kind: Kind, value: Range) {
        let Range { address, length } = value;
        let length = length.min(MOST_OF_VALUE);
        let mut offset = 0;
        // bound: 4
        while offset < length {
            let at = address.wrapping_add(offset);
            let second = if offset + 4 < length { self.machine.load(at.wrapping_add(4)) } else { 0 };
            let words = [self.machine.load(at), second];
            self.store(Note::of(kind, 0, words));
            offset += 8;
        }
    }

    /// The caller tells an event; it doesn't learn whether anybody listens.
    #[inline(never)]
    pub(crate) fn hear_event(&mut self, event: u32, value: u32) -> Outcome {
        self.note(Note::event(self.state.running(), event as u16, value));
        Ok(Next::Stay)
    }

    /// The reader chooses classes. What is in the buffer stays there.
    pub(crate) fn choose_classes(&mut self, classes: u32) -> Outcome {
        self.must_be_reader()?;
        self.state.buffer.classes = Classes(classes as u16 & Classes::ALL.0);
        self.state.listen();
        if S::HAS_JOURNALS {
            self.open_journals();
        }
        Ok(Next::Stay)
    }

    /// The reader takes the oldest notes: as many as it has room for and one step copies.
    #[inline(never)]
    pub(crate) fn take_notes(&mut self, to: u32, length: u32) -> Outcome {
        self.must_be_reader()?;
        let most = (length / KEPT_BYTES).min(MOST_TAKEN);
        self.must_be_callers(Any::UNDER_WAY, to, most * KEPT_BYTES)?;
        let mut place = to;
        // bound: 4
        for _ in 0..most {
            let Some(note) = self.next_note() else { break };
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
        self.answer([place.wrapping_sub(to) / KEPT_BYTES, 0]);
        Ok(Next::Stay)
    }

    /// The oldest note, or else the next part of a crash record.
    #[inline(always)]
    fn next_note(&mut self) -> Option<Stored> {
        match self.state.buffer.take() {
            None if S::HAS_CRASHES => self.take_part(),
            note => note,
        }
    }

    /// Refuses every caller but the thread that reads the buffer.
    fn must_be_reader(&self) -> Result<(), CallError> {
        match S::HAS_BUFFER && self.state.running() == ThreadId(S::READER) {
            true => Ok(()),
            false => Err(CallError::NoSuchObject),
        }
    }
}
