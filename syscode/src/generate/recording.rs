//! A recording: what the default scheduler did in one period, in a bounded list.
//!
//! ```text
//!             a record from the period's begin on (1)        one from behind its end (2)
//!   Waiting ------------------------------------> Recording ---------------------------> Complete
//!                                                     |  one of something that went wrong (3), no room (4)
//!                                                     +----------------------------------> Spoiled, Crowded
//! ```
//! All of them: `take`.
//!
//! It is fed with the kernel's own records, in their order. Logical instants tell to which stretch something belongs, so that it doesn't matter
//! how late the kernel came to it.

use beryl_abi::{Duration, Instant, Record, ThreadId};

use super::Unwritten;

/// Something that the scheduler did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The task that it is about.
    pub task: ThreadId,
    /// When its job was released, from the period's begin on, and when it is due; both 0 where the task was given the processor.
    at: u32,
    due: u32,
}

impl Note {
    /// When the note's job was released and is due, if that is what it says.
    #[must_use]
    pub fn release(&self) -> Option<(u32, u32)> {
        (self.due > 0).then_some((self.at, self.due))
    }
}

/// How far a recording has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The period hasn't begun.
    Waiting,
    /// It is being recorded.
    Recording,
    /// It was.
    Complete,
    /// Something went wrong in it.
    Spoiled,
    /// More happened than there is room for.
    Crowded,
}

/// A recording.
pub struct Recording<'m> {
    begin: Instant,
    period: u32,
    notes: &'m mut [Note],
    count: usize,
    recorded: Recorded,
}

impl<'m> Recording<'m> {
    /// Of a period that begins at an instant; up to 2^32 ticks of it.
    #[must_use]
    pub fn new(begin: Instant, period: Duration, notes: &'m mut [Note]) -> Recording<'m> {
        let period = u32::try_from(period.ticks()).unwrap_or(u32::MAX);
        Recording { begin, period, notes, count: 0, recorded: Recorded::Waiting }
    }

    /// How far it has come.
    #[must_use]
    pub fn recorded(&self) -> Recorded {
        self.recorded
    }

    /// The kernel's next record.
    pub fn take(&mut self, record: Record) {
        match record {
            Record::Release { task, instant, deadline } => self.release(task, instant, deadline),
            Record::Switch { to, .. } if self.recorded == Recorded::Recording => {
                self.note(Note { task: to, at: 0, due: 0 });
            }
            Record::Skip { .. }
            | Record::Violation { .. }
            | Record::Miss { .. }
            | Record::Overrun { .. }
            | Record::Fault { .. }
            | Record::Swap { .. }
                if self.recorded == Recorded::Recording =>
            {
                self.recorded = Recorded::Spoiled;
            }
            _ => {}
        }
    }

    fn release(&mut self, task: ThreadId, instant: Instant, deadline: Instant) {
        if instant < self.begin || !matches!(self.recorded, Recorded::Waiting | Recorded::Recording) {
            return;
        }
        let offset = |instant: Instant| u32::try_from(instant.since(self.begin).ticks()).unwrap_or(u32::MAX);
        let (at, due) = (offset(instant), offset(deadline));
        if at >= self.period {
            // One that begins too late has seen nothing.
            let is_whole = self.recorded == Recorded::Recording;
            self.recorded = if is_whole { Recorded::Complete } else { Recorded::Spoiled };
            return;
        }
        self.recorded = Recorded::Recording;
        self.note(Note { task, at, due: due.max(1) });
    }

    fn note(&mut self, note: Note) {
        match self.notes.get_mut(self.count) {
            Some(place) => {
                *place = note;
                self.count += 1;
            }
            None => self.recorded = Recorded::Crowded,
        }
    }

    /// What was recorded, and the period's length.
    pub(super) fn complete(&self) -> Result<(&[Note], u32), Unwritten> {
        match self.recorded {
            Recorded::Waiting | Recorded::Recording => Err(Unwritten::Unfinished),
            Recorded::Spoiled => Err(Unwritten::Spoiled),
            Recorded::Crowded => Err(Unwritten::Crowded),
            Recorded::Complete => Ok((self.notes.get(..self.count).unwrap_or_default(), self.period)),
        }
    }
}
