//! Which thread holds which lock, as far as a trace shows: one holder per lock at a time.
//!
//! The kernel reports each time that one of its own locks is taken and given back. A lock that threads take
//! by its word alone is reported only while a thread waits for it, and when the kernel passes it on; its last
//! holder's release isn't. Such a lock gives itself away: a thread waits for a holder that was never
//! reported, or the lock is taken again without having been given back. For such a lock, only certain holds
//! count: from where a thread waits until the lock is given back or passed on.

use std::collections::{BTreeMap, BTreeSet};

use beryl_abi::{Instant, SemaphoreId, ThreadId};

use super::Held;
use crate::event::{Event, Happening};
use beryl_abi::DecodedNote;

/// The locks of a system, while following a trace.
#[derive(Default)]
pub(super) struct Locks {
    /// The holds that are over, in the order of their ends.
    pub(super) held: Vec<Held>,
    /// The holder of each lock that is held.
    holders: BTreeMap<SemaphoreId, Held>,
    /// The locks that the kernel reports only in part.
    by_word: BTreeSet<SemaphoreId>,
}

impl Locks {
    /// The locks of a trace, before following it.
    pub(super) fn of(events: &[Event]) -> Locks {
        Locks { by_word: by_word(events), ..Locks::default() }
    }

    /// A thread is reported to hold a lock; `is_awaited` if another one still waits for it.
    pub(super) fn hold(&mut self, thread: ThreadId, lock: SemaphoreId, now: Instant, is_awaited: bool) {
        // Any earlier hold has ended without a report.
        self.holders.remove(&lock);
        if is_awaited || !self.by_word.contains(&lock) {
            self.begin(thread, lock, now);
        }
    }

    /// A thread waits for a lock that `owner` holds.
    pub(super) fn lend(&mut self, owner: ThreadId, lock: SemaphoreId, now: Instant) {
        if self.holders.get(&lock).is_none_or(|held| held.thread != owner) {
            self.holders.remove(&lock);
            self.begin(owner, lock, now);
        }
    }

    /// A lock is given back.
    pub(super) fn free(&mut self, thread: ThreadId, lock: SemaphoreId, now: Instant) {
        if let Some(held) = self.holders.remove(&lock).filter(|held| held.thread == thread) {
            self.held.push(Held { to: now, ..held });
        }
    }

    /// The last thread that waited for a lock has given up: from now on, nothing about it need be reported.
    pub(super) fn nobody_waits(&mut self, lock: SemaphoreId) {
        if self.by_word.contains(&lock) {
            self.holders.remove(&lock);
        }
    }

    /// The missing notes may include the end of any hold.
    pub(super) fn lose(&mut self) {
        self.holders.clear();
    }

    /// Open holds end with the trace.
    pub(super) fn end(&mut self, now: Instant) {
        let left = std::mem::take(&mut self.holders);
        self.held.extend(left.into_values().map(|held| Held { to: now, ..held }));
    }

    fn begin(&mut self, thread: ThreadId, lock: SemaphoreId, now: Instant) {
        let within = self.holders.values().filter(|held| held.thread == thread).count();
        self.holders.insert(lock, Held { thread, lock, within, from: now, to: now });
    }
}

/// The locks that aren't reported every time they are taken.
fn by_word(events: &[Event]) -> BTreeSet<SemaphoreId> {
    use beryl_abi::Awaited::Semaphore;
    let mut holders: BTreeMap<SemaphoreId, ThreadId> = BTreeMap::new();
    let mut by_word = BTreeSet::new();
    for event in events {
        let Happening::Note(told) = event.happening else { continue };
        let odd = match told {
            DecodedNote::Hold { thread, lock } => holders.insert(lock, thread).map(|_| lock),
            DecodedNote::Lend { awaited: Semaphore, object, owner, .. } => {
                let lock = SemaphoreId(object);
                (holders.insert(lock, owner) != Some(owner)).then_some(lock)
            }
            DecodedNote::Free { lock, .. } => {
                holders.remove(&lock);
                None
            }
            DecodedNote::Lost { .. } => {
                holders.clear();
                None
            }
            _ => None,
        };
        by_word.extend(odd);
    }
    by_word
}

#[cfg(test)]
mod tests {
    use beryl_abi::Awaited;

    use super::*;
    use crate::waits::Waits;

    const QUICK: ThreadId = ThreadId(0);
    const SLOW: ThreadId = ThreadId(1);
    const LOCK: SemaphoreId = SemaphoreId(2);

    fn holds(told: &[(u64, DecodedNote)]) -> Vec<(ThreadId, u64, u64)> {
        let event = |(ticks, told): &(u64, DecodedNote)| Event {
            time: Instant::from_ticks(*ticks),
            happening: Happening::Note(*told),
        };
        let waits = Waits::of(&told.iter().map(event).collect::<Vec<_>>());
        waits.holds.iter().map(|held| (held.thread, held.from.ticks(), held.to.ticks())).collect()
    }

    fn lend(thread: ThreadId, owner: ThreadId) -> DecodedNote {
        DecodedNote::Lend { thread, awaited: Awaited::Semaphore, object: LOCK.0, owner }
    }

    /// Two threads of one process meet three times at a lock that they take by its word: each time the kernel
    /// reports when the waiting thread gets it, but never when that thread gives it back.
    #[test]
    fn of_a_lock_that_is_taken_by_its_word_only_what_is_certain_is_held() {
        let meeting = |at| {
            [
                (at, lend(QUICK, SLOW)),
                (at + 4, DecodedNote::Free { thread: SLOW, lock: LOCK }),
                (at + 4, DecodedNote::Hold { thread: QUICK, lock: LOCK }),
            ]
        };
        let mut told: Vec<_> = [10, 30, 50].into_iter().flat_map(meeting).collect();
        told.push((100, DecodedNote::Wake { thread: ThreadId(7) }));
        assert_eq!(holds(&told), [(SLOW, 10, 14), (SLOW, 30, 34), (SLOW, 50, 54)]);
    }

    #[test]
    fn a_lock_that_is_passed_on_to_one_of_several_is_held_until_it_is_passed_on_again() {
        let third = ThreadId(5);
        let told = [
            (10, lend(QUICK, SLOW)),
            (11, lend(third, SLOW)),
            (14, DecodedNote::Free { thread: SLOW, lock: LOCK }),
            (14, DecodedNote::Hold { thread: QUICK, lock: LOCK }),
            (17, DecodedNote::Free { thread: QUICK, lock: LOCK }),
            (17, DecodedNote::Hold { thread: third, lock: LOCK }),
            (90, DecodedNote::Wake { thread: QUICK }),
        ];
        assert_eq!(holds(&told), [(SLOW, 10, 14), (QUICK, 14, 17)]);
    }

    #[test]
    fn who_gives_up_waiting_leaves_nothing_certain() {
        let told = [
            (10, lend(QUICK, SLOW)),
            (15, DecodedNote::Wake { thread: QUICK }),
            (60, DecodedNote::Free { thread: SLOW, lock: LOCK }),
        ];
        assert_eq!(holds(&told), []);
    }

    /// A kernel lock is reported every time it is taken.
    #[test]
    fn of_a_lock_of_the_kernels_everything_is_held() {
        let told = [
            (10, DecodedNote::Hold { thread: SLOW, lock: LOCK }),
            (12, lend(QUICK, SLOW)),
            (20, DecodedNote::Free { thread: SLOW, lock: LOCK }),
            (20, DecodedNote::Hold { thread: QUICK, lock: LOCK }),
            (25, DecodedNote::Free { thread: QUICK, lock: LOCK }),
            (30, DecodedNote::Hold { thread: SLOW, lock: LOCK }),
            (35, DecodedNote::Wake { thread: QUICK }),
        ];
        assert_eq!(holds(&told), [(SLOW, 10, 20), (QUICK, 20, 25), (SLOW, 30, 35)]);
    }
}
