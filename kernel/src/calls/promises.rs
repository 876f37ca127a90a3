//! Promises: the semaphore that a waiting call names, taken as soon as the wait is over.
//!
//! A waiting call may name the semaphore that the caller wants next (EMERALDS, section 6.2). When the awaited
//! event happens, the kernel takes the semaphore for the caller, or lends the caller's place to the owner at
//! once. That saves the switch to a thread that would only block. The paper's kernel leaves the taking to the
//! thread, and needs a second queue for threads that come in between (section 6.3.1); here none can.

use beryl_abi::call::Operand;
use beryl_abi::{CallError, Note, SemaphoreId, ThreadId};

use crate::arguments::promised;
use crate::event::Machine;
use crate::kernel::{Kernel, Next};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::{Any, Way};

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Whether the semaphore, if one is named, may be promised to the caller.
    #[inline(always)]
    pub(crate) fn is_promise<W: Way>(&mut self, way: W, operand: Operand) -> bool {
        let semaphore = SemaphoreId(promised(operand).wrapping_sub(1));
        if semaphore.index() >= S::Semaphores::LENGTH {
            return false;
        }
        let state = *self.state.semaphores.at(semaphore.index());
        !state.is_counting()
            && self.must_be_allowed(way, state.processes).is_ok()
            && self.owner(semaphore) != self.state.running()
            && self.must_take_turns().is_ok()
    }

    /// Refuses to promise anything but a binary semaphore of the caller's process that the caller doesn't
    /// own, or to promise a turn to who mayn't wait for it.
    #[inline(never)]
    pub(crate) fn must_be_a_promise(&mut self, operand: Operand) -> Result<(), CallError> {
        let Some(number) = operand.semaphore() else { return Ok(()) };
        let semaphore = self.lock(Any::UNDER_WAY, Operand(number.0.into()))?;
        match self.owner(semaphore) == self.state.running() {
            true => Err(CallError::Deadlock),
            false => self.must_take_turns(),
        }
    }

    /// A thread whose wait is over takes its promised semaphore, or waits for it.
    #[inline(never)]
    pub(crate) fn take_promised<W: Way>(&mut self, way: W, thread: ThreadId) {
        let Some(number) = self.state.threads.at(thread.index()).then.checked_sub(1) else { return };
        let semaphore = SemaphoreId(number);
        let owner = self.owner(semaphore);
        if !owner.is_some() {
            self.state.threads.at_mut(thread.index()).then = 0;
            self.take_free(semaphore, thread);
            self.note_on(way, Note::hold(thread, semaphore));
        } else if self.closes_ring(thread, owner) {
            self.state.threads.at_mut(thread.index()).then = 0;
            self.machine.status(thread, CallError::Deadlock as u32);
        } else {
            self.lend(thread, semaphore, owner);
            self.trace_lend(way, thread, owner);
        }
    }

    /// The owner of a thread's promised semaphore, if keeping the promise is short: no owner, or a ready
    /// owner and no other waiter. Then no chain of owners and no queue is followed.
    #[inline(always)]
    pub(crate) fn short_promise(&mut self, semaphore: SemaphoreId) -> Option<ThreadId> {
        let owner = self.owner(semaphore);
        let is_short = !owner.is_some()
            || self.state.semaphores.at(semaphore.index()).queue.is_empty()
                && self.state.threads.at(owner.index()).is_ready();
        is_short.then_some(owner)
    }

    /// Keeps such a promise.
    #[inline(always)]
    pub(crate) fn keep_short_promise<W: Way>(
        &mut self,
        way: W,
        thread: ThreadId,
        semaphore: SemaphoreId,
        owner: ThreadId,
    ) {
        if !owner.is_some() {
            self.state.threads.at_mut(thread.index()).then = 0;
            self.take_free(semaphore, thread);
            self.note_on(way, Note::hold(thread, semaphore));
        } else if owner == thread {
            self.state.threads.at_mut(thread.index()).then = 0;
            self.machine.status(thread, CallError::Deadlock as u32);
        } else {
            self.lend_alone(thread, semaphore, owner);
            self.trace_lend(way, thread, owner);
        }
    }

    /// A call that didn't have to wait keeps its promise; if there is none, as by the ordinary way, `next`
    /// follows.
    #[inline(always)]
    pub(crate) fn keep_promise<W: Way>(&mut self, _way: W, operand: Operand, next: Next) -> Next {
        match promised(operand) {
            _ if W::IS_ORDINARY => next,
            0 => next,
            then => self.keep_promise_now(then, next),
        }
    }

    #[inline(never)]
    fn keep_promise_now(&mut self, then: u8, next: Next) -> Next {
        let running = self.state.running();
        self.state.threads.at_mut(running.index()).then = then;
        self.keep_promise_later(running);
        if let Next::Wake(thread) = next {
            self.wake_later(thread);
        }
        Next::Again
    }
}
