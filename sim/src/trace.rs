//! Collects the kernel's records in their binary form, and counts them.

use beryl_abi::{Instant, Record};

use crate::history::Kept;
use crate::scenario::Past;

/// How many records of each kind a run produced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Jobs released.
    pub releases: u64,
    /// Times the processor went to another thread.
    pub switches: u64,
    /// Jobs completed.
    pub completions: u64,
    /// Jobs completed after their deadline.
    pub misses: u64,
    /// Drivers carried out.
    pub drivers: u64,
    /// State messages that were found written.
    pub states: u64,
    /// Drivers and releases that were skipped because something had been stopped.
    pub skips: u64,
    /// Time-safety violations.
    pub violations: u64,
    /// Faults.
    pub faults: u64,
    /// Jobs that used more processor time than declared.
    pub overruns: u64,
    /// Stray interrupts.
    pub strays: u64,
    /// Swaps of programs.
    pub swaps: u64,
    /// Notes about threads and objects.
    pub notes: u64,
}

/// An event that may end a run early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A deadline miss.
    Miss,
    /// A time-safety violation.
    Violation,
    /// A fault.
    Fault,
    /// A job that used more processor time than declared.
    Overrun,
    /// A stray interrupt.
    Stray,
    /// The first of any of these.
    Trouble,
}

impl Stop {
    /// The names, as command lines write them.
    pub const NAMES: [(&'static str, Stop); 6] = [
        ("miss", Stop::Miss),
        ("violation", Stop::Violation),
        ("fault", Stop::Fault),
        ("overrun", Stop::Overrun),
        ("stray", Stop::Stray),
        ("trouble", Stop::Trouble),
    ];

    /// Whether it has happened.
    pub(crate) fn has_come(self, counts: &Counts) -> bool {
        let of = |count: u64| count > 0;
        match self {
            Stop::Miss => of(counts.misses),
            Stop::Violation => of(counts.violations),
            Stop::Fault => of(counts.faults),
            Stop::Overrun => of(counts.overruns),
            Stop::Stray => of(counts.strays),
            Stop::Trouble => {
                of(counts.misses + counts.violations + counts.faults + counts.overruns + counts.strays)
            }
        }
    }
}

/// The trace so far: the bytes that a board would write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trace {
    pub(crate) bytes: Vec<u8>,
    pub(crate) counts: Counts,
    /// The past that is part of the state.
    pub(crate) kept: Vec<Kept>,
    /// When the last record was written.
    last: Instant,
}

impl Trace {
    /// A trace that keeps some of the past.
    pub(crate) fn keeping(keep: &[Past]) -> Trace {
        Trace { kept: keep.iter().map(|past| Kept::new(*past)).collect(), ..Trace::default() }
    }

    /// Appends a record written at `time`, or at the last record's time if that is later; `word` reads the
    /// system's memory.
    pub(crate) fn append(&mut self, record: Record, time: Instant, word: impl Fn(u32) -> u32) {
        let time = time.max(self.last);
        self.last = time;
        let bytes = &mut self.bytes;
        record.encode(time, |word| bytes.extend_from_slice(&word.to_le_bytes()), word);
        *self.count(&record) += 1;
        self.kept.iter_mut().for_each(|kept| kept.see(&record, time));
    }

    fn count(&mut self, record: &Record) -> &mut u64 {
        match record {
            Record::Release { .. } => &mut self.counts.releases,
            Record::Switch { .. } => &mut self.counts.switches,
            Record::Complete { .. } => &mut self.counts.completions,
            Record::Miss { .. } => &mut self.counts.misses,
            Record::Driver { .. } => &mut self.counts.drivers,
            Record::State { .. } => &mut self.counts.states,
            Record::Skip { .. } => &mut self.counts.skips,
            Record::Violation { .. } => &mut self.counts.violations,
            Record::Fault { .. } => &mut self.counts.faults,
            Record::Overrun { .. } => &mut self.counts.overruns,
            Record::Stray { .. } => &mut self.counts.strays,
            Record::Swap { .. } => &mut self.counts.swaps,
            Record::Note(_) => &mut self.counts.notes,
        }
    }
}
