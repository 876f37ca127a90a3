//! Semaphores: binary ones with an owner, counting ones with neither owner nor inheritance.

use beryl_abi::ThreadId;

use crate::objects::owner::Owner;
use crate::objects::queue::Queue;
use crate::rows::objects::{Semaphore, SemaphoreKind};
use crate::rows::processes::Processes;
use crate::scheduling::thread::ThreadState;
use crate::table::{Blank, Table};

/// Everything that a call reads or changes of a semaphore, in one row, so that it is found at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct SemaphoreState {
    /// The processes that may name it.
    pub(crate) processes: Processes,
    /// The address of a binary semaphore's user word, or 0.
    pub(crate) word: u32,
    /// Units of a counting semaphore.
    pub(crate) units: u16,
    /// The most units that there can be.
    most: u16,
    /// The waiters.
    pub(crate) queue: Queue,
    /// The owner. If there is a user's word, that names the owner while no thread waits.
    pub(crate) owner: Owner,
}

// A power of two, so that a shift finds a row.
const _: () = assert!(size_of::<SemaphoreState>() == 16);

impl SemaphoreState {
    /// A semaphore's initial state.
    pub(crate) const fn of(row: &Semaphore) -> SemaphoreState {
        let (word, units, most, owner) = match row.kind {
            SemaphoreKind::Binary { word } => (word, 0, 0, Owner::nobody(word != 0)),
            SemaphoreKind::Counting { initial, most } => (0, initial, most, Owner::NEVER),
        };
        SemaphoreState { processes: row.processes, word, units, most, queue: Queue::EMPTY, owner }
    }

    /// Whether somebody waits until this thread, which has stopped, doesn't own it any more.
    pub(crate) fn is_waited_for_behind(&self, thread: ThreadId) -> bool {
        !self.queue.is_empty() && (self.owner == Owner::of(thread) || self.owner.is_by_word())
    }

    /// Whether it counts units.
    #[inline(always)]
    pub(crate) fn is_counting(&self) -> bool {
        self.owner.is_never()
    }
}

/// The result of giving a unit back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given {
    /// It goes to this waiting thread.
    To(ThreadId),
    /// It is kept.
    Kept,
    /// There can't be more.
    Full,
}

impl SemaphoreState {
    /// Takes a unit if there is one, or a free binary semaphore without a word; returns whether it did.
    #[inline(always)]
    pub(crate) fn take(&mut self, thread: ThreadId) -> bool {
        if self.owner == Owner::FREE {
            self.owner = Owner::of(thread);
            return true;
        }
        let is_there = self.units > 0;
        if is_there {
            self.units -= 1;
        }
        is_there
    }

    /// The owner of a binary semaphore without a word gives it back, if no thread waits; returns whether it
    /// did.
    #[inline(always)]
    pub(crate) fn give_up(&mut self, owner: ThreadId) -> bool {
        let is_plain = self.owner == Owner::of(owner) && self.word == 0 && self.queue.is_empty();
        if is_plain {
            self.owner = Owner::FREE;
        }
        is_plain
    }

    /// Gives a unit back.
    #[inline(always)]
    pub(crate) fn give_unit(&mut self, threads: &impl Table<ThreadState>) -> Given {
        if let Some(thread) = self.queue.take(threads) {
            return Given::To(thread);
        }
        if self.units >= self.most {
            return Given::Full;
        }
        self.units += 1;
        Given::Kept
    }

    /// A thread takes a free binary semaphore. Returns whether the last owner has stopped.
    #[inline(always)]
    pub(crate) fn claim(&mut self, thread: ThreadId) -> bool {
        let is_left = self.owner.is_left();
        self.owner = if self.word != 0 { Owner::BY_WORD } else { Owner::of(thread) };
        is_left
    }

    /// A waiter becomes the owner of a binary semaphore.
    #[inline(always)]
    pub(crate) fn pass_to(&mut self, next: ThreadId, threads: &mut impl Table<ThreadState>) {
        match self.queue.first() == next {
            true => drop(self.queue.take(threads)),
            false => self.queue.remove(threads, next),
        }
        self.owner = Owner::of(next);
    }
}

impl Blank for SemaphoreState {
    const BLANK: SemaphoreState =
        SemaphoreState { processes: 0, word: 0, units: 0, most: 0, queue: Queue::BLANK, owner: Owner::BLANK };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_go_to_who_waits_and_are_kept_up_to_a_limit() {
        let mut threads = [ThreadState::DORMANT; 2];
        let kind = SemaphoreKind::Counting { initial: 0, most: 1 };
        let mut semaphore = SemaphoreState::of(&Semaphore { processes: 0, kind });
        assert!(!semaphore.take(ThreadId(0)));
        semaphore.queue = Queue::of(&mut threads, ThreadId(1));
        let given = [(); 3].map(|()| semaphore.give_unit(&threads));
        assert_eq!(given, [Given::To(ThreadId(1)), Given::Kept, Given::Full]);
        assert_eq!([(); 2].map(|()| semaphore.take(ThreadId(0))), [true, false]);
    }

    #[test]
    fn a_free_one_is_taken_once_and_a_word_isnt_believed_to_say_so() {
        let mut semaphore = SemaphoreState::of(&Semaphore::NONE);
        assert_eq!([(); 2].map(|()| semaphore.take(ThreadId(1))), [true, false]);
        assert_eq!(semaphore.owner.thread(), ThreadId(1));
        let kind = SemaphoreKind::Binary { word: 0x100 };
        let mut semaphore = SemaphoreState::of(&Semaphore { processes: 0, kind });
        assert!(!semaphore.take(ThreadId(1)) && semaphore.owner.is_by_word());
    }

    #[test]
    fn the_next_owner_need_not_be_the_first_who_waits() {
        for has_word in [false, true] {
            let mut threads = [ThreadState::DORMANT; 3];
            let word = if has_word { 0x100 } else { 0 };
            let mut semaphore = SemaphoreState {
                owner: Owner::left(has_word),
                ..SemaphoreState::of(&Semaphore { processes: 0, kind: SemaphoreKind::Binary { word } })
            };
            assert_eq!([(); 2].map(|()| semaphore.claim(ThreadId(0))), [true, false], "a death is told once");
            assert_eq!(semaphore.owner.is_by_word(), has_word);
            semaphore.queue = Queue::of(&mut threads, ThreadId(1));
            semaphore.queue.append(&mut threads, ThreadId(2));
            semaphore.pass_to(ThreadId(2), &mut threads);
            assert_eq!((semaphore.owner.thread(), semaphore.queue.first()), (ThreadId(2), ThreadId(1)));
            semaphore.pass_to(ThreadId(1), &mut threads);
            assert!(semaphore.queue.is_empty());
        }
    }
}
