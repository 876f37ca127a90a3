//! Rings of places: in fixed bands those of a priority, first come, first served; in dynamic ones those of a band, by deadline.
//!
//! The places that are there are a ring, linked both ways through the threads and held by its
//! first, whose predecessor is the last. Every operation takes constant time; who is to stand elsewhere than behind the last is told behind
//! whom.

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

/// Where is looked next for whom another stands behind: from the last place on towards the first, and from the second on towards the last,
/// in turn. So who belongs near either end is there soon, in whichever order many come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Search {
    back: ThreadId,
    front: ThreadId,
}

impl Search {
    /// Nothing is looked for.
    pub const NONE: Search = Search { back: ThreadId::NONE, front: ThreadId::NONE };

    /// What memory holds before the start.
    pub const BLANK: Search = Search { back: ThreadId(0), front: ThreadId(0) };

    /// Behind the first of a ring, at least.
    #[inline(always)]
    pub fn behind(first: ThreadId, threads: &impl Table<ThreadState>) -> Search {
        let ThreadState { previous, next, .. } = *threads.at(first.index());
        Search { back: previous, front: next }
    }

    /// Looks so many times from either end, and once at least; `is_before` says whether who is to stand there stands in front of one. Answers behind whom, or where
    /// to look on.
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

/// Takes the first out; answers who is the first then, if anybody.
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

/// Takes a thread out; answers whether the ring is empty then.
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
