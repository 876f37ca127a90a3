//! Pools: one budget that several places pay from.
//!
//! What is left stands with one of them, the *purse*. How it stands with a place, whether that is in debt or lowered, is the
//! place's own. So nobody else has to be told that a budget is used up: whoever comes next to the processor in one of
//! its places is seen at once, as the owner of a lent place is that comes back to it (`scheduling::budgets`).
//!
//! ```text
//!   the purse's timer: whole, less the debt (1) --> more was used than there was: each place, one a step (2)
//! ```
//! (1) `bring_budget_back`, (2) `return_to_rank`, `be_whole_with_its_pool`.

use beryl_abi::ThreadId;

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::pools::Pooled;
use crate::scheduling::budget::{BudgetState, Funds};
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::Optional;

/// The place with whose budget a place pays.
#[inline(always)]
pub(crate) fn purse<S: Sizes>(system: &System<S>, place: ThreadId) -> ThreadId {
    match system.pools.get(place.index()) {
        Some(row) if S::POOLED && row.purse.is_some() => row.purse,
        _ => place,
    }
}

impl<S: Sizes> State<S> {
    /// Time is charged to a place that pays, from its pool's budget.
    pub(crate) fn charge_pool(&mut self, system: &System<S>, place: ThreadId, ticks: u32) {
        let pays = self.budgets.get(place.index()).is_some_and(BudgetState::pays);
        if pays && let Some(budget) = self.budgets.get_mut(purse(system, place).index()) {
            budget.be_used(ticks);
        }
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// What is left for a place, whose own budget this is, or its pool's.
    #[inline(always)]
    pub(crate) fn left(&self, place: ThreadId, own: &BudgetState) -> i32 {
        if !S::POOLED {
            return own.balance();
        }
        let purse = purse(self.machine.system(), place);
        self.state.budgets.get(purse.index()).map_or(0, BudgetState::shared_balance)
    }

    /// What may be used in a place before the kernel has to look, of its pool's budget if it has one.
    #[inline(always)]
    pub(crate) fn allowed_by_pool(&self, place: ThreadId, is_own: bool) -> i32 {
        let own = self.state.budgets.get(place.index());
        let hold = || self.budget(place).hold;
        own.map_or(0, |own| own.allowed_of(|| self.left(place, own), hold, is_own))
    }

    /// The kernel works for a thread while another place of its pool may pay: for that one the budget ends earlier then.
    pub(crate) fn charge_pool_for_waking(&mut self, thread: ThreadId, ticks: u32) {
        let (system, payer) = (self.machine.system(), self.state.payer());
        self.state.charge_pool(system, thread, ticks);
        if payer != thread && purse(system, payer) == purse(system, thread) {
            let armed = self.until_spent(self.state.alarm);
            self.machine.arm(armed);
        }
    }

    /// Whether a place pays together with others.
    #[inline(always)]
    pub(crate) fn is_pooled(&self, place: ThreadId) -> bool {
        S::POOLED && self.pooled(place).purse.is_some()
    }

    /// The place of the same pool that comes back next; none after the last.
    pub(crate) fn comes_back_behind(&self, place: ThreadId) -> ThreadId {
        let row = self.pooled(place);
        match row.next == row.purse {
            true => ThreadId::NONE,
            false => row.next,
        }
    }

    /// A place may use its pool's budget, which is back.
    pub(crate) fn be_whole_with_its_pool(&mut self, place: ThreadId) {
        let was_holding = self.state.funds(place) == Funds::Holding;
        self.be_payer_again(place);
        if was_holding {
            self.be_asked_as_before(place);
        }
    }

    fn pooled(&self, place: ThreadId) -> Pooled {
        self.machine.system().pools.get(place.index()).copied().unwrap_or(Pooled::ALONE)
    }
}
