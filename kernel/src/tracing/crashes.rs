//! What is left of a thread that faulted is written down before it is stopped, a piece each step.
//!
//! Nobody runs between the fault and the last piece, and the thread's registers and stack are given up when it is stopped.
//! So the steps of the record come right before those of the stop.

use beryl_abi::crash::{CrashPart, HEAD, PIECE};
use beryl_abi::{Classes, Fault, Note, Record, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::parts::Parts;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::Optional;
use crate::tracing::stored::Stored;

/// The parts of a piece.
const PARTS_OF_PIECE: u8 = (PIECE / 2) as u8;

impl<S: Sizes> State<S> {
    /// Whether a crash record is being written.
    #[inline(always)]
    pub(crate) fn is_writing_crash(&self) -> bool {
        self.writing.get(0).is_some_and(|crashes| crashes.is_writing())
    }

    /// The fault was the host's event, so all registers of its thread are kept.
    #[inline(always)]
    pub(crate) fn know_registers(&mut self) {
        if let Some(crashes) = self.writing.get_mut(0) {
            crashes.is_whole = true;
        }
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// A thread has faulted: its record begins. Of one that runs, only a host that brings the fault itself has kept all
    /// registers; a call or an interrupt leaves some where they are.
    #[cold]
    #[inline(never)]
    pub(crate) fn begin_crash(&mut self, thread: ThreadId, fault: Fault) {
        let time = self.machine.now();
        let notes = if S::HAS_BUFFER { self.state.buffer.noted() } else { 0 };
        if let Some(crashes) = self.state.writing.get_mut(0) {
            crashes.is_whole = thread != self.state.processor.running();
            crashes.begin(thread, fault, time, notes, S::CRASHES);
        }
    }

    /// Writes the next piece down.
    #[inline(never)]
    pub(crate) fn write_crash_down(&mut self) {
        let Some(crashes) = self.state.writing.get_mut(0) else { return };
        let (place, piece, thread) = (crashes.place(S::CRASHES), crashes.piece(), crashes.thread);
        let Some(crash) = self.state.crashes.get_mut(place) else { return };
        let Some(words) = crash.as_chunks_mut::<PIECE>().0.get_mut(usize::from(piece)) else { return };
        let mut written = 0;
        if piece == HEAD {
            let [.., pointer, _] = &mut crashes.head;
            *pointer = self.machine.stack_pointer(thread);
            let mut from = crashes.head.iter();
            // bound: 8, `PIECE`
            for word in words {
                *word = from.next().copied().unwrap_or_default();
            }
        } else {
            let known = if piece != 1 || crashes.is_whole { thread } else { ThreadId::NONE };
            written = self.machine.write_down(known, piece, words);
        }
        crashes.go_on(written);
        if self.state.host.has(Classes::FAULTS) {
            self.tell_piece(place, piece, thread);
        }
    }

    /// Tells the host a piece.
    #[cold]
    #[inline(never)]
    fn tell_piece(&mut self, place: usize, piece: u8, thread: ThreadId) {
        let mut number = piece.wrapping_mul(PARTS_OF_PIECE);
        let end = number.wrapping_add(PARTS_OF_PIECE);
        // bound: 4, `PARTS_OF_PIECE`
        while number < end {
            if let Some([first, second]) = self.part(place, number) {
                let note = Note::crash(CrashPart { thread, number }, first, second);
                self.machine.trace(Record::Note(note));
            }
            number = number.wrapping_add(1);
        }
    }

    /// The next part of the oldest record, for the reader of the buffer, with the time of the fault.
    pub(super) fn take_part(&mut self) -> Option<Stored> {
        if !self.state.buffer.classes.has(Classes::FAULTS) {
            return None;
        }
        let (place, number) = self.state.writing.get_mut(0)?.take(S::CRASHES)?;
        let [extent, time, ..] =
            *self.state.crashes.get(place)?.as_chunks::<PIECE>().0.get(usize::from(HEAD))?;
        let [first, second] = self.part(place, number)?;
        let [_, thread, ..] = extent.to_le_bytes();
        let part = CrashPart { thread: ThreadId(thread), number };
        Some([Note::crash(part, first, second).header, time, first, second])
    }

    /// The words of a part.
    fn part(&self, place: usize, number: u8) -> Option<[u32; 2]> {
        self.state.crashes.get(place)?.as_chunks::<2>().0.get(usize::from(number)).copied()
    }
}
