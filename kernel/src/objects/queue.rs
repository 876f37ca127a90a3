//! Queues of threads that wait for an object; the next to be served stands in front.
//!
//! A queue is a list through the threads; each thread is in at most one queue. Walking it takes one round for
//! each waiting thread; the builder refuses objects for which more than sixteen can wait.

use beryl_abi::ThreadId;

use crate::rows::threads::{Place, Thread};
use crate::scheduling::thread::ThreadState;
use crate::scheduling::tree::Key;
use crate::table::{Blank, Table};
use crate::ways::Way;

/// The sort key of a thread of a dynamic band among those of its band; none in other bands, which go first
/// come, first served.
#[inline(always)]
fn key(rows: &impl Table<Thread>, thread: ThreadId, state: &ThreadState) -> Option<Key> {
    match rows.at(thread.index()).place {
        Place::Dynamic { slot, .. } | Place::Offered { slot, .. } => Some(Key::new(state.deadline, slot)),
        Place::Fixed { .. } | Place::Coded { .. } => None,
    }
}

/// Threads that wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Queue {
    first: ThreadId,
}

impl Queue {
    /// No thread waits.
    pub const EMPTY: Queue = Queue { first: ThreadId::NONE };

    /// Only this thread waits.
    #[inline(always)]
    pub(crate) fn of(threads: &mut impl Table<ThreadState>, thread: ThreadId) -> Queue {
        threads.at_mut(thread.index()).behind = ThreadId::NONE;
        Queue { first: thread }
    }

    /// Whether no thread waits.
    #[inline(always)]
    pub(crate) fn is_empty(self) -> bool {
        !self.first.is_some()
    }

    /// The next to be served; [`ThreadId::NONE`] if no thread waits.
    #[inline(always)]
    pub(crate) fn first(self) -> ThreadId {
        self.first
    }

    /// Takes out the next to be served, if any.
    #[inline(always)]
    pub(crate) fn take(&mut self, threads: &impl Table<ThreadState>) -> Option<ThreadId> {
        let first = self.first;
        if !first.is_some() {
            return None;
        }
        self.first = threads.at(first.index()).behind;
        Some(first)
    }

    /// Takes out the first thread for which this holds, if any.
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

    /// Puts a thread behind those that are at least as urgent by their own places; places lent to them don't
    /// count.
    #[inline(never)]
    pub(crate) fn insert(
        &mut self,
        rows: &impl Table<Thread>,
        threads: &mut impl Table<ThreadState>,
        thread: ThreadId,
    ) {
        let state = threads.at(thread.index());
        let position = state.rank().number();
        // Threads of one rank are of one band, so of one kind.
        let before = match key(rows, thread, state) {
            None => self.last(threads, |other, _| other.rank().number() <= position),
            Some(own) => self.last(threads, |other, waiting| match other.rank().number() {
                number if number != position => number < position,
                _ => key(rows, waiting, other).is_none_or(|key| key <= own),
            }),
        };
        self.insert_after(threads, before, thread);
    }

    /// The last of the threads at the front for which this holds.
    #[inline(always)]
    fn last(
        self,
        threads: &impl Table<ThreadState>,
        holds: impl Fn(&ThreadState, ThreadId) -> bool,
    ) -> ThreadId {
        let (mut before, mut next) = (ThreadId::NONE, self.first);
        // Compilers put into one place what several callers of this do in each round. So no line of it belongs to a head for certain,
        // and there is none.
        // bound: WAITERS + 1
        loop {
            if !next.is_some() {
                return before;
            }
            let state = threads.at(next.index());
            if !holds(state, next) {
                return before;
            }
            (before, next) = (next, state.behind);
        }
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

    /// Takes out a thread that waits in this queue.
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
