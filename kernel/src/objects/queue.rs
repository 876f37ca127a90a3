//! Queues of threads that wait for an object, the one to be served next in front.
//!
//! A queue is a list through the threads, each of which is in one queue at most. Walking it takes as
//! many rounds as threads wait; the builder refuses objects for which more than sixteen can.

use beryl_abi::ThreadId;

use crate::rows::threads::{Place, Thread};
use crate::scheduling::thread::ThreadState;
use crate::scheduling::tree::Key;
use crate::table::{Blank, Table};
use crate::ways::Way;

/// How urgent a thread's own place is: less is more urgent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Urgency(u8, Key);

impl Urgency {
    /// Of a thread's own place, whoever else lends it another.
    #[inline(always)]
    pub fn of(rows: &impl Table<Thread>, threads: &impl Table<ThreadState>, thread: ThreadId) -> Urgency {
        let state = threads.at(thread.index());
        let key = match rows.at(thread.index()).place {
            Place::Dynamic { slot, .. } | Place::Offered { slot, .. } => Key::new(state.deadline, slot),
            Place::Fixed { .. } | Place::Coded { .. } => Key::FIRST,
        };
        Urgency(state.rank().number(), key)
    }
}

/// Threads that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    first: ThreadId,
}

impl Queue {
    /// Nobody waits.
    pub const EMPTY: Queue = Queue { first: ThreadId::NONE };

    /// Only this thread waits.
    #[inline(always)]
    pub(crate) fn of(threads: &mut impl Table<ThreadState>, thread: ThreadId) -> Queue {
        threads.at_mut(thread.index()).behind = ThreadId::NONE;
        Queue { first: thread }
    }

    /// Whether nobody waits.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        !self.first.is_some()
    }

    /// Who is served next; [`ThreadId::NONE`] if nobody waits.
    #[inline(always)]
    pub(crate) fn first(self) -> ThreadId {
        self.first
    }

    /// Takes out who is served next; nobody if nobody waits.
    #[inline(always)]
    pub(crate) fn take(&mut self, threads: &impl Table<ThreadState>) -> Option<ThreadId> {
        let first = self.first;
        if !first.is_some() {
            return None;
        }
        self.first = threads.at(first.index()).behind;
        Some(first)
    }

    /// Takes out the first of whom this holds; nobody if it holds of nobody.
    #[inline(always)]
    pub(crate) fn take_first(
        &mut self,
        threads: &mut impl Table<ThreadState>,
        holds: impl Fn(&ThreadState) -> bool,
    ) -> Option<ThreadId> {
        let (mut before, mut next) = (ThreadId::NONE, self.first);
        // bound: WAITERS
        while next.is_some() {
            let state = threads.at(next.index());
            let behind = state.behind;
            if holds(state) {
                match before.is_some() {
                    true => threads.at_mut(before.index()).behind = behind,
                    false => self.first = behind,
                }
                return Some(next);
            }
            (before, next) = (next, behind);
        }
        None
    }

    /// Puts a thread behind those that are at least as urgent. By the ordinary way there are none.
    #[inline(always)]
    pub(crate) fn join<W: Way>(
        &mut self,
        _way: W,
        rows: &impl Table<Thread>,
        threads: &mut impl Table<ThreadState>,
        thread: ThreadId,
    ) {
        match W::IS_ORDINARY {
            true => *self = Queue::of(threads, thread),
            false => self.insert(rows, threads, thread),
        }
    }

    /// Puts a thread behind those that are at least as urgent.
    #[inline(never)]
    pub(crate) fn insert(
        &mut self,
        rows: &impl Table<Thread>,
        threads: &mut impl Table<ThreadState>,
        thread: ThreadId,
    ) {
        if self.is_empty() {
            return self.insert_after(threads, ThreadId::NONE, thread);
        }
        let urgency = Urgency::of(rows, threads, thread);
        let (mut before, mut next) = (ThreadId::NONE, self.first);
        // bound: WAITERS
        while next.is_some() && Urgency::of(rows, threads, next) <= urgency {
            (before, next) = (next, threads.at(next.index()).behind);
        }
        self.insert_after(threads, before, thread);
    }

    /// Puts a thread behind all others.
    #[inline(never)]
    pub(crate) fn append(&mut self, threads: &mut impl Table<ThreadState>, thread: ThreadId) {
        let (mut before, mut next) = (ThreadId::NONE, self.first);
        // bound: WAITERS
        while next.is_some() {
            (before, next) = (next, threads.at(next.index()).behind);
        }
        self.insert_after(threads, before, thread);
    }

    /// Takes a thread out that waits in it.
    #[inline(never)]
    pub(crate) fn remove(&mut self, threads: &mut impl Table<ThreadState>, thread: ThreadId) {
        let behind = threads.at(thread.index()).behind;
        if self.first == thread {
            self.first = behind;
            return;
        }
        let mut before = self.first;
        // bound: WAITERS
        while before.is_some() {
            let state = threads.at_mut(before.index());
            if state.behind == thread {
                state.behind = behind;
                return;
            }
            before = state.behind;
        }
    }

    #[inline(always)]
    fn insert_after(&mut self, threads: &mut impl Table<ThreadState>, before: ThreadId, thread: ThreadId) {
        let place = match before.is_some() {
            true => &mut threads.at_mut(before.index()).behind,
            false => &mut self.first,
        };
        let behind = core::mem::replace(place, thread);
        threads.at_mut(thread.index()).behind = behind;
    }
}

impl Blank for Queue {
    const BLANK: Queue = Queue { first: ThreadId(0) };
}
