//! Periodic threads: released by the kernel, exactly a period apart.
//!
//! The kernel makes the release, not the thread. So it sees at once that a job isn't done, nothing drifts,
//! and a job costs the timer queue one replay.

use beryl_abi::call::{FOREVER, Operand};
use beryl_abi::{CallError, Duration, Instant, Moment, Record, ThreadId};

use crate::arguments::promised;
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::rows::threads::{Place, ThreadKind};
use crate::scheduling::thread::{Standing, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Way;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The running thread's job is done; it sleeps until its next release, or at once begins a missed one.
    #[inline(always)]
    pub(crate) fn wait_period<W: Way>(&mut self, way: W, operand: Operand) -> Outcome {
        if !S::PERIODIC || self.caller_kind() != ThreadKind::Periodic {
            return Err(CallError::WrongCaller);
        }
        self.must_be_a_wait(way, operand, FOREVER)?;
        let running = self.state.running();
        let missed = self.state.threads.at(running.index()).missed;
        way.only_if(self.state.processor.is_in_own_place() && missed == 0)?;
        self.end_periodic_job(way, running)?;
        self.answer([missed.into(), 0]);
        if missed > 0 {
            let kept = missed.min(self.caller().catch_up);
            self.state.threads.at_mut(running.index()).missed = kept.saturating_sub(1);
            if kept > 0 {
                self.catch_up(operand, kept);
                return Ok(Next::Again);
            }
        }
        match self.sleep(way, Wait::Period, operand, FOREVER) {
            Next::Sleep => Ok(Next::Rest),
            next => Ok(next),
        }
    }

    /// A periodic thread's job is done: notes whether it was on time and within its declared worst. If it was
    /// still at work at its next release, that was noted then.
    #[inline(always)]
    fn end_periodic_job<W: Way>(&mut self, way: W, thread: ThreadId) -> Result<(), CallError> {
        let now = self.machine.moment();
        way.only_if(self.ends_quietly(|job| !job.deadline.moment().is_before(now), now))?;
        self.charge_until(now);
        self.trace_on(way, Record::Complete { task: thread });
        let job = self.state.threads.at(thread.index());
        if job.deadline.moment().is_before(now) && job.missed == 0 {
            self.miss(thread);
        }
        self.judge_spending(thread);
        Ok(())
    }

    /// The running thread begins the first of the missed jobs that are kept.
    #[inline(never)]
    fn catch_up(&mut self, operand: Operand, kept: u8) {
        let row = self.caller();
        let (period, within) = (row.period, row.deadline);
        let (running, now) = (self.state.running(), self.machine.now());
        self.clock_begins_anew(running);
        let state = self.state.threads.at_mut(running.index());
        // Counted back from the next release: more may have been missed than are kept.
        let ago = period.times(kept);
        let next = now.nearest(state.release);
        let instant = Instant::from_ticks(next.ticks().saturating_sub(ago.ticks()));
        let deadline = instant.after(within);
        state.clock = Duration::ZERO;
        state.deadline = deadline;
        state.then = promised(operand);
        self.forget_debt(running);
        self.begin_budget(running);
        self.trace(Record::Release { task: running, instant, deadline });
        self.move_to_deadline(running);
    }

    /// A thread's deadline changes. In a dynamic band it leaves its place and wakes again; in a fixed one it
    /// stays where it is.
    fn move_to_deadline(&mut self, thread: ThreadId) {
        let is_dynamic =
            matches!(self.machine.system().threads.at(thread.index()).place, Place::Dynamic { .. });
        if is_dynamic && self.state.threads.at(thread.index()).standing() == Standing::In {
            self.state.bands.remove(self.machine.system(), &mut self.state.threads, thread);
            self.state.threads.at_mut(thread.index()).doze();
            return self.wake_later(thread);
        }
        if self.state.threads.at(thread.index()).then != 0 {
            self.keep_promise_later(thread);
        }
        self.state.undecided = true;
    }

    /// Whether a timer that was set to `due` and has gone off is the release of a waiting periodic thread
    /// that only has to wake.
    #[inline(always)]
    pub(crate) fn is_plain_release(&self, thread: ThreadId, due: Moment) -> bool {
        if S::GATED && self.is_gates(thread)
            || S::WATCHED_OVER && self.is_watchdogs(thread)
            || self.is_windows(thread)
        {
            return false;
        }
        if S::POOLED && self.comes_back_at(thread).is_some() {
            // Its timer may be that of the budget, and is the budget's afterwards.
            return false;
        }
        let state = self.state.threads.at(thread.index());
        let is_plain = state.wait() == Wait::Period && state.wakes_alone();
        S::PERIODIC && is_plain && !due.is_before(state.release)
    }

    /// A plain release ([`Kernel::is_plain_release`]). Returns whether the thread is more urgent than all
    /// ready threads.
    pub(crate) fn release_plainly<W: Way>(&mut self, way: W, thread: ThreadId, now: Instant) -> bool {
        let row = self.machine.system().threads.at(thread.index());
        self.clock_begins_anew(thread);
        let state = self.state.threads.at_mut(thread.index());
        let instant = now.nearest(state.release);
        let next = state.release.after(row.period.ticks() as u32);
        let deadline = instant.after(row.deadline);
        (state.release, state.deadline, state.clock) = (next, deadline, Duration::ZERO);
        let rank = state.rank();
        self.begin_budget(thread);
        self.state.timers.set(thread, next);
        self.trace_on(way, Record::Release { task: thread, instant, deadline });
        match rank.as_fixed() {
            Some(rank) => self.stand_in_at_once(thread, rank),
            None => self.stand_in_with_deadline(thread),
        }
    }

    /// A plain periodic thread wakes in its dynamic band. Returns whether it is more urgent than all others.
    #[inline(never)]
    fn stand_in_with_deadline(&mut self, thread: ThreadId) -> bool {
        self.end_wait(thread);
        self.stand_in_band(thread);
        self.state.bands.first() == thread
    }

    /// A periodic thread is released.
    #[inline(always)]
    pub(crate) fn release_periodic(&mut self, thread: ThreadId, now: Instant) {
        let row = self.machine.system().threads.at(thread.index());
        let (period, within) = (row.period, row.deadline);
        let state = self.state.threads.at_mut(thread.index());
        let instant = now.nearest(state.release);
        state.release = state.release.after(period.ticks() as u32);
        if state.wait() != Wait::Period {
            state.missed = state.missed.saturating_add(1);
            return self.miss(thread);
        }
        let deadline = instant.after(within);
        self.clock_begins_anew(thread);
        let state = self.state.threads.at_mut(thread.index());
        state.deadline = deadline;
        state.clock = Duration::ZERO;
        self.begin_budget(thread);
        self.trace(Record::Release { task: thread, instant, deadline });
        match row.place {
            Place::Fixed { .. } if self.state.threads.at(thread.index()).is_plain() => {
                let rank = self.state.threads.at(thread.index()).rank();
                self.wake_plainly(thread, rank.number());
                if self.state.threads.at(thread.index()).then != 0 {
                    self.keep_promise_later(thread);
                }
            }
            _ => self.wake_later(thread),
        }
    }
}
