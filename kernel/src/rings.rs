//! Highest priority first, first come first served: the structure of fixed bands.
//!
//! A bit for each of 32 priorities tells whether somebody is ready; each priority has a ring of its
//! ready threads, linked both ways and held by its first, whose predecessor is the last. The links
//! lie in the threads. Every operation takes constant time.

use beryl_abi::ThreadId;

use crate::sizes::Table;
use crate::state::ThreadState;

/// The ready threads of a fixed band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Levels {
    /// A bit for each priority that has somebody; the highest bit is the most urgent.
    occupied: u32,
    /// The first of each priority's ring.
    heads: [ThreadId; 32],
}

impl Levels {
    /// Nobody is ready.
    pub const EMPTY: Levels = Levels { occupied: 0, heads: [ThreadId::NONE; 32] };

    /// Whether nobody is ready.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.occupied == 0
    }

    /// The first thread of the highest priority; the band isn't empty.
    #[inline(always)]
    pub fn first(&self) -> ThreadId {
        let highest = 31 ^ self.occupied.leading_zeros();
        *self.heads.at(highest as usize)
    }

    /// Puts a thread behind the others of its priority.
    pub fn push(&mut self, threads: &mut impl Table<ThreadState>, thread: ThreadId, priority: u8) {
        let bit = 1 << (priority & 31);
        let head = self.heads.at_mut(usize::from(priority));
        if self.occupied & bit == 0 {
            self.occupied |= bit;
            *head = thread;
            let state = threads.at_mut(thread.index());
            (state.previous, state.next) = (thread, thread);
            return;
        }
        let (first, last) = (*head, threads.at(head.index()).previous);
        let state = threads.at_mut(thread.index());
        (state.previous, state.next) = (last, first);
        threads.at_mut(last.index()).next = thread;
        threads.at_mut(first.index()).previous = thread;
    }

    /// Takes a thread out.
    pub fn remove(&mut self, threads: &mut impl Table<ThreadState>, thread: ThreadId, priority: u8) {
        let ThreadState { previous, next, .. } = *threads.at(thread.index());
        let head = self.heads.at_mut(usize::from(priority));
        if next == thread {
            self.occupied &= !(1 << (priority & 31));
            *head = ThreadId::NONE;
            return;
        }
        if *head == thread {
            *head = next;
        }
        threads.at_mut(previous.index()).next = next;
        threads.at_mut(next.index()).previous = previous;
    }

    /// If the thread is the first of its priority, the next becomes it. Answers who is the first
    /// then; the thread itself if it isn't in the ring.
    #[inline(always)]
    pub fn rotate(&mut self, threads: &impl Table<ThreadState>, thread: ThreadId, priority: u8) -> ThreadId {
        let head = self.heads.at_mut(usize::from(priority));
        if *head != thread {
            return thread;
        }
        *head = threads.at(thread.index()).next;
        *head
    }
}

#[cfg(test)]
mod walk {
    //! The rings as lists, for tests.

    use std::vec::Vec;

    use super::{Levels, Table, ThreadId, ThreadState};

    impl Levels {
        /// The ready threads of a priority, the first first. Panics where the links disagree.
        pub fn ring(&self, threads: &impl Table<ThreadState>, priority: u8) -> Vec<ThreadId> {
            let head = self.heads[usize::from(priority)];
            if self.occupied & 1 << priority == 0 {
                assert_eq!(head, ThreadId::NONE, "an empty ring has a head");
                return Vec::new();
            }
            let mut ring = Vec::new();
            let mut thread = head;
            loop {
                assert!(!ring.contains(&thread), "{thread:?} is in the ring of {priority} twice");
                ring.push(thread);
                let next = threads.at(thread.index()).next;
                assert_eq!(threads.at(next.index()).previous, thread, "{next:?} doesn't point back");
                if next == head {
                    return ring;
                }
                thread = next;
            }
        }
    }
}
