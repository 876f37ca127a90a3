//! Polling: the budget is whole at those multiples of its period at which its thread wants the processor, and lost
//! when that sleeps. Who wakes between two of them waits in the background.
//!
//! Lehoczky, Sha and Strosnider, *Enhanced aperiodic responsiveness in hard real-time environments* (RTSS 1987).

use crate::scheduling::budget::{BudgetState, Funds};

impl BudgetState {
    /// (1) Its instant passes, and nobody wants it: of a debt so much is paid.
    pub(crate) fn pass_by(&mut self, amount: u32, period: u32) {
        self.back = self.back.after(period);
        self.balance_at(self.balance().saturating_add_unsigned(amount).min(0));
    }

    /// (3) Its thread slept: what was left is lost, what is owed isn't.
    pub(crate) fn lose_what_was_kept(&mut self) {
        if self.funds() != Funds::None {
            self.balance_at(self.balance().min(0));
            self.be_spent();
        }
    }
}
