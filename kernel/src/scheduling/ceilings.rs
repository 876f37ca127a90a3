//! Ceiling locks: urgency that user code raises and lowers without the kernel.
//!
//! A thread raises its urgency by writing a preemption level to a word of its own; the kernel reads it when
//! it decides. Then only a thread with a higher level preempts it. If another one has to wait, the kernel
//! writes that one's level to the thread's second word, and the thread asks for a decision once it has
//! lowered its own word below that. This is the protocol UPRIO|NPRIO (OSPERT 2014, paper 3, section III-B),
//! whose priorities are preemption levels here, so that it works in dynamic bands too (Baker's stack resource
//! policy).
//!
//! The paper re-queues a preempted thread at its raised priority. A level is no place in a dynamic band, so
//! here raised threads that were preempted are kept on a stack, the highest level on top. Only a thread whose
//! level is higher than the top's may start before the top has gone on.

use beryl_abi::{CallError, ThreadId};

use crate::event::{Machine, Switch};
use crate::kernel::{Kernel, Next};
use crate::rows::budgets::Budget;
use crate::scheduling::caller::Caller;
use crate::scheduling::processor::Place;
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The caller or interrupted thread where the byte alone doesn't say. A thread that takes ceiling locks
    /// is like any other while it holds none and keeps no more urgent place out; its own place says so.
    #[inline(always)]
    pub(crate) fn without_locks(&mut self, caller: Caller) -> Caller {
        let may_hold = S::CEILINGS && caller.takes_locks() && self.state.processor.is_in_own_place();
        let holds_none = may_hold && self.machine.load(self.caller().words) == 0;
        if holds_none { caller.without_locks() } else { caller }
    }

    /// Whether a decision has to ask for ceilings at all.
    #[inline(always)]
    pub(crate) fn is_under_ceilings(&mut self) -> bool {
        self.has_raised() || S::CEILINGS && self.raised_level(self.state.running()) > 0
    }

    /// Whether a thread with raised urgency was preempted.
    #[inline(always)]
    pub(crate) fn has_raised(&self) -> bool {
        S::CEILINGS && self.state.raised.is_some()
    }

    /// Whether the caller holds a ceiling lock.
    #[inline(always)]
    pub(crate) fn is_raised<W: Way>(&mut self, _way: W) -> bool {
        if W::IS_ORDINARY {
            return false;
        }
        let row = self.caller();
        let (highest, words) = (row.highest_ceiling, row.words);
        S::CEILINGS && highest > 0 && self.machine.load(words) != 0
    }

    /// Refuses to let a raised thread wait or yield.
    #[inline(always)]
    pub(crate) fn must_not_be_raised<W: Way>(&mut self, way: W) -> Result<(), CallError> {
        if self.is_raised(way) { Err(CallError::Raised) } else { Ok(()) }
    }

    /// The level to which a thread has raised itself; 0 if it hasn't. The kernel doesn't trust what it wrote
    /// beyond the ceilings of its locks.
    pub(crate) fn raised_level(&mut self, thread: ThreadId) -> u8 {
        let row = self.machine.system().threads.at(thread.index());
        match row.highest_ceiling {
            highest if highest == 0 || !S::CEILINGS => 0,
            highest => self.machine.load(row.words).min(highest.into()) as u8,
        }
    }

    /// The preemption level of a thread's place: as far above its first level as its rank is above its first
    /// rank. In the background it is the lowest of all.
    fn level_of(&self, thread: ThreadId) -> u8 {
        if self.is_lowered(thread) {
            return Budget::BACKGROUND;
        }
        let row = self.machine.system().threads.at(thread.index());
        let rank = self.state.threads.at(thread.index()).rank();
        row.level.wrapping_add(row.rank.number()).wrapping_sub(rank.number())
    }

    /// Tells a thread which level is waiting for it to lower its own.
    pub(crate) fn publish(&mut self, thread: ThreadId, level: u8) {
        let row = self.machine.system().threads.at(thread.index());
        if S::CEILINGS && row.highest_ceiling > 0 {
            let least = self.least_published(thread).max(self.must_say_when_it_ends(thread).into());
            let level = level.max(least);
            self.machine.store(row.words.wrapping_add(4), level.into());
        }
    }

    /// A thread has to call once it has lowered itself, even if nobody is told to it who waits for that.
    pub(crate) fn have_it_say_when_it_lowers_itself(&mut self, thread: ThreadId) {
        let row = self.machine.system().threads.at(thread.index());
        let published = row.words.wrapping_add(4);
        if S::CEILINGS && row.highest_ceiling > 0 && self.machine.load(published) == 0 {
            self.machine.store(published, 1);
        }
    }

    /// The caller has lowered its urgency below what was published.
    pub(crate) fn preempt(&mut self) -> Next {
        let running = self.state.running();
        self.lets_in(Any::UNDER_WAY, running);
        self.publish(running, 0);
        Next::Decide
    }

    /// The running thread makes way for a driver thread, which is above all ceilings.
    #[cold]
    #[inline(never)]
    pub(crate) fn set_aside(&mut self) {
        let running = self.state.running();
        let goes_on =
            self.state.threads.at(running.index()).is_ready() && !self.state.processor.is_displaced();
        let own = if goes_on { self.raised_level(running) } else { 0 };
        if own > 0 {
            self.put_on_stack(running, own);
        }
    }

    /// Decides between `next`, whose turn it would be, the running thread, and the raised thread that was
    /// preempted last.
    #[cold]
    #[inline(never)]
    pub(crate) fn decide_under_ceilings(&mut self, place: ThreadId, next: ThreadId) -> Switch {
        let running = self.state.running();
        let goes_on =
            self.state.threads.at(running.index()).is_ready() && !self.state.processor.is_displaced();
        let level = self.level_of(place);
        let own = if goes_on { self.raised_level(running) } else { 0 };
        // Whose window is over keeps nobody out, and goes on inside when that comes again.
        let goes_on = goes_on && self.may_run_now(running);
        let top = self.highest_raised();
        let held = if top.is_some() && top != next { self.raised_level(top) } else { 0 };
        // Where windows begin, one that was preempted may be above the one that runs; and so it is where a place was lowered
        // since, or has another priority. Who isn't raised keeps nobody out then.
        let may_fall = S::PARTITIONED || S::BUDGETED || S::RANGED;
        let is_above = !may_fall || own > 0 && own >= held;
        if goes_on && is_above && level <= own.max(held) {
            self.publish(running, level);
            // A more urgent place is kept out from now on.
            self.state.processor.keep(Place::Lent(self.state.payer()));
            self.keeps_out_from_now_on(running);
            return Switch::Stay;
        }
        if own > 0 {
            self.put_on_stack(running, own);
        }
        let is_held_off = (may_fall || !goes_on) && held > 0 && level <= held;
        let next = if is_held_off { top } else { next };
        if self.take_from_stack(next) {
            self.publish(next, if is_held_off { level } else { 0 });
            if is_held_off {
                self.keeps_out(next);
            }
        }
        self.hand_over(Any::UNDER_WAY, next, Place::Lent(if is_held_off { next } else { place }))
    }

    /// The raised thread with the highest level of those that were preempted, and whose places count now.
    fn highest_raised(&self) -> ThreadId {
        let mut at = self.state.raised;
        if S::PARTITIONED {
            // bound: RAISED
            while at.is_some() && !self.may_run_now(at) {
                at = self.state.threads.at(at.index()).behind;
            }
        }
        at
    }

    /// Puts a raised thread on the stack, below those with higher levels.
    fn put_on_stack(&mut self, thread: ThreadId, level: u8) {
        let (mut above, mut below) = (ThreadId::NONE, self.state.raised);
        // bound: RAISED
        while below.is_some() && self.raised_level(below) > level {
            (above, below) = (below, self.state.threads.at(below.index()).behind);
        }
        self.state.threads.at_mut(thread.index()).behind = below;
        match above.is_some() {
            true => self.state.threads.at_mut(above.index()).behind = thread,
            false => self.state.raised = thread,
        }
    }

    /// Takes a thread from the stack, if it is there.
    pub(crate) fn take_from_stack(&mut self, thread: ThreadId) -> bool {
        if !S::CEILINGS {
            return false;
        }
        let (mut above, mut at) = (ThreadId::NONE, self.state.raised);
        // bound: RAISED
        while at.is_some() {
            let below = self.state.threads.at(at.index()).behind;
            if at == thread {
                match above.is_some() {
                    true => self.state.threads.at_mut(above.index()).behind = below,
                    false => self.state.raised = below,
                }
                return true;
            }
            (above, at) = (at, below);
        }
        false
    }
}
