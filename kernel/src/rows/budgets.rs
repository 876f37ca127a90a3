//! Constant rows of budgets.

use crate::rows::rank::Rank;

/// A place's budget: how much processor time it has, how that comes back, and what happens when it is used
/// up. There is one row for each thread, since each thread has one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Budget {
    /// The processor time that it has, in ticks: less than [`Budget::NONE`]'s.
    pub amount: u32,
    /// How it comes back.
    pub comes_back: ComesBack,
    /// What happens when it is used up.
    pub reaction: OnSpent,
    /// How much more whoever runs in the place may use, in ticks, if it is used up inside a section: while a
    /// lock is held or a client is served.
    pub hold: u32,
    /// What is charged to the place for what the kernel does for its thread while others run, in ticks: for each
    /// wait with a time limit, whose timer goes off, and for each interrupt that it serves.
    pub woken: u32,
    /// The rank of the place while it is lowered: one of a fixed band, below all places that are never lowered.
    /// Below the idle thread's nobody runs.
    pub background: Rank,
}

/// How a budget comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ComesBack {
    /// Whole, with each job: what one job may use. Debts end with their job.
    WithJobs,
    /// Every so many ticks, counted from the start, less the debt: what the place may use in any such period
    /// (a deferrable server).
    Every(u32),
}

/// What happens when a budget is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnSpent {
    /// It is counted and told. The place goes on.
    Tell,
    /// The job ends: it gives up what it holds, nothing of it is published, and its thread begins anew with
    /// the next one.
    EndJob,
    /// The place is in the background until the budget comes back. A section under a ceiling can't go there:
    /// one that takes longer than `hold` is a fault of its thread.
    Lower,
    /// As for a fault of the thread.
    Stop,
}

impl Budget {
    /// No budget: as much as there is.
    pub const NONE: Budget = Budget {
        amount: u32::MAX,
        comes_back: ComesBack::WithJobs,
        reaction: OnSpent::Tell,
        hold: 0,
        woken: 0,
        background: Rank::NONE,
    };
    /// The longest amount, and the longest hold: an alarm reaches as far as both.
    pub const LONGEST: u32 = (1 << 29) - 1;

    /// The preemption level of places in the background: no other place has it, if any is ever lowered.
    pub const BACKGROUND: u8 = 1;

    /// Whether it is one.
    #[inline(always)]
    pub const fn is_some(&self) -> bool {
        self.amount != Budget::NONE.amount
    }
}
