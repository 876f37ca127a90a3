//! Condition variables: one call gives up a lock and waits, and returns with the lock.

use beryl_abi::call::{Operand, POLL};
use beryl_abi::{CallError, ConditionId, Note, SemaphoreId, ThreadId};

use crate::calls::semaphores::Left;
use crate::event::Machine;
use crate::kernel::{Kernel, Next, Outcome};
use crate::scheduling::broadcast::Broadcast;
use crate::scheduling::thread::{Offer, Wait};
use crate::sizes::Sizes;
use crate::table::Table;
use crate::ways::Any;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// Gives up a lock and waits for a condition.
    #[inline(never)]
    pub(crate) fn condition_wait(&mut self, operand: Operand, timeout: u32) -> Outcome {
        self.must_be_able_to_wait(Any::UNDER_WAY)?;
        let condition = self.condition(operand)?;
        let lock = operand.semaphore();
        let raised = self.raised_level(self.state.running());
        match lock {
            Some(_) if raised > 0 => return Err(CallError::Raised),
            Some(semaphore) => self.must_own(semaphore)?,
            None if raised == 0 => return Err(CallError::NotOwner),
            None => {}
        }
        Self::must_be_short(timeout)?;
        if timeout == POLL {
            return Err(CallError::WouldBlock);
        }
        match lock {
            Some(semaphore) => self.give_up(semaphore),
            None => self.lower_to_wait(raised),
        }
        let next = self.sleep(Any::UNDER_WAY, Wait::Condition, operand, timeout);
        let running = self.state.running();
        let queue = self.state.conditions.at_mut(condition.index());
        queue.insert(&self.machine.system().threads, &mut self.state.threads, running);
        Ok(next)
    }

    /// Wakes the most urgent thread that waits for a condition.
    #[inline(never)]
    pub(crate) fn condition_signal(&mut self, operand: Operand) -> Outcome {
        let condition = self.condition(operand)?;
        let queue = self.state.conditions.at_mut(condition.index());
        Ok(match queue.take(&self.state.threads) {
            Some(thread) => {
                self.end_condition(thread);
                Next::Wake(thread)
            }
            None => Next::Stay,
        })
    }

    /// Wakes all threads that wait for a condition, one each step.
    #[inline(never)]
    pub(crate) fn condition_broadcast(&mut self, operand: Operand) -> Outcome {
        let condition = self.condition(operand)?;
        self.state.broadcast = Broadcast::Condition(condition);
        self.state.has_deferred_work = true;
        Ok(Next::Again)
    }

    /// Wakes the most urgent thread that waits for a condition; if there is none, all are awake.
    pub(crate) fn wake_next(&mut self, condition: ConditionId) {
        let queue = self.state.conditions.at_mut(condition.index());
        let Some(thread) = queue.take(&self.state.threads) else {
            self.state.broadcast = Broadcast::Nobody;
            return;
        };
        self.end_condition(thread);
        self.wake_later(thread);
    }

    /// The condition that a thread waits for was signalled.
    fn end_condition(&mut self, thread: ThreadId) {
        self.give_back_level(thread);
    }

    fn condition(&self, operand: Operand) -> Result<ConditionId, CallError> {
        let condition = ConditionId(operand.number());
        if condition.index() >= S::Conditions::LENGTH {
            return Err(CallError::NoSuchObject);
        }
        self.must_be_allowed(
            Any::UNDER_WAY,
            self.machine.system().conditions.at(condition.index()).processes,
        )?;
        Ok(condition)
    }

    /// Refuses a lock that the caller doesn't own.
    fn must_own(&mut self, semaphore: SemaphoreId) -> Result<(), CallError> {
        match self.must_be_a_promise(Operand::then(0, semaphore)) {
            Err(CallError::Deadlock) => Ok(()),
            Ok(()) => Err(CallError::NotOwner),
            error => error,
        }
    }

    /// The caller gives up the semaphore that it owns.
    fn give_up(&mut self, semaphore: SemaphoreId) {
        self.note(Note::free(self.state.running(), semaphore));
        if self.state.semaphores.at(semaphore.index()).queue.is_empty() {
            return self.set_free(semaphore);
        }
        let next = self.pass_on(semaphore, Left::Whole);
        self.note(Note::hold(next, semaphore));
    }

    /// The caller gives up its raised level, which the kernel keeps for it.
    fn lower_to_wait(&mut self, raised: u8) {
        let running = self.state.running();
        self.state.threads.at_mut(running.index()).offer = Offer::level(raised);
        self.machine.store(self.caller().words, 0);
    }

    /// A thread that gave up its raised level to wait for a condition gets it back.
    pub(crate) fn give_back_level(&mut self, thread: ThreadId) {
        let state = self.state.threads.at(thread.index());
        if state.then == 0 {
            let level = state.offer.as_level();
            self.machine.store(self.machine.system().threads.at(thread.index()).words, level);
        }
    }
}
