//! Highest priority first, first come first served: the structure of fixed bands.
//!
//! A bit for each of 32 priorities tells whether somebody is ready; each priority has a ring of its
//! ready threads, held by its tail, so that the tail's successor is the first. The links lie in the
//! threads. Every operation takes constant time.

use beryl_abi::ThreadId;

use crate::sizes::Table;
use crate::state::ThreadState;

/// The ready threads of a fixed band.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Levels {
    /// A bit for each priority that has somebody; the highest bit is the most urgent.
    occupied: u32,
    /// The last of each priority's ring.
    tails: [ThreadId; 32],
}

impl Levels {
    /// Nobody is ready.
    pub const EMPTY: Levels = Levels { occupied: 0, tails: [ThreadId::NONE; 32] };

    /// Whether nobody is ready.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.occupied == 0
    }

    /// The first thread of the highest priority; the band isn't empty.
    #[inline(always)]
    pub fn first(&self, threads: &impl Table<ThreadState>) -> ThreadId {
        let highest = 31 ^ self.occupied.leading_zeros();
        let tail = *self.tails.at(highest as usize);
        threads.at(tail.index()).next
    }

    /// Puts a thread behind the others of its priority.
    pub fn push(&mut self, threads: &mut impl Table<ThreadState>, thread: ThreadId, priority: u8) {
        let bit = 1 << (priority & 31);
        let tail = self.tails.at_mut(usize::from(priority));
        let (before, after) =
            if self.occupied & bit == 0 { (thread, thread) } else { (*tail, threads.at(tail.index()).next) };
        *tail = thread;
        self.occupied |= bit;
        let state = threads.at_mut(thread.index());
        (state.previous, state.next) = (before, after);
        threads.at_mut(before.index()).next = thread;
        threads.at_mut(after.index()).previous = thread;
    }

    /// Takes a thread out.
    pub fn remove(&mut self, threads: &mut impl Table<ThreadState>, thread: ThreadId, priority: u8) {
        let ThreadState { previous, next, .. } = *threads.at(thread.index());
        let tail = self.tails.at_mut(usize::from(priority));
        if next == thread {
            self.occupied &= !(1 << (priority & 31));
            *tail = ThreadId::NONE;
            return;
        }
        if *tail == thread {
            *tail = previous;
        }
        threads.at_mut(previous.index()).next = next;
        threads.at_mut(next.index()).previous = previous;
    }

    /// Lets the next of a thread's priority come first, if the thread is the first.
    #[inline(always)]
    pub fn rotate(&mut self, threads: &impl Table<ThreadState>, thread: ThreadId, priority: u8) {
        let tail = self.tails.at_mut(usize::from(priority));
        if threads.at(tail.index()).next == thread {
            *tail = thread;
        }
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
            let tail = self.tails[usize::from(priority)];
            if self.occupied & 1 << priority == 0 {
                assert_eq!(tail, ThreadId::NONE, "an empty ring has a tail");
                return Vec::new();
            }
            let mut ring = Vec::new();
            let mut thread = tail;
            loop {
                let next = threads.at(thread.index()).next;
                assert_eq!(threads.at(next.index()).previous, thread, "{next:?} doesn't point back");
                assert!(!ring.contains(&next), "{next:?} is in the ring of {priority} twice");
                ring.push(next);
                if next == tail {
                    return ring;
                }
                thread = next;
            }
        }
    }
}
