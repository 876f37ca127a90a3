//! The payer: the place to which time is charged, and when the alarm has to come for that.
//!
//! What may be used in a place until the kernel has to look is one word. Time is taken from it at each switch, whether
//! or not the place has a budget, and nothing is asked as long as it doesn't end before the alarm:
//!
//! ```text
//!   a switch (1) --> is the end of that word before the alarm, or does the machine's alarm stand elsewhere?
//!                        | no                 | yes, and it is a budget that is whole    | yes, and it isn't
//!                        v                    v                                          v
//!                     go on                the machine's alarm is set             all is asked (2)
//! ```
//! (1) `pay`, (2) `ask_when_it_ends`. A place whose time isn't charged is found here before its word ends, and has as much
//! as ever then. By the other way all is asked at once (`pay_and_ask`), and where several places share a budget, always (2).

use beryl_abi::{Moment, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::scheduling::budget::{BudgetState, Funds, end};
use crate::scheduling::processor::Place;
use crate::sizes::Sizes;
use crate::state::State;
use crate::system::System;
use crate::table::Optional;
use crate::ways::Way;

impl<S: Sizes> State<S> {
    /// The place that pays for the time that passes: that of the running thread, or one that is lent to it.
    #[inline(always)]
    pub(crate) fn payer(&self) -> ThreadId {
        self.payment.get(0).map_or(ThreadId::NONE, |payment| payment.payer)
    }

    /// Time is charged to the place that pays for it, without a question whether it has a budget.
    #[inline(always)]
    pub(crate) fn charge_place(&mut self, system: &System<S>, place: ThreadId, ticks: u32) {
        if S::POOLED {
            return self.charge_pool(system, place, ticks);
        }
        if S::BUDGETED
            && let Some(budget) = self.budgets.get_mut(place.index())
        {
            budget.pass(ticks);
        }
    }

    /// What may be used in a place before the kernel has to look, if that is already known.
    #[inline(always)]
    pub(crate) fn allowed_at_once(&self, place: ThreadId) -> i32 {
        self.budgets.get(place.index()).map_or(0, BudgetState::allowed)
    }
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// `next` has the processor in this place from now on, and the place pays. Returns whether that is all: by the ordinary
    /// way [`ask_when_it_ends`](Kernel::ask_when_it_ends) may have to follow.
    #[inline(always)]
    pub(crate) fn pay_in<W: Way>(&mut self, _way: W, next: ThreadId, place: Place) -> bool {
        if !S::BUDGETED {
            return true;
        }
        let by = match place {
            Place::Own => next,
            Place::Lent(by) => by,
            // Nothing changes: what is lent may be used for as long, or longer.
            Place::Handed if S::HOLDS.is_empty() && S::ANSWERS.is_empty() => return true,
            Place::Handed => self.state.payer(),
        };
        if W::IS_ORDINARY {
            return self.pay(next, by);
        }
        self.pay_and_ask(next, by);
        true
    }

    /// The same, where `running` has had the processor: until now whoever paid pays.
    #[inline(always)]
    pub(crate) fn pay_on<W: Way>(&mut self, way: W, running: ThreadId, place: Place) {
        if S::BUDGETED {
            let now = self.machine.moment();
            self.charge_until(now);
            if !self.pay_in(way, running, place) {
                self.ask_when_it_ends_apart();
            }
        }
    }

    /// By the other way many steps end so: it stands once, and asks all there is.
    #[inline(never)]
    fn pay_and_ask(&mut self, next: ThreadId, place: ThreadId) {
        if let Some(payment) = self.state.payment.get_mut(0) {
            payment.payer = place;
        }
        self.move_alarm(place, next);
    }

    /// The alarm stays as it is set unless the budget ends before it, or it was set for somebody else's.
    #[inline(always)]
    fn pay(&mut self, next: ThreadId, place: ThreadId) -> bool {
        let (end, alarm) = (end(self.state.allowed_at_once(place), self.state.since), self.state.alarm);
        let is_asked = self.has_more_to_ask(next);
        let (is_nearer, is_whole) = (end.is_before(alarm), self.state.funds(place) == Funds::Whole);
        let Some(payment) = self.state.payment.get_mut(0) else { return true };
        payment.payer = place;
        if is_asked {
            return false;
        }
        if !is_nearer && payment.armed == alarm {
            return true;
        }
        if is_nearer && !is_whole {
            return false;
        }
        let wanted = if is_nearer { end } else { alarm };
        if payment.armed != wanted {
            payment.armed = wanted;
            self.machine.arm(wanted);
            self.sleep_lightly();
        }
        true
    }

    /// Whether more than one word of a place has to be asked when the alarm has to come.
    #[inline(always)]
    fn has_more_to_ask(&self, running: ThreadId) -> bool {
        S::POOLED
            || !S::HOLDS.is_empty() && self.must_say_when_it_ends(running)
            || !S::ANSWERS.is_empty() && self.has_something_to_answer(running)
    }

    /// Whoever pays from now on may use more or less than its balance.
    #[inline(always)]
    pub(crate) fn ask_when_it_ends(&mut self) {
        self.move_alarm(self.state.payer(), self.state.running());
    }

    #[cold]
    #[inline(never)]
    fn ask_when_it_ends_apart(&mut self) {
        self.ask_when_it_ends();
    }

    #[inline(always)]
    fn move_alarm(&mut self, place: ThreadId, running: ThreadId) {
        let wanted = self.until_end_in(place, running, self.state.alarm);
        if let Some(payment) = self.state.payment.get_mut(0)
            && payment.armed != wanted
        {
            payment.armed = wanted;
            self.machine.arm(wanted);
            self.sleep_lightly();
        }
    }

    /// When the alarm has to come: at this moment, or before it where a budget or a section ends.
    #[inline(always)]
    fn until_end_in(&mut self, place: ThreadId, running: ThreadId, moment: Moment) -> Moment {
        let since = self.state.since;
        let allowed = self.allowed(place, running, |allowed| end(allowed, since).is_before(moment));
        let moment = self.until_section_ends(running, moment);
        end(allowed, since).earlier(moment)
    }

    /// What may be used in a place before the kernel has to look, with all that has to be asked for that. Where time isn't
    /// charged, there is as much as ever again if what there is would be too short.
    #[inline(always)]
    pub(crate) fn allowed(
        &mut self,
        place: ThreadId,
        running: ThreadId,
        is_short: impl FnOnce(i32) -> bool,
    ) -> i32 {
        let is_own = place == running;
        if S::POOLED {
            return self.allowed_by_pool(place, is_own);
        }
        let hold = self.budget(place).hold;
        self.state
            .budgets
            .get_mut(place.index())
            .map_or(0, |budget| budget.allowed_alone(hold, is_own, is_short))
    }

    /// The alarm is about to be set; the payer's budget may end before it.
    #[inline(always)]
    pub(crate) fn until_spent(&mut self, moment: Moment) -> Moment {
        if !S::BUDGETED {
            return moment;
        }
        let (payer, running) = (self.state.payer(), self.state.running());
        let end = end(self.state.allowed_at_once(payer), self.state.since);
        let armed = if S::POOLED {
            self.until_end_in(payer, running, moment)
        } else if self.has_more_to_ask(running) || end.is_before(moment) {
            self.until_payer_ends(moment)
        } else {
            moment
        };
        if let Some(payment) = self.state.payment.get_mut(0) {
            payment.armed = armed;
        }
        armed
    }

    #[inline(never)]
    fn until_payer_ends(&mut self, moment: Moment) -> Moment {
        let (payer, running) = (self.state.payer(), self.state.running());
        self.until_end_in(payer, running, moment)
    }
}
