//! Constant rows of budgets.

use beryl_abi::ThreadId;

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
    /// Who is told when it is used up, or none.
    pub supervisor: ThreadId,
    /// The bits of the supervisor's notification that are set then.
    pub bits: u32,
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
    /// The place has its thread's lowest priority until the budget comes back.
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
        supervisor: ThreadId::NONE,
        bits: 0,
    };
    /// The longest amount, and the longest hold: an alarm reaches as far as both.
    pub const LONGEST: u32 = (1 << 29) - 1;

    /// Whether it is one.
    #[inline(always)]
    pub const fn is_some(&self) -> bool {
        self.amount != Budget::NONE.amount
    }
}
