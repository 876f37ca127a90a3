//! Watchdogs: supervisors are watched, too.
//!
//! Whoever supervises others hears of what happens to them, unless it hangs itself. A supervisor with a watchdog has to
//! come back to its mailbox within a time as long as there is something for it: a report that it hasn't fetched, or one
//! that it has, until it asks for the next. One that stays away longer has faulted, wherever it is: what then happens is
//! what its process says, and who is told of its faults is another supervisor.
//!
//! ```text
//!   a report comes (1) ---> it fetches the report (1) ---> it waits for the next (2)
//!         |                        |
//!         +--- too long (3) -------+---> it faults, in a step of its own (4)
//! ```
//! (1) `rouse_watchdog`, `remind_watchdog`, (2) `let_watchdog_rest`, (3) `turn_of_watchdog`, (4) `bite`.
//!
//! Watchdogs have the places behind the gates' in the timer queue.

use beryl_abi::{Fault, FaultKind, Instant, MailboxId, Moment, ThreadId};

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::rows::watchdogs::{Watchdog, WatchdogId};
use crate::scheduling::thread::{Phase, Wait};
use crate::scheduling::timers::HORIZON;
use crate::scheduling::watchdog::WatchdogState;
use crate::sizes::Sizes;
use crate::state::State;
use crate::table::{Optional, Table};

impl<S: Sizes> State<S> {
    /// Whether a watchdog's timer has yet to be set.
    #[inline(always)]
    pub(crate) fn has_watchdog_to_set(&self) -> bool {
        self.alert.get(0).is_some_and(|alert| alert.unset.is_some())
    }

    /// Whether a watchdog bites.
    #[inline(always)]
    pub(crate) fn has_bite(&self) -> bool {
        self.alert.get(0).is_some_and(|alert| alert.biting.is_some())
    }
}

/// Whether a place in the timer queue is a watchdog's, and whose.
#[inline(always)]
fn watchdog_at<S: Sizes>(place: ThreadId) -> Option<WatchdogId> {
    let before = S::Threads::LENGTH.saturating_add(S::GATES);
    let is_one = |number: &usize| S::WATCHED_OVER && (!S::PARTITIONED || *number < S::WATCHDOGS);
    let number = place.index().checked_sub(before).filter(is_one)?;
    Some(WatchdogId(number as u8))
}

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether a place in the timer queue is a watchdog's.
    #[inline(always)]
    pub(crate) fn is_watchdogs(&self, place: ThreadId) -> bool {
        watchdog_at::<S>(place).is_some()
    }

    /// The watchdog of the supervisor that is told by a mailbox, if it has one.
    #[inline(always)]
    fn watchdog_of(&self, mailbox: MailboxId) -> Option<WatchdogId> {
        if !S::WATCHED_OVER {
            return None;
        }
        self.machine.system().watchdog_of.get(mailbox.index()).copied().filter(|watchdog| watchdog.is_some())
    }

    /// Whether whoever comes to a mailbox is watched: that sets timers, in steps of their own.
    #[inline(always)]
    pub(crate) fn is_watched_over(&self, mailbox: MailboxId) -> bool {
        self.watchdog_of(mailbox).is_some()
    }

    #[inline(always)]
    fn watchdog(&self, watchdog: WatchdogId) -> &'static Watchdog {
        self.machine.system().watchdogs.get(watchdog.index()).unwrap_or(&Watchdog::NONE)
    }

    /// A supervisor has come back to its mailbox, and there is something for it: it has to come again within its time.
    #[inline(always)]
    pub(crate) fn rouse_watchdog(&mut self, mailbox: MailboxId) {
        self.wake_watchdog(mailbox, WatchdogState::rouse);
    }

    /// A report came for a supervisor that is busy: its time begins now, unless it has begun.
    #[inline(always)]
    pub(crate) fn remind_watchdog(&mut self, mailbox: MailboxId) {
        self.wake_watchdog(mailbox, WatchdogState::remind);
    }

    #[inline(always)]
    fn wake_watchdog(&mut self, mailbox: MailboxId, wake: impl FnOnce(&mut WatchdogState, Moment) -> bool) {
        let Some(watchdog) = self.watchdog_of(mailbox) else { return };
        let due = self.machine.moment().after(self.watchdog(watchdog).within);
        let is_to_be_set =
            self.state.watchdogs.get_mut(watchdog.index()).is_some_and(|state| wake(state, due));
        if is_to_be_set && let Some(alert) = self.state.alert.get_mut(0) {
            alert.unset = watchdog;
            self.state.has_deferred_work = true;
        }
    }

    /// A supervisor waits for the next report: it may as long as it likes.
    #[inline(always)]
    pub(crate) fn let_watchdog_rest(&mut self, mailbox: MailboxId) {
        if let Some(watchdog) = self.watchdog_of(mailbox)
            && let Some(state) = self.state.watchdogs.get_mut(watchdog.index())
        {
            state.rest();
        }
    }

    /// A supervisor that didn't want to wait, or not any longer, goes on without a report. If there are some, which a
    /// gate keeps back, it has to come again.
    #[inline(always)]
    pub(crate) fn leave_mailbox(&mut self, mailbox: MailboxId) {
        if S::WATCHED_OVER {
            match self.state.mailboxes.at(mailbox.index()).count > 0 {
                true => self.rouse_watchdog(mailbox),
                false => self.let_watchdog_rest(mailbox),
            }
        }
    }

    /// The same for a thread whose wait ends by its time limit.
    #[inline(always)]
    pub(crate) fn leave_mailbox_late(&mut self, thread: ThreadId) {
        let state = self.state.threads.at(thread.index());
        if S::WATCHED_OVER && state.wait() == Wait::Receive {
            self.leave_mailbox(MailboxId(state.object()));
        }
    }

    /// Sets the timer of the watchdog that was roused.
    #[cold]
    #[inline(never)]
    pub(crate) fn set_watchdog(&mut self) {
        let Some(alert) = self.state.alert.get_mut(0) else { return };
        let watchdog = core::mem::replace(&mut alert.unset, WatchdogId::NONE);
        let now = self.machine.now();
        if let Some(state) = self.state.watchdogs.get_mut(watchdog.index()) {
            let timer = state.set();
            self.set_watchdogs_timer(watchdog, timer, now);
            self.arm_if_earlier(now);
        }
    }

    fn set_watchdogs_timer(&mut self, watchdog: WatchdogId, timer: Option<Moment>, now: Instant) {
        let before = S::Threads::LENGTH.saturating_add(S::GATES) as u8;
        let place = ThreadId(before.saturating_add(watchdog.0));
        self.state.timers.set(place, timer.unwrap_or(now.moment().after(HORIZON)));
    }

    /// A watchdog's timer went off.
    #[cold]
    #[inline(never)]
    pub(crate) fn turn_of_watchdog(&mut self, place: ThreadId, now: Instant) {
        let Some(watchdog) = watchdog_at::<S>(place) else { return };
        let Some(state) = self.state.watchdogs.get_mut(watchdog.index()) else { return };
        let bites = state.go_off(now.moment());
        let timer = state.timer();
        self.set_watchdogs_timer(watchdog, timer, now);
        if bites && let Some(alert) = self.state.alert.get_mut(0) {
            alert.biting = watchdog;
            self.state.has_deferred_work = true;
        }
    }

    /// A supervisor stayed away for too long: it has faulted, if it wasn't stopped meanwhile.
    #[cold]
    #[inline(never)]
    pub(crate) fn bite(&mut self) {
        let Some(alert) = self.state.alert.get_mut(0) else { return };
        let watchdog = core::mem::replace(&mut alert.biting, WatchdogId::NONE);
        let thread = self.watchdog(watchdog).thread;
        if thread.is_some() && self.state.threads.at(thread.index()).phase() != Phase::Stopped {
            self.fault_of(thread, Fault { kind: FaultKind::Watchdog, address: 0, instruction: 0 });
        }
    }
}
