//! The state of a report.
//!
//! ```text
//!            it happens (1)            a step (2)                     its supervisor fetches it (3)
//!   Nothing ----------------> Unsent --------------> In the mailbox ---------------------------------> Nothing
//!                              |  ^                      |  ^
//!                              +--+ it happens again (1) +--+
//! ```
//! (1) [`note`](ReportState::note), (2) `Kernel::send_report`, (3) [`take`](ReportState::take).
//!
//! A report is in its mailbox once at most, so there is always room, and nothing is lost: what happens again is
//! counted, up to 65,535.

use beryl_abi::{Instant, Report};

use crate::rows::reports::ReportId;
use crate::table::Blank;

/// A report's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ReportState {
    /// The instant at which it happened last: what a message carries of it.
    low: u32,
    high: u8,
    /// The next one that is to be sent, behind this one.
    pub(crate) next: ReportId,
    /// How often it has happened since it was fetched.
    count: u16,
}

impl ReportState {
    /// (1) It has happened. Returns whether it has yet to be sent, since nothing is on the way.
    pub(crate) fn note(&mut self, now: Instant) -> bool {
        let is_first = self.count == 0;
        (self.low, self.high) = (now.ticks() as u32, (now.ticks() >> 32) as u8);
        self.count = self.count.saturating_add(1);
        is_first
    }

    /// (3) What is told of it. Nothing is on the way then.
    pub(crate) fn take(&mut self, number: u8) -> [u32; 2] {
        let at = Instant::from_ticks(u64::from(self.high) << 32 | u64::from(self.low));
        let report = Report { number, count: self.count, at };
        *self = ReportState::BLANK;
        report.words()
    }
}

impl Blank for ReportState {
    const BLANK: ReportState = ReportState { low: 0, high: 0, next: ReportId(0), count: 0 };
}

/// The reports that have yet to be sent, in the order in which they came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Unsent {
    pub(crate) first: ReportId,
    /// Where there is a first, the last.
    pub(crate) last: ReportId,
}

impl Unsent {
    /// None.
    pub(crate) const NONE: Unsent = Unsent { first: ReportId::NONE, last: ReportId::NONE };
}

impl Blank for Unsent {
    const BLANK: Unsent = Unsent { first: ReportId(0), last: ReportId(0) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_happens_again_is_counted_and_dated_anew() {
        let mut state = ReportState::BLANK;
        assert!(state.note(Instant::from_ticks(7)), "the first has to be sent");
        assert!(!state.note(Instant::from_ticks(0x12_0000_0009)), "the second is counted");
        let told = Report { number: 3, count: 2, at: Instant::from_ticks(0x12_0000_0009) };
        assert_eq!(state.take(3), told.words());
        assert!(state.note(Instant::from_ticks(8)), "it was fetched");
    }

    #[test]
    fn a_count_that_is_full_stays_full() {
        let mut state = ReportState { count: u16::MAX, ..ReportState::BLANK };
        assert!(!state.note(Instant::START));
        assert_eq!(Report::of(state.take(0), Instant::START).count, u16::MAX);
    }
}
