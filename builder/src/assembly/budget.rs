//! The budget of a thread without jobs.

use beryl_abi::Duration;
use beryl_kernel::Rule;

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
}

impl Budget {
    /// Whether no more than it is ever used above the background, but for what ending it takes.
    #[must_use]
    pub fn is_enforced(&self) -> bool {
        self.on_spent != OnSpent::Tells
    }

    /// Whether its place is lowered when it is used up.
    #[must_use]
    pub fn lowers(&self) -> bool {
        self.on_spent.lowers()
    }

    /// How late in its period it may be used: only a deferrable one is kept until then.
    #[must_use]
    pub fn kept(&self) -> Duration {
        match self.rule {
            Rule::Deferrable => Duration::from_ticks(self.every.ticks().saturating_sub(self.amount.ticks())),
            Rule::Sporadic | Rule::Polling => Duration::ZERO,
        }
    }

    /// The most instants in a stretch of `every` at which it comes back by a timer.
    #[must_use]
    pub fn returns(&self) -> u64 {
        match self.rule {
            Rule::Deferrable | Rule::Polling => 1,
            // Each part that is put down comes back once.
            Rule::Sporadic => Rule::REPLENISHMENTS as u64,
        }
    }
}
