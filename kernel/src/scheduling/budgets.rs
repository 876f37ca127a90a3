//! Budgets: who pays for processor time, and what happens when a place has no more of it.
//!
//! Time is charged to the place in which a thread runs. Whoever owns a lock that a more urgent thread waits
//! for, and a server that serves a client, spend the budget of the place that is lent to them. Native drivers
//! run in no place and have budgets of their own (`machine::drivers`).
//!
//! ```text
//!   a switch, or another place: the alarm is set to the budget's end, if that comes before it (1)
//!       |
//!       v
//!   the alarm finds that more was used than there was (2) --> deferred (3): is it inside a section?
//!                                                               |  no, or longer than `hold`     | yes
//!                                                               v                                v
//!                                                         the reaction (4)     a debt; the section goes on (5)
//! ```
//! (1) `scheduling::payer`, (2) `sees_spent`, (3) `deal_with_spent`, (4) `react_to_spending`, (5) `go_on_in_debt`.
//!
//! An alarm that is too early finds nothing and is set again, so it never has to be taken back: where time
//! isn't charged, a budget only ends later than it was set to. A section that runs in debt ends where its
//! place comes back to its own thread, or where the thread calls the kernel: all of its calls take the long
//! way, and a thread that lowers its own urgency is made to call.

use beryl_abi::{Duration, Fault, FaultKind, Moment, Note, SemaphoreId, ThreadId};

use crate::event::{Event, Machine, Switch};
use crate::kernel::Kernel;
use crate::rows::budgets::{Budget, ComesBack, OnSpent};
use crate::rows::rank::Rank;
use crate::rows::rules::Rule;
use crate::rows::threads::ThreadKind;
use crate::scheduling::budget::{BudgetState, Funds, Payment};
use crate::scheduling::caller::Caller;
use crate::scheduling::processor::Processor;
use crate::scheduling::stop::{Scope, Stopping};
use crate::scheduling::thread::{Phase, Standing, Wait};
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Optional, Table};
use crate::ways::Any;

impl<S: Sizes> State<S> {
    /// The place whose budget was seen to be used up, or the one that returns to its rank.
    pub(crate) fn has_budgets_to_deal_with(&self) -> bool {
        self.payment.get(0).is_some_and(|payment| payment.spent.is_some() || payment.raised.is_some())
    }

    /// How the budget of a place stands.
    pub(crate) fn funds(&self, place: ThreadId) -> Funds {
        self.budgets.get(place.index()).map_or(Funds::None, BudgetState::funds)
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The kernel works for a thread while others pay for the time: its own place has that to pay.
    #[inline(always)]
    pub(crate) fn charge_for_waking(&mut self, thread: ThreadId) {
        if S::BUDGETED {
            let ticks = self.budget(thread).woken;
            if S::POOLED {
                return self.charge_pool_for_waking(thread, ticks);
            }
            if let Some(budget) = self.state.budgets.get_mut(thread.index()) {
                budget.charge(ticks);
            }
        }
    }

    /// The same for an interrupt, unless it comes in that place's own time.
    #[inline(always)]
    pub(crate) fn charge_for_interrupt(&mut self, thread: ThreadId) {
        if S::BUDGETED && self.state.payer() != thread {
            self.date_what_is_charged(thread);
            self.charge_for_waking(thread);
        }
    }

    /// Whether the payer has used more than it may, as far as time is charged. That is dealt with in steps of
    /// its own.
    #[inline(always)]
    pub(crate) fn sees_spent(&mut self) -> bool {
        if !S::BUDGETED {
            return false;
        }
        match S::POOLED {
            true => self.finds_payer_spent(),
            false => self.state.allowed_at_once(self.state.payer()) <= 0 && self.finds_payer_spent_apart(),
        }
    }

    #[cold]
    #[inline(never)]
    fn finds_payer_spent_apart(&mut self) -> bool {
        self.finds_payer_spent()
    }

    #[inline(always)]
    fn finds_payer_spent(&mut self) -> bool {
        let (payer, running) = (self.state.payer(), self.state.running());
        let is_overdrawn = self.allowed(payer, running, |_| false) < 0;
        if is_overdrawn {
            self.deal_with_spent_later(payer);
        }
        is_overdrawn
    }

    #[cold]
    #[inline(never)]
    fn deal_with_spent_later(&mut self, place: ThreadId) {
        if let Some(payment) = self.state.payment.get_mut(0) {
            (payment.spent, payment.asked) = (place, 0);
            self.state.has_deferred_work = true;
        }
    }

    /// A thread that goes on in debt makes a call, which may end its section.
    #[inline(always)]
    pub(crate) fn ask_whether_section_ends(&mut self, event: &Event) {
        let running = self.state.running();
        if S::BUDGETED && matches!(event, Event::Call(_)) && self.state.funds(running) == Funds::Holding {
            self.charge_until_now();
            self.deal_with_spent_later(running);
        }
    }

    /// The answer of a step: user code runs only once budgets are dealt with.
    #[inline(always)]
    pub(crate) fn once_budgets_are_dealt_with(&self, switch: Switch) -> Switch {
        if S::BUDGETED && switch == Switch::Stay && self.state.has_budgets_to_deal_with() {
            return Switch::Again;
        }
        switch
    }

    /// Deals with a budget that is used up, or with one that is back: a step.
    #[cold]
    #[inline(never)]
    pub(crate) fn deal_with_budgets(&mut self) {
        let Some(payment) = self.state.payment.get(0).copied() else { return };
        // Places whose pool has something again aren't asked what they used before.
        let is_spent = payment.spent.is_some() && !(S::POOLED && payment.raised.is_some());
        match is_spent {
            true => self.deal_with_spent(payment),
            false => self.return_to_rank(payment.raised),
        }
    }

    fn deal_with_spent(&mut self, Payment { spent: place, asked, .. }: Payment) {
        if self.has_bandwidth(place) {
            return self.put_off_spent(place);
        }
        let state = self.state.threads.at(place.index());
        let (phase, wait) = (state.phase(), state.wait());
        let row = self.budget(place);
        if asked == 0 {
            self.finds_more(place);
        }
        let Some(budget) = self.state.budgets.get(place.index()) else { return };
        let (funds, left) = (budget.funds(), self.left(place, budget));
        let is_in_time = row.hold > 0 && left.saturating_add_unsigned(row.hold) >= 0;
        if funds == Funds::Whole && left >= 0 {
            // It came back meanwhile.
        } else if !matches!(phase, Phase::Ready | Phase::Lent) {
            // It went to sleep; or its job is over, and with it the debt.
            if phase != Phase::Asleep || wait == Wait::Period {
                self.forget_debt(place);
            }
        } else if !is_in_time {
            self.react_to_spending(place, row, left);
        } else if phase == Phase::Lent {
            self.go_on_in_debt(place, Funds::Lent);
        } else if self.is_inside(place, asked) {
            self.go_on_in_debt(place, Funds::Holding);
        } else if usize::from(asked) < if S::SHARED { S::Semaphores::LENGTH } else { 0 } {
            if let Some(payment) = self.state.payment.get_mut(0) {
                payment.asked = asked.saturating_add(1);
            }
            return;
        } else {
            self.react_to_spending(place, row, left);
        }
        if let Some(payment) = self.state.payment.get_mut(0) {
            payment.spent = ThreadId::NONE;
        }
    }

    /// Whether a thread has raised itself (0), or owns the semaphore before this one.
    fn is_inside(&mut self, thread: ThreadId, asked: u8) -> bool {
        match asked.checked_sub(1).map(SemaphoreId) {
            None => self.raised_level(thread) > 0,
            Some(semaphore) => {
                let is_counting = self.state.semaphores.at(semaphore.index()).is_counting();
                let is_owned = !is_counting && self.owner(semaphore) == thread;
                if is_owned {
                    self.have_it_given_back_by_call(semaphore);
                }
                is_owned
            }
        }
    }

    /// A budget is used up inside a section, which goes on as a debt.
    fn go_on_in_debt(&mut self, place: ThreadId, funds: Funds) {
        let hold = self.budget(place).hold;
        if let Some(budget) = self.state.budgets.get_mut(place.index()) {
            budget.go_into_debt(funds, hold);
        }
        if funds == Funds::Holding {
            self.state.threads.at_mut(place.index()).own = Processor::of(place, Caller::ASK);
            self.publish(place, 0);
        }
    }

    /// A thread's debt ends with its section or job: its calls are like any other's. The next job has a budget of its
    /// own; who has none and begins anew is seen at once, since what was used stays used.
    pub(crate) fn forget_debt(&mut self, place: ThreadId) {
        if !S::BUDGETED || !matches!(self.state.funds(place), Funds::Lent | Funds::Holding) {
            return;
        }
        match self.budget(place).comes_back {
            ComesBack::WithJobs if !self.is_pooled(place) => self.be_spent(place),
            _ => self.be_payer_again(place),
        }
        self.be_asked_as_before(place);
    }

    /// Time in a place is charged again, to what is left.
    pub(crate) fn be_payer_again(&mut self, place: ThreadId) {
        if let Some(budget) = self.state.budgets.get_mut(place.index()) {
            budget.be_whole();
        }
    }

    /// Nothing is charged to a place until its budget comes back.
    fn be_spent(&mut self, place: ThreadId) {
        if let Some(budget) = self.state.budgets.get_mut(place.index()) {
            budget.be_spent();
        }
        self.await_return(place);
    }

    pub(crate) fn be_asked_as_before(&mut self, thread: ThreadId) {
        let row = self.machine.system().threads.at(thread.index());
        self.state.threads.at_mut(thread.index()).own =
            Processor::of(thread, Caller::of_row(row, S::CEILINGS));
    }

    /// The least level that is published to a thread: one in debt has to call once it has lowered itself.
    #[inline(always)]
    pub(crate) fn least_published(&self, thread: ThreadId) -> u8 {
        (S::BUDGETED && self.state.funds(thread) == Funds::Holding).into()
    }

    /// A budget is used up, and no section goes on: counts and tells it, then does what was declared.
    fn react_to_spending(&mut self, place: ThreadId, row: &Budget, left: i32) {
        let was_holding = self.state.funds(place) == Funds::Holding;
        self.be_spent(place);
        if was_holding {
            self.be_asked_as_before(place);
            if self.raised_level(place) == 0 {
                self.publish(place, 0);
            }
        }
        self.count_overrun(place, Duration::from_ticks(row.amount.wrapping_sub(left as u32).into()));
        match row.reaction {
            OnSpent::Tell => {}
            OnSpent::EndJob => self.end_spent_job(place),
            OnSpent::Lower if self.raised_level(place) == 0 => self.lower(place, row.background),
            OnSpent::Lower | OnSpent::Stop => {
                self.fault_of(place, Fault { kind: FaultKind::Budget, address: 0, instruction: 0 });
            }
        }
    }

    /// Ends a job whose budget is used up. Its task is at work, as far as anybody asks, until its program
    /// finds that it isn't done: what it has written so far must not be published.
    fn end_spent_job(&mut self, thread: ThreadId) {
        let kind = self.machine.system().threads.at(thread.index()).kind;
        self.withdraw(thread);
        let state = self.state.threads.at_mut(thread.index());
        let phase = state.phase();
        match kind {
            ThreadKind::Task => state.be_spent(),
            ThreadKind::Periodic if S::PERIODIC => {
                if phase == Phase::Lent {
                    state.go_on();
                }
                // A server that was a guest in its client's place has none any more.
                if S::SHARED {
                    state.stand(Standing::Out);
                }
                state.fall_asleep(Any::UNDER_WAY, Wait::Period, 0, 0);
                state.missed = 0;
            }
            _ => return,
        }
        self.note(Note::stop(thread, true));
        self.state.stopping = Some(Stopping { scope: Scope::Nobody, cleaning: Some((thread, 0)) });
        self.state.has_deferred_work = true;
    }

    /// Whether it was told already that a job has used more than it may.
    #[inline(always)]
    pub(crate) fn was_told_of(&self, thread: ThreadId) -> bool {
        S::BUDGETED && self.state.funds(thread) == Funds::Spent
    }

    /// A job begins: its thread's budget is back.
    #[inline(always)]
    pub(crate) fn begin_budget(&mut self, thread: ThreadId) {
        if S::BUDGETED && !self.is_pooled(thread) {
            let amount = self.budget(thread).amount;
            if let Some(budget) = self.state.budgets.get_mut(thread.index()) {
                budget.come_back(amount);
            }
        }
    }

    /// When a budget comes back by itself, if it does.
    #[inline(always)]
    pub(crate) fn comes_back_at(&self, place: ThreadId) -> Option<Moment> {
        if !S::BUDGETED {
            return None;
        }
        let budget = self.state.budgets.get(place.index())?;
        let is_periodic = matches!(self.budget(place).comes_back, ComesBack::Every(_));
        if self.has_bandwidth(place) {
            return None;
        }
        if self.rule(place) == Rule::Sporadic {
            let chunks = self.state.chunks.get(place.index())?;
            return chunks.first_due().filter(|_| budget.funds() == Funds::Spent);
        }
        (budget.funds() != Funds::None && is_periodic).then(|| budget.back())
    }

    /// A budget is due. If its place was lowered, it returns in a step of its own.
    #[cold]
    #[inline(never)]
    pub(crate) fn bring_budget_back(&mut self, place: ThreadId) {
        let row = self.budget(place);
        let ComesBack::Every(period) = row.comes_back else { return };
        let was_holding = self.state.funds(place) == Funds::Holding;
        let is_wanted = matches!(self.state.threads.at(place.index()).phase(), Phase::Ready | Phase::Lent);
        let rule = self.rule(place);
        if rule == Rule::Sporadic && !self.take_what_is_due(place) {
            return;
        }
        let is_pooled = self.is_pooled(place);
        let Some(budget) = self.state.budgets.get_mut(place.index()) else { return };
        // Then its places may be lowered or in debt, all of them.
        let is_everybody_asked = is_pooled && budget.is_in_debt();
        match rule {
            Rule::Deferrable => budget.come_back_less_debt(row.amount, period),
            Rule::Polling if is_wanted => budget.come_back_less_debt(row.amount, period),
            Rule::Polling => return budget.pass_by(row.amount, period),
            Rule::Sporadic | Rule::ConstantBandwidth => {}
        }
        let is_lowered = budget.returns_to != Rank::NONE || is_everybody_asked;
        if was_holding {
            self.be_asked_as_before(place);
        }
        if let Some(payment) = self.state.payment.get_mut(0).filter(|_| is_lowered) {
            payment.raised = place;
            self.state.has_deferred_work = true;
        }
    }

    /// The constant row of a place's budget.
    #[inline(always)]
    pub(crate) fn budget(&self, place: ThreadId) -> &'static Budget {
        self.machine.system().budgets.get(place.index()).unwrap_or(&Budget::NONE)
    }
}
