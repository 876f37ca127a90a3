//! The budget of a thread without jobs, or of several together.

use beryl_abi::Duration;
use beryl_kernel::Rule;

use super::Thread;
use crate::description::OnSpent;

/// What a thread without jobs may use of the processor in every period.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// How much.
    pub amount: Duration,
    /// How often it comes back.
    pub every: Duration,
    /// What is done when it is used up.
    pub on_spent: OnSpent,
    /// By which rule it comes back.
    pub rule: Rule,
    /// With whom the thread shares it, if it does.
    pub pool: Option<Pool>,
}

/// A budget that all threads of a process, group or band share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    /// The position of what they have in common among all that share a budget.
    pub shared: usize,
    /// Whether the thread is the most urgent of them: the budget stands with its place, and in the proof it stands for
    /// all of them.
    pub is_purse: bool,
}

impl Budget {
    /// Whether no more than it is ever used above the background, but for what ending it takes.
    #[must_use]
    pub fn is_enforced(&self) -> bool {
        self.on_spent != OnSpent::Tells
    }

    /// Whether its thread stands for it in the proof: one of those who share it does.
    #[must_use]
    pub fn is_counted(&self) -> bool {
        self.pool.is_none_or(|pool| pool.is_purse)
    }

    /// Whether its place is lowered when it is used up.
    #[must_use]
    pub fn lowers(&self) -> bool {
        self.on_spent.lowers()
    }

    /// Whether it is one of constant bandwidth: a share of its dynamic band, whatever its thread does.
    #[must_use]
    pub fn is_bandwidth(&self) -> bool {
        self.rule == Rule::ConstantBandwidth
    }

    /// How late in its period it may be used: only a deferrable one is kept until then.
    #[must_use]
    pub fn kept(&self) -> Duration {
        match self.rule {
            Rule::Deferrable => Duration::from_ticks(self.every.ticks().saturating_sub(self.amount.ticks())),
            Rule::Sporadic | Rule::Polling | Rule::ConstantBandwidth => Duration::ZERO,
        }
    }

    /// The most instants in a stretch of `every` at which it comes back by a timer.
    #[must_use]
    pub fn returns(&self) -> u64 {
        match self.rule {
            Rule::Deferrable | Rule::Polling => 1,
            // Each part that is put down comes back once.
            Rule::Sporadic => Rule::REPLENISHMENTS as u64,
            Rule::ConstantBandwidth => 0,
        }
    }
}

impl Thread {
    /// Whether its budget is one of constant bandwidth.
    #[must_use]
    pub fn has_bandwidth(&self) -> bool {
        self.budget.is_some_and(|budget| budget.is_bandwidth())
    }
}
