//! The rules by which budgets come back: what each does when a thread wakes, when a budget is used up, and when
//! it is due.
//!
//! | | a thread wakes | used up | due |
//! |---|---|---|---|
//! | deferrable | | | whole, less the debt |
//! | sporadic | what was used is put down; from now on another date | what is due by then may be used | what was used, if the place waits for it |
//! | polling | what was kept is lost: its place is in the background | | whole, less the debt, if the thread wants it |
//! | constant bandwidth | whole, with another deadline, unless what is left fits before its own ([`bandwidth`](super::bandwidth)) | whole, less the debt, with a later deadline | |

use beryl_abi::{Instant, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::budgets::{ComesBack, OnSpent};
use crate::rows::rank::Rank;
use crate::rows::rules::Rule;
use crate::scheduling::budget::{BudgetState, Funds};
use crate::scheduling::sporadic::Chunks;
use crate::scheduling::thread::Phase;
use crate::sizes::Sizes;
use crate::table::{Optional, Table};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The rule of a place's budget.
    #[inline(always)]
    pub(crate) fn rule(&self, place: ThreadId) -> Rule {
        if !S::RULED {
            return Rule::Deferrable;
        }
        self.machine.system().rules.get(place.index()).copied().unwrap_or(Rule::Deferrable)
    }

    /// A thread slept, and wants the processor from now on. Its place isn't in its band yet.
    #[inline(always)]
    pub(crate) fn want_from_now_on(&mut self, thread: ThreadId) {
        if S::RULED {
            self.date_or_lose(thread);
        }
    }

    #[inline(never)]
    fn date_or_lose(&mut self, thread: ThreadId) {
        match self.rule(thread) {
            Rule::Deferrable => {}
            Rule::Sporadic => self.date(thread),
            Rule::Polling => self.lose_what_was_kept(thread),
            Rule::ConstantBandwidth if S::CONSTANT => self.arrive(thread),
            Rule::ConstantBandwidth => {}
        }
    }

    /// What is due is left to its timer where the budget is used up: it brings the place back.
    #[inline(never)]
    fn date(&mut self, place: ThreadId) {
        let now = self.machine.moment();
        self.with_chunks(place, |chunks, budget, period| chunks.date_anew(budget, period, now));
    }

    /// A place was nowhere, since nobody could run in it: what is used of a sporadic budget from now on is dated now.
    #[inline(always)]
    pub(crate) fn date_anew(&mut self, place: ThreadId) {
        if S::RULED && self.rule(place) == Rule::Sporadic {
            self.date(place);
        }
    }

    /// The kernel works for a thread that sleeps, and its place pays: as if it had woken for that.
    #[inline(always)]
    pub(crate) fn date_what_is_charged(&mut self, thread: ThreadId) {
        if S::RULED && self.state.threads.at(thread.index()).phase() == Phase::Asleep {
            self.date_anew(thread);
        }
    }

    /// Something of a sporadic budget may be due that nobody has asked for. Its place pays for being asked.
    /// Returns whether there is something to use again.
    #[inline(always)]
    pub(crate) fn finds_more(&mut self, place: ThreadId) -> bool {
        S::RULED && self.rule(place) == Rule::Sporadic && self.take_what_is_due(place)
    }

    #[inline(never)]
    pub(crate) fn take_what_is_due(&mut self, place: ThreadId) -> bool {
        let (now, woken) = (self.machine.moment(), self.budget(place).woken);
        let funds = self.state.funds(place);
        let (was_holding, is_in_debt) =
            (funds == Funds::Holding, matches!(funds, Funds::Holding | Funds::Lent));
        let mut has_some = false;
        self.with_chunks(place, |chunks, budget, period| {
            has_some = chunks.take_due(budget, [period, woken], now) && budget.goes_on_again();
        });
        if has_some && was_holding {
            self.be_asked_as_before(place);
        }
        if has_some && is_in_debt && self.state.payer() == place {
            // A debt ends with its section's hold, which may be later than what came back is used up.
            self.arm(self.state.alarm);
        }
        has_some
    }

    /// A budget is used up. A sporadic one has a timer only now, set in a step of its own.
    #[inline(always)]
    pub(crate) fn await_return(&mut self, place: ThreadId) {
        if S::RULED && self.rule(place) == Rule::Sporadic {
            self.with_chunks(place, |chunks, budget, period| chunks.put_down(budget.balance(), period));
            self.state.timing = place;
            self.state.has_deferred_work = true;
        }
    }

    /// A polling thread wakes between two of its instants: it is in the background until the next one.
    fn lose_what_was_kept(&mut self, thread: ThreadId) {
        let (background, reaction) = (self.budget(thread).background, self.budget(thread).reaction);
        let was_holding = self.state.funds(thread) == Funds::Holding;
        let rank = self.state.threads.at(thread.index()).rank();
        let Some(budget) = self.state.budgets.get_mut(thread.index()) else { return };
        if budget.returns_to != Rank::NONE {
            return;
        }
        budget.lose_what_was_kept();
        if reaction == OnSpent::Lower && rank.as_fixed().is_some() {
            budget.returns_to = rank;
            self.state.threads.at_mut(thread.index()).be_of(background);
        }
        if was_holding {
            self.be_asked_as_before(thread);
        }
    }

    /// Moments are compared within half of their range: what is older than that allows is made younger, which
    /// only delays what comes back.
    #[inline(always)]
    pub(crate) fn keep_dates_near(&mut self, thread: ThreadId, now: Instant) {
        if S::RULED
            && self.rule(thread) == Rule::Sporadic
            && let Some(chunks) = self.state.chunks.get_mut(thread.index())
        {
            chunks.keep_near(now.moment());
        }
    }

    fn with_chunks(&mut self, place: ThreadId, change: impl FnOnce(&mut Chunks, &mut BudgetState, u32)) {
        let ComesBack::Every(period) = self.budget(place).comes_back else { return };
        if let (Some(chunks), Some(budget)) =
            (self.state.chunks.get_mut(place.index()), self.state.budgets.get_mut(place.index()))
            && budget.funds() != Funds::None
        {
            change(chunks, budget, period);
        }
    }
}
