//! Semaphores: binary ones with an owner, counting ones without.

use beryl_abi::{CallError, ThreadId, call::OWNER_DIED};
use beryl_kernel::{SemaphoreKind, Sizes, Table};

use super::{Answer, Index, Model, Outcome, Phase, Reason, Ticks};

/// In a user's word: somebody waits, or the owner died; the kernel knows more.
const ASK_THE_KERNEL: u32 = 1 << 31;

impl<S: Sizes> Model<'_, S> {
    pub fn is_binary(&self, semaphore: Index) -> bool {
        matches!(self.system.semaphores.at(semaphore).kind, SemaphoreKind::Binary { .. })
    }

    fn user_word(&self, semaphore: Index) -> Option<u32> {
        match self.system.semaphores.at(semaphore).kind {
            SemaphoreKind::Binary { word } if word != 0 => Some(word),
            _ => None,
        }
    }

    /// Who owns a binary semaphore. A word that names nobody who could says nothing.
    pub fn owner(&self, semaphore: Index) -> Option<Index> {
        let word = self.user_word(semaphore).map_or(ASK_THE_KERNEL, |word| self.word(word));
        if word & ASK_THE_KERNEL != 0 {
            return self.semaphores[semaphore].owner;
        }
        let owner = usize::from(ThreadId((word as u8).wrapping_sub(1)).0);
        let lives = owner < self.threads.len() && self.threads[owner].phase != Phase::Stopped;
        let may = lives && self.may_name(owner, self.system.semaphores.at(semaphore).processes);
        may.then_some(owner)
    }

    /// Notes who owns a semaphore from now on, in the user's word, too.
    fn note_owner(&mut self, semaphore: Index, owner: Option<Index>) {
        self.note_owner_alone(semaphore, owner);
        self.look_who_is_wanted();
    }

    fn note_owner_alone(&mut self, semaphore: Index, owner: Option<Index>) {
        self.semaphores[semaphore].owner = owner;
        let Some(word) = self.user_word(semaphore) else { return };
        let number = owner.map_or(0, |owner| owner as u32 + 1);
        let somebody_waits = self.waiters(|reason| *reason == Reason::Semaphore(semaphore)).next().is_some();
        let ask = somebody_waits || self.semaphores[semaphore].died;
        self.memory.insert(word, number | if ask { ASK_THE_KERNEL } else { 0 });
    }

    pub fn semaphore_wait(
        &mut self,
        me: Index,
        semaphore: Index,
        patience: Patience,
        then: Option<Index>,
    ) -> Outcome {
        if !self.is_binary(semaphore) {
            if self.semaphores[semaphore].units == 0 {
                return self.begin_to_wait(me, Reason::Semaphore(semaphore), patience, then);
            }
            self.semaphores[semaphore].units -= 1;
            return self.go_on(me, Answer::success(), then);
        }
        match self.owner(semaphore) {
            None => Ok(Some(self.take(me, semaphore, Answer::success()))),
            Some(owner) if self.chain(owner).contains(&me) => Err(CallError::Deadlock),
            Some(owner) => {
                if patience == Patience::Poll {
                    return Err(CallError::WouldBlock);
                }
                self.semaphores[semaphore].owner = Some(owner);
                self.begin_to_wait(me, Reason::Semaphore(semaphore), patience, None)?;
                self.note_owner(semaphore, Some(owner));
                Ok(None)
            }
        }
    }

    /// A free semaphore is taken.
    fn take(&mut self, thread: Index, semaphore: Index, mut answer: Answer) -> Answer {
        if std::mem::take(&mut self.semaphores[semaphore].died) {
            answer.status = OWNER_DIED;
        }
        self.note_owner(semaphore, Some(thread));
        answer
    }

    /// A thread that has what it waited for, or needn't wait, wants a semaphore, too.
    pub fn go_on(&mut self, me: Index, answer: Answer, then: Option<Index>) -> Outcome {
        self.threads[me].answer = Some(answer);
        if let Some(semaphore) = then {
            self.take_next(me, semaphore);
        }
        Ok(None)
    }

    /// Takes a semaphore for a thread that is ready, or lets it wait for it. Its answer is kept. If it
    /// would wait for itself it goes on without.
    pub fn take_next(&mut self, thread: Index, semaphore: Index) {
        let answer = self.threads[thread].answer.clone().unwrap();
        match self.owner(semaphore) {
            None => self.threads[thread].answer = Some(self.take(thread, semaphore, answer)),
            Some(owner) if self.chain(owner).contains(&thread) => {
                let values = answer.values;
                self.threads[thread].answer = Some(Answer { status: CallError::Deadlock as u32, values });
            }
            Some(owner) => {
                self.wait(thread, Reason::Semaphore(semaphore), None, None);
                self.note_owner(semaphore, Some(owner));
            }
        }
    }

    pub fn semaphore_signal(&mut self, me: Index, semaphore: Index) -> Outcome {
        if self.is_binary(semaphore) {
            if self.owner(semaphore) != Some(me) {
                return Err(CallError::NotOwner);
            }
            self.pass_on(semaphore, false);
            return Ok(Some(Answer::success()));
        }
        if let Some(waiter) = self.most_urgent(|reason| *reason == Reason::Semaphore(semaphore)) {
            self.wake(waiter, Answer::success());
            return Ok(Some(Answer::success()));
        }
        let SemaphoreKind::Counting { most, .. } = self.system.semaphores.at(semaphore).kind else {
            unreachable!()
        };
        if self.semaphores[semaphore].units == most {
            return Err(CallError::Overflow);
        }
        self.semaphores[semaphore].units += 1;
        Ok(Some(Answer::success()))
    }

    /// A binary semaphore's owner gives it up, or has died.
    pub fn pass_on(&mut self, semaphore: Index, died: bool) {
        let Some(next) = self.next_owner(semaphore) else {
            self.semaphores[semaphore].died = died;
            return self.note_owner(semaphore, None);
        };
        let kept = self.threads[next].answer.take();
        let mut answer = kept.unwrap_or(Answer::success());
        if died {
            answer.status = OWNER_DIED;
        }
        self.threads[next].answer = Some(answer);
        self.threads[next].phase = Phase::Ready;
        self.note_owner(semaphore, Some(next));
    }

    /// A thread doesn't wait any more for a semaphore that it didn't get.
    pub fn forget_waiter(&mut self, semaphore: Index) {
        let owner = self.semaphores[semaphore].owner;
        self.note_owner(semaphore, owner);
    }

    /// The waiter through which the most urgent place waits, or the most urgent waiter.
    fn next_owner(&self, semaphore: Index) -> Option<Index> {
        let waits_here = |thread: &Index| {
            self.threads[*thread].waiting().is_some_and(|wait| wait.reason == Reason::Semaphore(semaphore))
        };
        let chain = self.chain(self.first_place());
        let through = chain.into_iter().find(waits_here);
        through.or_else(|| self.most_urgent(|reason| *reason == Reason::Semaphore(semaphore)))
    }

    /// All binary semaphores that a thread owns.
    pub fn owned_by(&self, thread: Index) -> Vec<Index> {
        let all = 0..self.semaphores.len();
        all.filter(|index| self.is_binary(*index) && self.owner(*index) == Some(thread)).collect()
    }
}

/// How long a caller waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    Poll,
    Forever,
    Until(Ticks),
}
