//! Deferred work: work that a step leaves for steps of its own, before anybody runs.
//!
//! Work that grows with the system, or is long and rare, doesn't belong in the step that finds it. That step
//! lists it, and the following steps do one piece each: a place is sorted in among many, places return,
//! threads wake, take their promised semaphores or reach their time limits, what is left of a thread that faulted is written down, threads are stopped and lose what
//! they held, a process is put back to the start, a watchdog bites, all waiters of a condition wake, or the waiters of an event group whose bits are set, a long
//! value is copied. No decision is made until nothing is left.

use beryl_abi::ThreadId;

use crate::event::Machine;
use crate::kernel::Kernel;
use crate::parts::Parts;
use crate::scheduling::broadcast::Broadcast;
use crate::scheduling::thread::Phase;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Any;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Does the next piece of deferred work. Whatever makes the bands whole comes first.
    #[cold]
    #[inline(never)]
    pub(crate) fn do_deferred(&mut self) {
        if self.state.bands.is_sorting() {
            self.state.bands.sort_on(&mut self.state.threads);
        } else if self.state.reading.is_under_way() {
            self.read_on();
        } else if S::SHARED && self.state.returning.is_some() {
            self.return_place();
        } else if self.state.waking.is_some() {
            self.wake_first();
        } else if S::SHARED && self.state.promised.is_some() {
            self.keep_first_promise();
        } else if S::SHARED && self.state.stuck.is_some() && self.may_find_sleepers() {
            let stuck = core::mem::replace(&mut self.state.stuck, ThreadId::NONE);
            self.park(stuck);
        } else if self.state.timing.is_some() {
            let timing = core::mem::replace(&mut self.state.timing, ThreadId::NONE);
            self.set_end_of_wait(timing);
        } else if S::GATED && self.state.has_opening_to_set() {
            self.set_opening();
        } else if S::WATCHED_OVER && self.state.has_watchdog_to_set() {
            self.set_watchdog();
        } else if self.state.late.is_some() {
            let late = core::mem::replace(&mut self.state.late, ThreadId::NONE);
            self.time_out(late);
        } else if S::HAS_CRASHES && self.state.is_writing_crash() {
            self.write_crash_down();
        } else if let Some(stopping) = self.state.stopping {
            self.stop_next(stopping);
        } else if S::RESTARTED && self.state.is_renewing() {
            self.renew_next();
        } else if S::WATCHED_OVER && self.state.has_bite() {
            self.bite();
        } else if S::SUPERVISED && self.state.has_reports_to_send() {
            self.send_report();
        } else if self.is_overdue() {
            self.deal_with_section();
        } else if S::BUDGETED && self.state.has_budgets_to_deal_with() {
            self.deal_with_budgets();
        } else if S::SHARED {
            match self.state.broadcast {
                Broadcast::Nobody => {}
                Broadcast::Condition(condition) => self.wake_next(condition),
                Broadcast::EventGroup(group) if S::GROUPED => self.wake_next_met(group),
                Broadcast::EventGroup(_) => {}
            }
        }
        if !self.is_anything_left() {
            self.state.has_deferred_work = false;
            self.state.undecided = true;
        }
    }

    /// Whether a place that leads to who sleeps is dealt with now. Where that may be a fault, the one that is being dealt
    /// with comes first.
    #[inline(always)]
    fn may_find_sleepers(&self) -> bool {
        let state = &self.state;
        S::HOLDS.is_empty() && S::ANSWERS.is_empty()
            || !(S::HAS_CRASHES && state.is_writing_crash()
                || state.stopping.is_some()
                || S::RESTARTED && state.is_renewing())
    }

    fn is_anything_left(&self) -> bool {
        let state = &self.state;
        let has_places = state.bands.is_sorting() || state.returning.is_some() || state.stuck.is_some();
        let has_waits = state.waking.is_some() || state.timing.is_some() || state.late.is_some();
        let has_objects =
            state.promised.is_some() || state.stopping.is_some() || state.broadcast != Broadcast::Nobody;
        has_places
            || has_waits
            || has_objects
            || state.reading.is_under_way()
            || self.is_overdue()
            || S::HAS_CRASHES && state.is_writing_crash()
            || S::RESTARTED && state.is_renewing()
            || S::BUDGETED && state.has_budgets_to_deal_with()
            || S::GATED && state.has_opening_to_set()
            || S::SUPERVISED && state.has_reports_to_send()
            || S::WATCHED_OVER && (state.has_watchdog_to_set() || state.has_bite())
    }

    /// A thread's wait is over; it wakes in a step of its own. Nothing else can end its wait now.
    #[inline(never)]
    pub(crate) fn wake_later(&mut self, thread: ThreadId) {
        let state = self.state.threads.at_mut(thread.index());
        state.wait_no_more();
        state.behind = core::mem::replace(&mut self.state.waking, thread);
        self.state.has_deferred_work = true;
    }

    fn wake_first(&mut self) {
        let thread = self.state.waking;
        let state = self.state.threads.at(thread.index());
        self.state.waking = state.behind;
        // It may have been stopped meanwhile.
        if state.phase() == Phase::Asleep {
            self.wake(thread);
        }
    }

    /// A ready thread takes its promised semaphore in a step of its own.
    #[inline(never)]
    pub(crate) fn keep_promise_later(&mut self, thread: ThreadId) {
        self.state.threads.at_mut(thread.index()).behind =
            core::mem::replace(&mut self.state.promised, thread);
        self.state.has_deferred_work = true;
    }

    fn keep_first_promise(&mut self) {
        let thread = self.state.promised;
        let state = self.state.threads.at(thread.index());
        self.state.promised = state.behind;
        if state.is_ready() {
            self.take_promised(Any::UNDER_WAY, thread);
        }
    }
}
