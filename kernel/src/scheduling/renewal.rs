//! What is being put back to the start, how far that has come, and how often it was done.

use beryl_abi::{Instant, ProcessId};

use crate::rows::restarts::Restart;
use crate::table::Blank;

/// A process that begins anew, and how far that has come.
///
/// ```text
///   Nothing --begin (1)--> Memory --> Semaphores --> Mailboxes --> EventGroups --> Slots --> Threads --> Lines
///      ^                                           pass on (2), each when nothing of it is left             |
///      +----------------------------------------------------------------------------------------------------+
/// ```
/// (1) [`begin`](Renewal::begin), (2) [`pass_on`](Renewal::pass_on). Each is done one at a time, the memory
/// piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Renewal {
    /// What is put back now.
    pub(crate) stage: Stage,
    /// The process.
    pub(crate) process: ProcessId,
    /// The next of the stage: a semaphore, a thread.
    pub(crate) next: u16,
    /// The next piece of memory.
    pub(crate) piece: Piece,
}

/// What is put back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    /// Nothing.
    Nothing,
    /// The memory that the process has for itself.
    Memory,
    /// Semaphores that only it may name.
    Semaphores,
    /// Mailboxes that only it may name.
    Mailboxes,
    /// Event groups that only it may name.
    EventGroups,
    /// Programs that were being checked for it.
    Slots,
    /// Its threads.
    Threads,
    /// The lines that its threads serve.
    Lines,
}

/// A piece of a process's memory, as a host counts them: the stretch of memory, and the bytes of it that are
/// done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The number of the stretch.
    pub stretch: u16,
    /// The bytes of it that are done.
    pub done: u32,
}

impl Piece {
    /// The first one.
    pub const FIRST: Piece = Piece { stretch: 0, done: 0 };
}

impl Blank for Renewal {
    const BLANK: Renewal =
        Renewal { stage: Stage::Nothing, process: ProcessId(0), next: 0, piece: Piece::FIRST };
}

impl Renewal {
    /// (1) A process begins anew.
    pub(crate) fn begin(&mut self, process: ProcessId) {
        *self = Renewal { stage: Stage::Memory, process, ..Renewal::BLANK };
    }

    /// (2) Nothing is left of this stage.
    pub(crate) fn pass_on(&mut self) {
        self.next = 0;
        self.stage = match self.stage {
            Stage::Nothing | Stage::Lines => Stage::Nothing,
            Stage::Memory => Stage::Semaphores,
            Stage::Semaphores => Stage::Mailboxes,
            Stage::Mailboxes => Stage::EventGroups,
            Stage::EventGroups => Stage::Slots,
            Stage::Slots => Stage::Threads,
            Stage::Threads => Stage::Lines,
        };
    }
}

/// When a process began anew, as far as that decides whether it may once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Restarts {
    /// The last ones, in a ring.
    at: [Instant; Restart::MOST as usize],
    /// How often in all; at most 65,535.
    pub(crate) made: u16,
    /// The place in the ring for the next one.
    next: u8,
}

// The ring's places are found by a mask.
const _: () = assert!(Restart::MOST.is_power_of_two());

impl Blank for Restarts {
    const BLANK: Restarts = Restarts { at: [Instant::START; Restart::MOST as usize], made: 0, next: 0 };
}

impl Restarts {
    /// Whether there may be one more restart now.
    pub(crate) fn may(&self, row: &Restart, now: Instant) -> bool {
        let most = row.most;
        let was_long_ago = |at: Instant| now.since(at).ticks() >= row.within.ticks();
        most > 0
            && (self.made < u16::from(most) || was_long_ago(self.at[place(self.next.wrapping_sub(most))]))
    }

    /// Takes note of one more restart, if there may be one now. Returns whether there may.
    pub(crate) fn note(&mut self, row: &Restart, now: Instant) -> bool {
        let may = self.may(row, now);
        if may {
            self.at[place(self.next)] = now;
            self.next = self.next.wrapping_add(1);
            self.made = self.made.saturating_add(1);
        }
        may
    }
}

/// A place in the ring.
const fn place(number: u8) -> usize {
    (number & (Restart::MOST - 1)) as usize
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use beryl_abi::Duration;
    use beryl_testing::{Draw, XorShiftStar};

    use super::*;

    #[test]
    fn never_more_than_declared_in_any_stretch_and_never_refused_without_need() {
        for seed in 0..400 {
            let mut random = XorShiftStar::from_zero(seed);
            let row = Restart {
                most: random.within(1, Restart::MOST.into()) as u8,
                within: Duration::from_ticks(random.within(1, 40)),
            };
            let (mut restarts, mut made, mut now) = (Restarts::BLANK, Vec::new(), 0);
            for _ in 0..60 {
                now += random.within(0, 15);
                let recent = made.iter().filter(|at| now - **at < row.within.ticks()).count();
                let is_allowed = recent < usize::from(row.most);
                let (asked, instant) = (restarts, Instant::from_ticks(now));
                assert_eq!(asked.may(&row, instant), is_allowed, "seed {seed}");
                assert_eq!(restarts.note(&row, instant), is_allowed, "seed {seed}");
                assert_eq!(restarts != asked, is_allowed, "seed {seed}: what is refused leaves no note");
                if is_allowed {
                    made.push(now);
                }
            }
        }
    }

    #[test]
    fn who_has_no_row_never_begins_anew() {
        assert!(!Restarts { ..Restarts::BLANK }.note(&Restart::NONE, Instant::START));
    }
}
