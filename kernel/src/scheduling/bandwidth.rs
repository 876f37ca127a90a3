//! Constant bandwidth: a budget with a deadline, by which its place takes its turn in a dynamic band.
//!
//! ```text
//!             wakes (1)            +-- used up (2): whole, less the debt; the deadline a period later
//!   sleeps ------------> its turn <+
//!      ^                    |
//!      +--------------------+
//! ```
//! (1) [`arrive`](Kernel::arrive): budget and deadline stay if what is left is less than the budget's share of the time
//! until the deadline. Otherwise the budget is whole, less the debt, and the deadline a period from now.
//! (2) [`put_off`](Kernel::put_off). Nobody is suspended: whoever has an earlier deadline goes first from now on,
//! also before a section that the thread is inside of, or a lock's owner in its place.
//!
//! So what has to be done by any deadlines in a stretch of time is no more than the budget's share of that stretch, whatever
//! its thread does, and beside it others of the band hold as if that share weren't there. There is no timer, and nothing comes
//! back. What was used beyond the budget until the kernel saw it is a debt to the next one, in whoever's time it was.
//!
//! Shares are compared by multiplication. Less is left than 2^29 ticks, and periods are at most 2^30, so products have less
//! than 60 bits. A deadline that is a period away or more needs no comparison: what is left is never more than whole.
//!
//! Abeni and Buttazzo, *Integrating multimedia applications in hard real-time systems* (RTSS 1998).

use beryl_abi::{Duration, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::budgets::{Budget, ComesBack};
use crate::rows::rules::Rule;
use crate::scheduling::budget::BudgetState;
use crate::scheduling::thread::Standing;
use crate::sizes::Sizes;
use crate::table::{Optional, Table};

impl BudgetState {
    /// (1), (2) It is whole, less its debt.
    fn be_whole_less_debt(&mut self, amount: u32) {
        let debt = self.balance().min(0);
        self.come_back(amount);
        self.balance_at(self.balance().saturating_add(debt));
    }
}

/// Whether so much may be used until a deadline that is so far away, by a budget of `amount` in every `period`.
#[inline(always)]
fn fits(left: u32, until: Duration, Budget { amount, .. }: &Budget, period: u32) -> bool {
    let wide = |one: u32, other: u32| u64::from(one).wrapping_mul(u64::from(other));
    match u32::try_from(until.ticks()) {
        Ok(until) if until < period => wide(left, period) < wide(until, *amount),
        _ => true,
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether a place has a budget of constant bandwidth.
    #[inline(always)]
    pub(crate) fn has_bandwidth(&self, place: ThreadId) -> bool {
        S::CONSTANT && self.rule(place) == Rule::ConstantBandwidth
    }

    /// (1) A thread slept, or its place was nowhere, and wants the processor from now on. Its place isn't in its band.
    #[inline(never)]
    pub(crate) fn arrive(&mut self, place: ThreadId) {
        let row = self.budget(place);
        let ComesBack::Every(period) = row.comes_back else { return };
        let now = self.machine.now();
        let Some(budget) = self.state.budgets.get_mut(place.index()).filter(|budget| budget.pays()) else {
            return;
        };
        let deadline = &mut self.state.threads.at_mut(place.index()).deadline;
        if !fits(budget.balance().max(0).unsigned_abs(), deadline.since(now), row, period) {
            budget.be_whole_less_debt(row.amount);
            *deadline = now.after(Duration::from_ticks(period.into()));
        }
    }

    /// (1) The same of one that may still wait for a lock, and stands in its queue.
    #[inline(always)]
    pub(crate) fn arrive_anew(&mut self, place: ThreadId) {
        if self.has_bandwidth(place) {
            self.arrive(place);
            self.queue_anew(place);
        }
    }

    /// (2) A budget was seen to be used up, whatever its place does now. If it still is, it is put off once more in a step
    /// of its own.
    pub(crate) fn put_off_spent(&mut self, place: ThreadId) {
        self.put_off(place);
        let is_in_debt = self.state.budgets.get(place.index()).is_some_and(BudgetState::is_in_debt);
        if let Some(payment) = self.state.payment.get_mut(0).filter(|_| !is_in_debt) {
            payment.spent = ThreadId::NONE;
        }
    }

    #[inline(never)]
    fn put_off(&mut self, place: ThreadId) {
        let row = self.budget(place);
        let ComesBack::Every(period) = row.comes_back else { return };
        let Some(budget) = self.state.budgets.get_mut(place.index()) else { return };
        let used = row.amount.wrapping_sub(budget.balance() as u32);
        budget.be_whole_less_debt(row.amount);
        let state = self.state.threads.at_mut(place.index());
        let is_in = state.standing() == Standing::In;
        let deadline = state.deadline.after(Duration::from_ticks(period.into()));
        if is_in {
            self.state.bands.remove(self.machine.system(), &mut self.state.threads, place);
        }
        self.state.threads.at_mut(place.index()).deadline = deadline;
        self.queue_anew(place);
        if is_in {
            self.stand_in_band(place);
        }
        self.count_overrun(place, Duration::from_ticks(used.into()));
    }
}
