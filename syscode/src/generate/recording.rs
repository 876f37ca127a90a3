//! A recording: what the default scheduler did in one period of a module, in a room of fixed length.
//!
//! ```text
//!            a period begins (1)          it ends (1)
//!   Asked ---------------------> Begun ---------------> Complete
//!                                  |  a record of something that went wrong (2), no room (2)
//!                                  +---------------> Spoiled, Crowded
//! ```
//! (1) `Recorder::turn`, (2) `Recorder::take`.
//!
//! The kernel feeds it with its own records, in order. Logical instants decide to which stretch a note
//! belongs, so it doesn't matter how late the kernel came to it.
//!
//! In the room: a word with the final state in bits 0 to 7 and the number of notes above, the period in
//! ticks, and three words for each note: the task; when its job was released, from the period's beginning;
//! when it is due, or 0 if the task was given the processor.

use beryl_abi::{Instant, Record, ThreadId};

use super::Unwritten;

/// An action of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its task.
    pub task: ThreadId,
    at: u32,
    due: u32,
}

/// Words of a note.
const NOTE: usize = 3;
/// Words before the first note.
const HEAD: usize = 2;
/// Bytes of a word.
const WORD: usize = 4;

impl Note {
    /// When the job was released and is due, if the note is about a release.
    #[must_use]
    pub fn release(&self) -> Option<(u32, u32)> {
        (self.due > 0).then_some((self.at, self.due))
    }

    fn decode([task, at, due]: &[u32; NOTE]) -> Note {
        Note { task: ThreadId(*task as u8), at: *at, due: *due }
    }
}

/// How far a recording has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Recorded {
    /// The period hasn't begun.
    Asked = 0,
    /// It is being recorded.
    Begun = 1,
    /// It has been recorded.
    Complete = 2,
    /// Something went wrong in it.
    Spoiled = 3,
    /// More happened than there is room for.
    Crowded = 4,
}

/// A recording in progress: the part that is kept outside the room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Recorder {
    begin: Instant,
    count: u16,
    recorded: Recorded,
}

impl Recorder {
    /// For the next period to begin after an instant.
    #[must_use]
    pub const fn asked(at: Instant) -> Recorder {
        Recorder { begin: at, count: 0, recorded: Recorded::Asked }
    }

    /// How far it has come.
    #[must_use]
    pub fn recorded(&self) -> Recorded {
        self.recorded
    }

    /// How many bytes of the room it uses.
    #[must_use]
    pub fn length(&self) -> u16 {
        ((HEAD * WORD) as u16).saturating_add(self.count.saturating_mul((NOTE * WORD) as u16))
    }

    /// A period of the module ends at an instant, and the next begins.
    pub fn turn(&mut self, instant: Instant, room: &mut [u8]) {
        match self.recorded {
            Recorded::Asked => *self = Recorder { begin: instant, count: 0, recorded: Recorded::Begun },
            Recorded::Begun => self.end(Recorded::Complete, self.since_begin(instant), room),
            Recorded::Complete | Recorded::Spoiled | Recorded::Crowded => {}
        }
    }

    /// The kernel's next record.
    pub fn take(&mut self, record: &Record, room: &mut [u8]) {
        if self.recorded != Recorded::Begun {
            return;
        }
        match *record {
            Record::Release { task, instant, deadline } => {
                let due = self.since_begin(deadline).max(1);
                self.note([task.0.into(), self.since_begin(instant), due], room);
            }
            Record::Switch { to, .. } => self.note([to.0.into(), 0, 0], room),
            Record::Skip { .. }
            | Record::Violation { .. }
            | Record::Miss { .. }
            | Record::Overrun { .. }
            | Record::Fault { .. }
            | Record::Swap { .. } => self.end(Recorded::Spoiled, 0, room),
            Record::Complete { .. }
            | Record::Driver { .. }
            | Record::State { .. }
            | Record::Stray { .. }
            | Record::Note(_) => {}
        }
    }

    fn since_begin(&self, instant: Instant) -> u32 {
        u32::try_from(instant.since(self.begin).ticks()).unwrap_or(u32::MAX)
    }

    fn note(&mut self, words: [u32; NOTE], room: &mut [u8]) {
        match write(room, self.length().into(), words) {
            Some(()) => self.count += 1,
            None => self.end(Recorded::Crowded, 0, room),
        }
    }

    fn end(&mut self, recorded: Recorded, period: u32, room: &mut [u8]) {
        self.recorded = recorded;
        if write(room, 0, [recorded as u32 | u32::from(self.count) << 8, period]).is_none() {
            self.recorded = Recorded::Crowded;
        }
    }
}

/// Writes words at a position of a room, if they fit.
fn write<const N: usize>(room: &mut [u8], place: usize, words: [u32; N]) -> Option<()> {
    let (places, _) = room.get_mut(place..place + N * WORD)?.as_chunks_mut();
    // bound: 3, the words of a note
    for (place, word) in places.iter_mut().zip(words) {
        *place = word.to_le_bytes();
    }
    Some(())
}

/// A finished recording, in words.
#[derive(Clone, Copy, Debug)]
pub struct Recording<'m>(&'m [u32]);

impl<'m> Recording<'m> {
    /// The words in the room.
    #[must_use]
    pub const fn new(words: &'m [u32]) -> Recording<'m> {
        Recording(words)
    }

    /// The recorded notes, and the period's length.
    pub(super) fn complete(&self) -> Result<(Notes<'m>, u32), Unwritten> {
        let [head, period, notes @ ..] = self.0 else { return Err(Unwritten::Unfinished) };
        const COMPLETE: u32 = Recorded::Complete as u32;
        const SPOILED: u32 = Recorded::Spoiled as u32;
        const CROWDED: u32 = Recorded::Crowded as u32;
        match head & 0xFF {
            COMPLETE => {
                let notes = notes.get(..(head >> 8) as usize * NOTE).ok_or(Unwritten::Unfinished)?;
                Ok((Notes(notes.as_chunks().0), *period))
            }
            SPOILED => Err(Unwritten::Spoiled),
            CROWDED => Err(Unwritten::Crowded),
            _ => Err(Unwritten::Unfinished),
        }
    }
}

/// The notes of a whole recording.
#[derive(Clone, Copy)]
pub(super) struct Notes<'m>(&'m [[u32; NOTE]]);

impl<'m> Notes<'m> {
    /// All of them, in order.
    pub fn iter(self) -> impl Iterator<Item = Note> + 'm {
        self.0.iter().map(Note::decode)
    }
}
