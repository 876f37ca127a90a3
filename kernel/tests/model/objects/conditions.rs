//! Conditions: a lock given up, a wait, the lock taken again.

use beryl_abi::CallError;
use beryl_kernel::Sizes;

use super::semaphores::Patience;
use super::{Answer, Index, Model, Outcome, Reason};

impl<S: Sizes> Model<'_, S> {
    /// Without a semaphore the lock is a ceiling lock: the caller's raised word.
    pub fn condition_wait(
        &mut self,
        me: Index,
        condition: Index,
        lock: Option<Index>,
        patience: Patience,
    ) -> Outcome {
        let words = self.row(me).words;
        let level = self.raised_level(me);
        if patience == Patience::Poll {
            return Err(CallError::WouldBlock);
        }
        let reason = Reason::Condition(condition, lock.is_none().then_some(level));
        match lock {
            Some(lock) => self.pass_on(lock, false),
            None => {
                self.memory.insert(words, 0);
            }
        }
        self.begin_to_wait(me, reason, patience, lock)
    }

    /// Wakes the most urgent one; answers whether there was one.
    pub fn condition_signal(&mut self, condition: Index) -> bool {
        let first = self.most_urgent(|reason| matches!(reason, Reason::Condition(c, _) if *c == condition));
        first.inspect(|thread| self.wake(*thread, Answer::success())).is_some()
    }

    pub fn condition_broadcast(&mut self, condition: Index) {
        while self.condition_signal(condition) {}
    }
}
