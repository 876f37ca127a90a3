//! Semaphores: binary ones with owner, counting ones with neither owner nor inheritance.

use beryl_abi::ThreadId;

use crate::objects::queue::Queue;
use crate::scheduling::thread::ThreadState;
use crate::table::{Blank, Table};

/// What changes of a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SemaphoreState {
    /// Who waits.
    pub(crate) queue: Queue,
    /// Who owns a binary one, or nobody. If it has a user's word, that says so as long as nobody waits.
    pub(crate) owner: ThreadId,
    /// Whether its last owner stopped.
    pub(crate) died: bool,
    /// Units of a counting one.
    pub(crate) units: u16,
}

impl SemaphoreState {
    pub(crate) const FREE: SemaphoreState =
        SemaphoreState { queue: Queue::EMPTY, owner: ThreadId::NONE, died: false, units: 0 };
}

/// What comes of a unit that is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// It goes to this thread, which has waited for it.
    To(ThreadId),
    /// It is kept.
    Kept,
    /// There can't be more.
    Full,
}

impl SemaphoreState {
    /// A unit is taken, if there is one.
    #[inline(always)]
    pub(crate) fn take_unit(&mut self) -> bool {
        let is_there = self.units > 0;
        if is_there {
            self.units -= 1;
        }
        is_there
    }

    /// A unit is given back; there can be `most`.
    #[inline(always)]
    pub(crate) fn give_unit(&mut self, most: u16, threads: &impl Table<ThreadState>) -> Given {
        if let Some(thread) = self.queue.take(threads) {
            return Given::To(thread);
        }
        if self.units >= most {
            return Given::Full;
        }
        self.units += 1;
        Given::Kept
    }

    /// Somebody takes a binary one that is free, and by whose word it isn't known who owns it. Answers whether its last owner has stopped.
    #[inline(always)]
    pub(crate) fn claim(&mut self, owner: ThreadId) -> bool {
        self.owner = owner;
        core::mem::replace(&mut self.died, false)
    }

    /// A waiter becomes the owner of a binary one.
    #[inline(always)]
    pub(crate) fn pass_to(&mut self, next: ThreadId, threads: &mut impl Table<ThreadState>) {
        match self.queue.first() == next {
            true => drop(self.queue.take(threads)),
            false => self.queue.remove(threads, next),
        }
        self.owner = next;
    }
}

impl Blank for SemaphoreState {
    const BLANK: SemaphoreState =
        SemaphoreState { queue: Queue::BLANK, owner: ThreadId(0), ..SemaphoreState::FREE };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_go_to_who_waits_and_are_kept_up_to_a_limit() {
        let mut threads = [ThreadState::DORMANT; 2];
        let mut semaphore = SemaphoreState::FREE;
        assert!(!semaphore.take_unit());
        semaphore.queue = Queue::of(&mut threads, ThreadId(1));
        let given = [(); 3].map(|()| semaphore.give_unit(1, &threads));
        assert_eq!(given, [Given::To(ThreadId(1)), Given::Kept, Given::Full]);
        assert_eq!([(); 2].map(|()| semaphore.take_unit()), [true, false]);
    }

    #[test]
    fn the_next_owner_need_not_be_the_first_who_waits() {
        let mut threads = [ThreadState::DORMANT; 3];
        let mut semaphore = SemaphoreState { died: true, ..SemaphoreState::FREE };
        assert_eq!([(); 2].map(|()| semaphore.claim(ThreadId(0))), [true, false], "a death is told once");
        semaphore.queue = Queue::of(&mut threads, ThreadId(1));
        semaphore.queue.append(&mut threads, ThreadId(2));
        semaphore.pass_to(ThreadId(2), &mut threads);
        assert_eq!((semaphore.owner, semaphore.queue.first()), (ThreadId(2), ThreadId(1)));
        semaphore.pass_to(ThreadId(1), &mut threads);
        assert!(semaphore.queue.is_empty());
    }
}
