//! Rings of places: one for each priority of a fixed band, first come, first served; one for each dynamic
//! band, by deadline.
//!
//! The places form a ring, linked both ways through the threads and held by its first member, whose
//! predecessor is the last. Every operation takes constant time: to stand anywhere but last, a place is told
//! which one it follows.

use beryl_abi::ThreadId;

use crate::scheduling::thread::ThreadState;
use crate::table::Table;

/// Begins a ring with its only member.
#[inline(always)]
pub(crate) fn begin(head: &mut ThreadId, threads: &mut impl Table<ThreadState>, thread: ThreadId) {
    *head = thread;
    let state = threads.at_mut(thread.index());
    (state.previous, state.next) = (thread, thread);
}

/// Puts a thread behind the others of the ring that begins at `first`.
#[inline(always)]
pub(crate) fn push(first: ThreadId, threads: &mut impl Table<ThreadState>, thread: ThreadId) {
    let last = threads.at(first.index()).previous;
    let state = threads.at_mut(thread.index());
    (state.previous, state.next) = (last, first);
    threads.at_mut(last.index()).next = thread;
    threads.at_mut(first.index()).previous = thread;
}

/// Puts a thread behind another.
#[inline(always)]
pub(crate) fn put_behind(before: ThreadId, threads: &mut impl Table<ThreadState>, thread: ThreadId) {
    let next = threads.at(before.index()).next;
    push(next, threads, thread);
}

/// Where the search for the place before a new one goes on: from the last place towards the first, and from
/// the second towards the last, in turn. A place that belongs near either end is found soon, whatever order
/// places come in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Search {
    back: ThreadId,
    front: ThreadId,
}

impl Search {
    /// No search.
    pub const NONE: Search = Search { back: ThreadId::NONE, front: ThreadId::NONE };

    /// What memory holds before the start.
    pub const BLANK: Search = Search { back: ThreadId(0), front: ThreadId(0) };

    /// Starts a search behind the first of a ring.
    #[inline(always)]
    pub fn behind(first: ThreadId, threads: &impl Table<ThreadState>) -> Search {
        let ThreadState { previous, next, .. } = *threads.at(first.index());
        Search { back: previous, front: next }
    }

    /// Looks this many times from either end, and at least once; `is_before` says whether the new place
    /// stands before a given one. Returns the place to stand behind, or where to go on searching.
    #[inline(always)]
    pub fn look(
        mut self,
        threads: &impl Table<ThreadState>,
        looks: usize,
        is_before: impl Fn(ThreadId) -> bool,
    ) -> Result<ThreadId, Search> {
        let mut left = looks;
        // bound: LOOKS
        loop {
            if !is_before(self.back) {
                return Ok(self.back);
            }
            if is_before(self.front) {
                return Ok(threads.at(self.front.index()).previous);
            }
            self.back = threads.at(self.back.index()).previous;
            self.front = threads.at(self.front.index()).next;
            if left <= 1 {
                return Err(self);
            }
            left -= 1;
        }
    }
}

/// Takes the first out; returns the next first, if any.
#[inline(always)]
pub(crate) fn remove_first(threads: &mut impl Table<ThreadState>, first: ThreadId) -> Option<ThreadId> {
    let ThreadState { previous, next, .. } = *threads.at(first.index());
    if next == first {
        return None;
    }
    threads.at_mut(previous.index()).next = next;
    threads.at_mut(next.index()).previous = previous;
    Some(next)
}

/// Takes a thread out; returns whether the ring is empty now.
#[inline(always)]
pub(crate) fn remove(head: &mut ThreadId, threads: &mut impl Table<ThreadState>, thread: ThreadId) -> bool {
    let ThreadState { previous, next, .. } = *threads.at(thread.index());
    if next == thread {
        return true;
    }
    if *head == thread {
        *head = next;
    }
    threads.at_mut(previous.index()).next = next;
    threads.at_mut(next.index()).previous = previous;
    false
}
