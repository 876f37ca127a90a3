//! Reports: what a supervisor is told of others, as a message of its mailbox.
//!
//! ```text
//!   first word:  number of the report (bits 0 to 7), how often (8 to 23), of the instant bits 32 to 39 (24 to 31)
//!   second word: of the instant bits 0 to 31
//! ```
//! Which thread or object a number is about, and what has happened to it, is constant: the builder gives supervisors
//! a table of that.

use crate::time::Instant;

/// What a supervisor is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Incident {
    /// A thread faulted.
    Fault = 0,
    /// A job, or a thread in a period of its budget, has used more than it may.
    Overrun = 1,
    /// A job ended late, or wasn't done at the next release.
    Miss = 2,
    /// A program needed what a task was still working on.
    Violation = 3,
    /// Something came too early to a gate that drops it, or a thread asked for what it has no right to.
    Refusal = 4,
}

impl Incident {
    /// All of them, by their numbers.
    pub const ALL: [Incident; 5] =
        [Incident::Fault, Incident::Overrun, Incident::Miss, Incident::Violation, Incident::Refusal];
    /// How many may happen to one thread.
    pub const OF_A_THREAD: usize = 4;
}

/// A report as it is fetched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Report {
    /// Which one.
    pub number: u8,
    /// How often it has happened since the report before with this number was fetched: at least once. 65,535 stands
    /// for that and more.
    pub count: u16,
    /// When it happened last.
    pub at: Instant,
}

/// How many bits of an instant travel.
const BITS: u32 = 40;

impl Report {
    /// As a message.
    #[must_use]
    #[inline(always)]
    pub const fn words(self) -> [u32; 2] {
        let ticks = self.at.ticks();
        let high = (ticks >> 32) as u32 & 0xFF;
        [self.number as u32 | (self.count as u32) << 8 | high << 24, ticks as u32]
    }

    /// The report that a message is. It happened less than 2^40 ticks (12 hours at 25 MHz) before `now`.
    #[must_use]
    pub const fn of([first, low]: [u32; 2], now: Instant) -> Report {
        let told = ((first >> 24) as u64) << 32 | low as u64;
        let ago = now.ticks().wrapping_sub(told) & ((1 << BITS) - 1);
        let at = Instant::from_ticks(now.ticks().saturating_sub(ago));
        Report { number: first as u8, count: (first >> 8) as u16, at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_comes_as_it_was_sent() {
        for at in [0, 1, 0xFFFF_FFFF, 0x1_0000_0000, 0xFF_FFFF_FFFF, 0x100_0000_0000, 0x7_1234_5678_9ABC] {
            for later in [0, 1, 0xFFFF_FFFF, 0xFF_FFFF_FFFF] {
                let report = Report { number: 250, count: 65_535, at: Instant::from_ticks(at) };
                assert_eq!(
                    Report::of(report.words(), Instant::from_ticks(at + later)),
                    report,
                    "{at} {later}"
                );
            }
        }
    }
}
