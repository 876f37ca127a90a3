//! Waiting: going to sleep, waking, and waiting with a time limit.
//!
//! A wait that ends early leaves its timer set: when it goes off, the timer queue looks at the thread, finds
//! nothing to do and sets the next. That saves a replay of the tree on every wake-up, for at most one
//! needless alarm per wait.

use beryl_abi::call::{FOREVER, Operand, POLL};
use beryl_abi::{CallError, Duration, EndpointId, Instant, Moment, Note, SemaphoreId, ThreadId};

use crate::arguments::{is_short, promised};
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::objects::queue::Queue;
use crate::rows::threads::{Place, ThreadKind};
use crate::scheduling::thread::{Phase, Standing, Wait};
use crate::scheduling::timers::HORIZON;
use crate::sizes::Sizes;
use crate::table::{Optional, Table};
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Checks a call that may wait: its caller, the semaphore to own on return, and the timeout. By the
    /// ordinary way there is no such semaphore.
    #[inline(always)]
    pub(crate) fn must_be_a_wait<W: Way>(
        &mut self,
        way: W,
        operand: Operand,
        timeout: u32,
    ) -> Result<(), CallError> {
        if W::IS_ORDINARY {
            return way.only_if(promised(operand) == 0 && is_short(timeout));
        }
        self.must_be_any_wait(operand, timeout)
    }

    #[inline(never)]
    pub(crate) fn must_be_any_wait(&mut self, operand: Operand, timeout: u32) -> Result<(), CallError> {
        self.must_be_able_to_wait(Any::UNDER_WAY)?;
        if operand.semaphore().is_some() {
            self.must_be_a_promise(operand)?;
        }
        self.must_not_be_raised(Any::UNDER_WAY)?;
        Self::must_be_short(timeout)
    }

    /// Refuses to wait for callers that don't want to. The ordinary way waits from the caller's own place and
    /// without a time limit.
    #[inline(always)]
    pub(crate) fn must_want_to_wait<W: Way>(&self, way: W, timeout: u32) -> Result<(), CallError> {
        if timeout == POLL {
            return Err(CallError::WouldBlock);
        }
        way.only_if(timeout == FOREVER && self.state.processor.is_in_own_place())
    }

    /// The running thread goes to sleep until its event happens. From its own place and without a time limit
    /// it does so at once.
    #[inline(always)]
    pub(crate) fn sleep<W: Way>(&mut self, way: W, wait: Wait, operand: Operand, timeout: u32) -> Next {
        let thread = self.state.running();
        let state = self.state.threads.at_mut(thread.index());
        state.fall_asleep(way, wait, operand.number(), promised(operand));
        if W::IS_ORDINARY {
            return Next::Sleep;
        }
        self.trace_block(thread);
        let has_more = self.state.has_reports_to_send();
        if way.is_calm() && timeout == FOREVER && self.state.processor.is_in_own_place() && !has_more {
            return Next::Sleep;
        }
        self.give_up_place(thread);
        if timeout != FOREVER {
            self.wait_at_most(thread, timeout);
        }
        Next::Leave
    }

    /// A thread's place enters its band. A decision waits until it is where it belongs.
    #[inline(always)]
    pub(crate) fn stand_in_band(&mut self, thread: ThreadId) {
        self.state.bands.insert(self.machine.system(), &mut self.state.threads, thread);
        if self.state.bands.is_sorting() {
            self.state.has_deferred_work = true;
        }
    }

    /// A thread's wait is to end after `ticks`, at most [`HORIZON`]. The timer is set in a step of its own.
    #[inline(never)]
    pub(crate) fn wait_at_most(&mut self, thread: ThreadId, ticks: u32) {
        let until = self.machine.moment().after(ticks);
        // It is paid for here, since the timer goes off even if the wait ends before.
        self.charge_for_waking(thread);
        let state = self.state.threads.at_mut(thread.index());
        (state.timed, state.until) = (true, until);
        self.state.timing = thread;
        self.state.has_deferred_work = true;
    }

    /// Sets the timer of a thread whose wait has a time limit.
    pub(crate) fn set_end_of_wait(&mut self, thread: ThreadId) {
        let now = self.machine.now();
        self.set_timer(thread, now);
        self.arm_if_earlier(now);
    }

    /// Sets the alarm to the first timer, if that comes before it.
    #[inline(always)]
    pub(crate) fn arm_if_earlier(&mut self, now: Instant) {
        let (_, first) = self.state.timers.first();
        let is_set_too_late = now.nearest(first) < now.nearest(self.state.alarm);
        if is_set_too_late {
            self.arm(first);
        }
    }

    /// Sets the alarm.
    #[inline(always)]
    pub(crate) fn arm(&mut self, moment: Moment) {
        self.state.alarm = moment;
        self.sleep_lightly();
        let moment = self.until_spent(moment);
        self.machine.arm(moment);
    }

    /// Sets the machine's alarm to another moment than the next at which the kernel has something to do.
    #[inline(always)]
    pub(crate) fn arm_machine(&mut self, moment: Moment) {
        if let Some(payment) = self.state.payment.get_mut(0) {
            payment.armed = moment;
        }
        self.machine.arm(moment);
    }

    /// Sets the alarm, and lets the running thread go on: its time counts from now.
    #[inline(always)]
    pub(crate) fn arm_and_go_on(&mut self, moment: Moment) {
        if S::BUDGETED {
            // Before that, or the alarm would come too early by what the kernel has done.
            self.state.since = self.machine.moment();
        }
        self.arm(moment);
        self.state.since = self.machine.moment();
    }

    /// Sets the alarm to an instant, or as far towards it as an alarm reaches.
    pub(crate) fn arm_towards(&mut self, instant: Instant, now: Instant) {
        let reach = now.after(Duration::from_ticks(HORIZON.into()));
        self.arm(instant.min(reach).moment());
    }

    /// Sets a thread's timer to whatever comes first: its release, the end of its wait, or a reminder.
    #[inline(never)]
    pub(crate) fn set_timer(&mut self, thread: ThreadId, now: Instant) {
        self.keep_dates_near(thread, now);
        let state = self.state.threads.at(thread.index());
        let mut moment = now.moment().after(HORIZON);
        let released = S::PERIODIC
            && self.machine.system().threads.at(thread.index()).kind == ThreadKind::Periodic
            && state.phase() != Phase::Stopped;
        if released {
            moment = state.release;
        }
        if state.timed && state.until.is_before(moment) {
            moment = state.until;
        }
        if let Some(back) = self.comes_back_at(thread) {
            moment = moment.earlier(back);
        }
        self.state.timers.set(thread, moment);
    }

    /// A thread's timer, set to `set_to`, went off. Anything of the thread that has come due since then waits
    /// for its turn: the timers of other threads may be earlier.
    #[inline(always)]
    pub(crate) fn expire(&mut self, thread: ThreadId, set_to: Moment, now: Instant) {
        if S::GATED && self.is_gates(thread) {
            return self.turn_of_gate(thread, now);
        }
        if S::WATCHED_OVER && self.is_watchdogs(thread) {
            return self.turn_of_watchdog(thread, now);
        }
        if S::PARTITIONED && self.is_windows(thread) {
            return self.turn_of_window(set_to);
        }
        if self.is_plain_release(thread, set_to) {
            self.release_plainly(Any::UNDER_WAY, thread, now);
            return;
        }
        let state = self.state.threads.at(thread.index());
        let kind = self.machine.system().threads.at(thread.index()).kind;
        let is_due = |moment: Moment| !set_to.is_before(moment);
        let is_budget_back = self.comes_back_at(thread).is_some_and(is_due);
        if is_budget_back {
            self.bring_budget_back(thread);
        } else if S::PERIODIC
            && kind == ThreadKind::Periodic
            && is_due(state.release)
            && state.phase() != Phase::Stopped
        {
            self.release_periodic(thread, now);
        } else if state.timed && is_due(state.until) {
            self.state.threads.at_mut(thread.index()).timed = false;
            self.state.late = thread;
            self.state.has_deferred_work = true;
        }
        self.set_timer(thread, now);
    }

    /// The event that a thread slept for has happened, and the result is in its registers.
    #[inline(always)]
    pub(crate) fn wake(&mut self, thread: ThreadId) {
        let state = self.state.threads.at_mut(thread.index());
        state.go_on();
        let (then, standing) = (state.then, state.standing());
        self.want_from_now_on(thread);
        self.note(Note::wake(thread));
        if standing != Standing::Guest {
            self.return_to_band(thread);
        }
        if then != 0 {
            self.keep_promise_later(thread);
        }
        self.bring_back(thread);
    }

    /// As above, for a plain thread of a fixed band ([`crate::scheduling::thread::ThreadState::is_plain`]).
    #[inline(always)]
    pub(crate) fn wake_plainly(&mut self, thread: ThreadId, rank: u8) {
        let state = self.state.threads.at_mut(thread.index());
        state.go_on();
        self.state.bands.insert_fixed(&mut self.state.threads, thread, rank);
    }

    /// A thread's place enters its band. In a dynamic band the deadline of a thread without jobs starts now.
    #[inline(never)]
    pub(crate) fn return_to_band(&mut self, thread: ThreadId) {
        let row = self.machine.system().threads.at(thread.index());
        let is_free = row.kind == ThreadKind::Free && matches!(row.place, Place::Dynamic { .. });
        if is_free && !self.has_bandwidth(thread) {
            let deadline = self.machine.now().after(row.deadline);
            self.state.threads.at_mut(thread.index()).deadline = deadline;
        }
        self.stand_in_band(thread);
    }

    /// A thread's time limit has ended; it doesn't count if the thread's event has happened meanwhile.
    #[cold]
    #[inline(never)]
    pub(crate) fn time_out(&mut self, thread: ThreadId) {
        let state = self.state.threads.at(thread.index());
        let (phase, wait) = (state.phase(), state.wait());
        if wait == Wait::Nothing {
            return;
        }
        if wait != Wait::Time {
            self.machine.status(thread, CallError::TimedOut as u32);
        }
        if S::SHARED && phase == Phase::Lent {
            self.end_lending(thread);
            let state = self.state.threads.at_mut(thread.index());
            state.go_on();
            state.then = 0;
            self.note(Note::wake(thread));
            return;
        }
        self.leave_queue(thread);
        self.leave_mailbox_late(thread);
        match wait {
            Wait::Time => {}
            Wait::Condition if S::SHARED => self.give_back_level(thread),
            _ => self.state.threads.at_mut(thread.index()).then = 0,
        }
        self.wake_later(thread);
    }

    /// Takes a thread out of the queue in which it waits, if any.
    #[inline(never)]
    pub(crate) fn leave_queue(&mut self, thread: ThreadId) {
        self.in_its_queue(thread, |queue, threads| queue.remove(threads, thread));
    }

    /// Does something to the queue in which a thread waits, if any.
    #[inline(always)]
    pub(crate) fn in_its_queue(
        &mut self,
        thread: ThreadId,
        change: impl FnOnce(&mut Queue, &mut S::ThreadStates),
    ) {
        if !S::SHARED {
            return;
        }
        let threads = &mut self.state.threads;
        let state = threads.at(thread.index());
        let object = usize::from(state.object());
        let queue = match state.wait() {
            Wait::Semaphore => &mut self.state.semaphores.at_mut(object).queue,
            Wait::Condition => self.state.conditions.at_mut(object),
            Wait::Send => &mut self.state.mailboxes.at_mut(object).senders,
            Wait::Receive => &mut self.state.mailboxes.at_mut(object).receivers,
            Wait::Call => &mut self.state.endpoints.at_mut(object).queue,
            Wait::EventGroup if S::GROUPED => &mut self.state.event_groups.at_mut(object).queue,
            Wait::Nothing
            | Wait::Period
            | Wait::Time
            | Wait::Notification
            | Wait::Request
            | Wait::Reply
            | Wait::EventGroup => {
                return;
            }
        };
        change(queue, threads);
    }

    /// A thread stops waiting for a lock without getting it: it lends the owner nothing any more, and places
    /// that led there through the thread have to find another end.
    pub(crate) fn end_lending(&mut self, thread: ThreadId) {
        let end = self.state.end_of_chain(self.machine.system(), thread);
        self.leave_queue(thread);
        let state = self.state.threads.at(thread.index());
        let (wait, object) = (state.wait(), state.object());
        match wait {
            Wait::Semaphore => self.leave_owner(SemaphoreId(object)),
            Wait::Reply => self.lose_client(EndpointId(object)),
            _ => {}
        }
        self.bring_back(end);
    }

    /// Sleeps until an instant, or as far towards it as a timer reaches.
    #[inline(never)]
    pub(crate) fn sleep_until(&mut self, operand: Operand, [low, high]: [u32; 2]) -> Outcome {
        self.must_be_a_wait(Any::UNDER_WAY, operand, FOREVER)?;
        let instant = Instant::from_ticks(u64::from(high) << 32 | u64::from(low));
        let now = self.machine.now();
        let ticks = instant.since(now).ticks();
        if ticks == 0 {
            return Ok(self.keep_promise(Any::UNDER_WAY, operand, Next::Stay));
        }
        self.must_be_patient()?;
        let ticks = if ticks < HORIZON as u64 { ticks as u32 } else { HORIZON };
        Ok(self.sleep(Any::UNDER_WAY, Wait::Time, operand, ticks))
    }
}
