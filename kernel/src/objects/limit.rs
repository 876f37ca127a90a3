//! The state of a limit: whose turn its credits have, and how often a client was refused.
//!
//! ```text
//!              a request takes it (1)
//!     Here ------------------------------> Away
//!      ^                                    |
//!      +------- a stretch is over (2) ------+
//! ```
//! (1) `take`, (2) `is_here`. A client's credits are a ring, and come back in the order in which they went: if the next
//! one isn't here, none is.

use beryl_abi::{Duration, Instant};

use crate::table::Blank;

/// A limit's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LimitState {
    /// Which of the credits is taken next.
    next: u8,
    /// How often the client was refused: at most 65,535.
    refused: u16,
}

/// When a credit is back, or was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Credit(Instant);

impl LimitState {
    /// Which of the credits is taken next.
    #[inline(always)]
    pub(crate) fn next(&self) -> u8 {
        self.next
    }

    /// (1) The credit whose turn it is has been taken, of so many.
    #[inline(always)]
    pub(crate) fn pass_on(&mut self, credits: u8) {
        let next = self.next.wrapping_add(1);
        self.next = if next < credits { next } else { 0 };
    }

    /// The client was refused.
    pub(crate) fn refuse_one(&mut self) {
        self.refused = self.refused.saturating_add(1);
    }

    /// How often the client was refused.
    pub(crate) fn refused(&self) -> u16 {
        self.refused
    }
}

impl Credit {
    /// (2) Whether it is here.
    #[inline(always)]
    pub(crate) fn is_here(self, now: Instant) -> bool {
        self.0.is_due(now)
    }

    /// (1) It is taken, and comes back a stretch later.
    #[inline(always)]
    pub(crate) fn take(&mut self, now: Instant, within: u32) {
        self.0 = now.after(Duration::from_ticks(within as u64));
    }

    /// For hosts that compare states: without an instant that is past.
    pub(crate) fn forget(&mut self, now: Instant) {
        if self.is_here(now) {
            *self = Credit::BLANK;
        }
    }
}

impl Blank for LimitState {
    const BLANK: LimitState = LimitState { next: 0, refused: 0 };
}

impl Blank for Credit {
    const BLANK: Credit = Credit(Instant::START);
}
