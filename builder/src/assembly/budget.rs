//! The budget of a thread without jobs.

use beryl_abi::Duration;

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
        matches!(self.on_spent, OnSpent::Lowers | OnSpent::Waits)
    }
}
