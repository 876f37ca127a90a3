//! Trace records: what the kernel tells about a run, and their binary form.
//!
//! A record is a sequence of little-endian words: a header (kind in bits 0 to 7, subject in bits 8
//! to 23, number of the words that follow in bits 24 to 31), the kernel time in two words (low,
//! high), then the kind's own words. The value of a driver comes last, padded to whole words; its
//! length in bytes precedes it.

use crate::note::{Classes, Note, class_of_kind};
use crate::{DriverId, Fault, Instant, Line, ProgramId, Range, ThreadId};

/// One thing that happened. Instants inside a record are logical, those beside it (when it was
/// written) physical.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Record {
    /// A job of a task was released, to be done by `deadline`.
    Release {
        /// The task.
        task: ThreadId,
        /// The logical instant of the release.
        instant: Instant,
        /// The end of its logical execution time.
        deadline: Instant,
    },
    /// A thread was given the processor.
    Switch {
        /// Who had it until now.
        from: ThreadId,
        /// Who has it from now on.
        to: ThreadId,
    },
    /// A task ended its job.
    Complete {
        /// The task.
        task: ThreadId,
    },
    /// A task ended its job after its deadline.
    Miss {
        /// The task.
        task: ThreadId,
        /// The deadline that it missed.
        deadline: Instant,
    },
    /// A driver was carried out at a logical instant.
    Driver {
        /// The driver.
        driver: DriverId,
        /// The logical instant.
        instant: Instant,
        /// What it moved.
        value: Range,
    },
    /// A driver or a release was left out because its process or task had been stopped.
    Skip {
        /// The program that asked for it.
        program: ProgramId,
        /// The logical instant.
        instant: Instant,
    },
    /// A time-safety violation: at this instant the program needed what the task was still working on.
    Violation {
        /// The task that hadn't completed; its job was stopped.
        task: ThreadId,
        /// The logical instant.
        instant: Instant,
    },
    /// A thread did something that it may not do, and was stopped.
    Fault {
        /// The thread.
        thread: ThreadId,
        /// What it did.
        fault: Fault,
    },
    /// A job used more processor time than the system description allows.
    Overrun {
        /// The task.
        task: ThreadId,
    },
    /// An interrupt came that nobody asked for; its line is masked from now on.
    Stray {
        /// The line.
        line: Line,
    },
    /// A program has taken over from another of its module.
    Swap {
        /// The module's program.
        program: ProgramId,
        /// The room in which the new one lies: 0 is the image.
        room: u8,
        /// The logical instant.
        instant: Instant,
    },
    /// What happened to a thread or an object.
    Note(Note),
}

/// The number of words of the longest record without its value.
pub const LONGEST: usize = 8;

pub use crate::kinds::kind;

impl Record {
    /// The record's words, written at kernel time `time`, handed one by one to `sink`. `word`
    /// reads the word at an address of the value's range.
    pub fn encode(&self, time: Instant, mut sink: impl FnMut(u32), word: impl Fn(u32) -> u32) {
        let (subject, count, own) = self.parts();
        let value = match *self {
            Record::Driver { value, .. } => value,
            _ => Range::EMPTY,
        };
        let values = value.length.div_ceil(4);
        sink(self.kind() | (subject & 0xFFFF) << 8 | (2 + count + values) << 24);
        sink(low(time));
        sink(high(time));
        // bound: 4
        own.iter().take(count as usize).for_each(|word| sink(*word));
        // bound: WORDS
        (0..values).for_each(|index| sink(word(value.address.saturating_add(index * 4))));
    }

    /// Subject, and the kind's own words: how many of them, and which.
    fn parts(&self) -> (u32, u32, [u32; 4]) {
        let pair = |instant: Instant| [low(instant), high(instant), 0, 0];
        match *self {
            Record::Release { task, instant, deadline } => {
                (task.0.into(), 4, [low(instant), high(instant), low(deadline), high(deadline)])
            }
            Record::Switch { from, to } => (to.0.into(), 1, [from.0.into(), 0, 0, 0]),
            Record::Complete { task } => (task.0.into(), 0, [0; 4]),
            Record::Miss { task, deadline } => (task.0.into(), 2, pair(deadline)),
            Record::Driver { driver, instant, value } => {
                (driver.0.into(), 3, [low(instant), high(instant), value.length, 0])
            }
            Record::Skip { program, instant } => (program.0.into(), 2, pair(instant)),
            Record::Violation { task, instant } => (task.0.into(), 2, pair(instant)),
            Record::Fault { thread, fault } => {
                (thread.0.into(), 3, [fault.kind as u32, fault.address, fault.instruction, 0])
            }
            Record::Overrun { task } => (task.0.into(), 0, [0; 4]),
            Record::Stray { line } => (line.0.into(), 0, [0; 4]),
            Record::Swap { program, room, instant } => {
                (program.0.into(), 3, [low(instant), high(instant), room.into(), 0])
            }
            Record::Note(note) => {
                let [first, second] = note.words;
                (note.subject().into(), 2, [first, second, 0, 0])
            }
        }
    }

    /// Its kind.
    const fn kind(&self) -> u32 {
        match self {
            Record::Release { .. } => kind::RELEASE,
            Record::Switch { .. } => kind::SWITCH,
            Record::Complete { .. } => kind::COMPLETE,
            Record::Miss { .. } => kind::MISS,
            Record::Driver { .. } => kind::DRIVER,
            Record::Skip { .. } => kind::SKIP,
            Record::Violation { .. } => kind::VIOLATION,
            Record::Fault { .. } => kind::FAULT,
            Record::Overrun { .. } => kind::OVERRUN,
            Record::Stray { .. } => kind::STRAY,
            Record::Swap { .. } => kind::SWAP,
            Record::Note(note) => note.kind(),
        }
    }

    /// Its class.
    #[must_use]
    #[inline(always)]
    pub const fn class(&self) -> Classes {
        match self {
            Record::Note(note) => note.class(),
            other => class_of_kind(other.kind()),
        }
    }

    /// The same in a note: of instants the low words, of a driver's value the length, of a fault no instruction.
    #[must_use]
    #[inline(always)]
    pub const fn note(&self) -> Note {
        let (subject, words) = match *self {
            Record::Release { task, instant, deadline } => (task.0 as u16, [low(instant), low(deadline)]),
            Record::Switch { from, to } => (to.0 as u16, [from.0 as u32, 0]),
            Record::Complete { task } => (task.0 as u16, [0, 0]),
            Record::Miss { task, deadline } => (task.0 as u16, [low(deadline), 0]),
            Record::Driver { driver, instant, value } => (driver.0, [low(instant), value.length]),
            Record::Skip { program, instant } => (program.0 as u16, [low(instant), 0]),
            Record::Violation { task, instant } => (task.0 as u16, [low(instant), 0]),
            Record::Fault { thread, fault } => (thread.0 as u16, [fault.address, fault.kind as u32]),
            Record::Overrun { task } => (task.0 as u16, [0, 0]),
            Record::Stray { line } => (line.0, [0, 0]),
            Record::Swap { program, room, instant } => (program.0 as u16, [low(instant), room as u32]),
            Record::Note(note) => return note,
        };
        Note::of(self.kind(), subject, words)
    }
}

const fn low(instant: Instant) -> u32 {
    instant.ticks() as u32
}

const fn high(instant: Instant) -> u32 {
    (instant.ticks() >> 32) as u32
}
