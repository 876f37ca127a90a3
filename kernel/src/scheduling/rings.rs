//! First come, first served inside a priority: the structure of fixed bands.
//!
//! The ready places of a priority are a ring, linked both ways through the threads and held by its
//! first, whose predecessor is the last. Every operation takes constant time.

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
