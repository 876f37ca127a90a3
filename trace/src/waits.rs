//! Waits and locks: which thread waited for which object and owner, which thread held which lock, and when
//! the kernel was at work.

mod locks;

use beryl_abi::{Awaited, Instant, SemaphoreId, ThreadId};

use crate::event::{Event, Happening};
use beryl_abi::DecodedNote;
use locks::Locks;

/// A wait of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waited {
    /// The thread.
    pub thread: ThreadId,
    /// What it waited for.
    pub awaited: Awaited,
    /// The number of the object, if there is one.
    pub object: u8,
    /// The lock's owner, which ran in the thread's place; `None` if it wasn't a lock.
    pub owner: Option<ThreadId>,
    /// The beginning.
    pub from: Instant,
    /// The end; the end of the trace if the wait never ended.
    pub to: Instant,
}

impl Waited {
    /// Whether it was for a binary semaphore that another thread owned.
    fn is_for_lock(&self) -> bool {
        self.awaited == Awaited::Semaphore && self.owner.is_some()
    }
}

/// A hold of a lock by a thread. A lock has one holder at a time. For locks that threads may take without the
/// kernel, this covers only what the kernel reported: see [`locks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The thread.
    pub thread: ThreadId,
    /// The lock.
    pub lock: SemaphoreId,
    /// How many locks it held before.
    pub within: usize,
    /// The beginning.
    pub from: Instant,
    /// The end; the end of the trace if the lock was never given back.
    pub to: Instant,
}

/// A time in which the kernel was at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    /// The reason: see [`beryl_abi::Note::enter`].
    pub why: u32,
    /// The beginning.
    pub from: Instant,
    /// The end.
    pub to: Instant,
}

/// Waits and locks, derived from a trace; empty if it has no such notes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Waits {
    /// The waits, in the order of their ends.
    pub waits: Vec<Waited>,
    /// The holds, in the order in which the locks were given back. No two holds of one lock overlap.
    pub holds: Vec<Held>,
    /// The kernel's entries, in order.
    pub entries: Vec<Entered>,
    /// The indices of each thread's waits.
    of_thread: Vec<Vec<usize>>,
}

impl Waits {
    /// Follows a trace.
    #[must_use]
    pub fn of(events: &[Event]) -> Waits {
        let mut follower = Follower { locks: Locks::of(events), ..Follower::default() };
        for event in events {
            follower.follow(event);
        }
        follower.end();
        let mut waits = follower.waits;
        waits.holds = follower.locks.held;
        waits.of_thread = vec![Vec::new(); usize::from(u8::MAX) + 1];
        for (position, wait) in waits.waits.iter().enumerate() {
            waits.of_thread[wait.thread.index()].push(position);
        }
        waits
    }

    /// The wait of a thread at an instant.
    #[must_use]
    pub fn at(&self, thread: ThreadId, instant: Instant) -> Option<&Waited> {
        let own = self.of_thread.get(thread.index())?;
        let position = own.partition_point(|position| self.waits[*position].to <= instant);
        let wait = &self.waits[*own.get(position)?];
        (wait.from <= instant).then_some(wait)
    }

    /// A thread's last wait that was over at an instant.
    #[must_use]
    pub fn before(&self, thread: ThreadId, instant: Instant) -> Option<&Waited> {
        let own = self.of_thread.get(thread.index())?;
        let position = own.partition_point(|position| self.waits[*position].to <= instant);
        own.get(position.checked_sub(1)?).map(|position| &self.waits[*position])
    }
}

struct Follower {
    waits: Waits,
    /// The open wait of each thread.
    waiting: Vec<Option<Waited>>,
    locks: Locks,
    entered: Option<(u32, Instant)>,
    now: Instant,
}

impl Default for Follower {
    fn default() -> Follower {
        Follower {
            waits: Waits::default(),
            waiting: vec![None; usize::from(u8::MAX) + 1],
            locks: Locks::default(),
            entered: None,
            now: Instant::START,
        }
    }
}

impl Follower {
    fn follow(&mut self, event: &Event) {
        self.now = self.now.max(event.time);
        match event.happening {
            Happening::Switch { to, .. } => self.wake(to),
            Happening::Note(told) => self.note(told),
            _ => {}
        }
    }

    fn note(&mut self, told: DecodedNote) {
        let now = self.now;
        match told {
            DecodedNote::Block { thread, awaited, object } => self.block(thread, awaited, object, None),
            DecodedNote::Lend { thread, awaited, object, owner } => {
                self.block(thread, awaited, object, Some(owner));
                if awaited == Awaited::Semaphore {
                    self.locks.lend(owner, SemaphoreId(object), now);
                }
            }
            DecodedNote::Wake { thread } => self.wake(thread),
            DecodedNote::Hold { thread, lock } => {
                self.wake(thread);
                self.locks.hold(thread, lock, now, self.is_awaited(lock));
            }
            DecodedNote::Free { thread, lock } => self.locks.free(thread, lock, now),
            DecodedNote::Enter { why, .. } => self.entered = Some((why, now)),
            DecodedNote::Leave { .. } => {
                let entered = self.entered.take().map(|(why, from)| Entered { why, from, to: now });
                self.waits.entries.extend(entered);
            }
            // The missing notes may include the end of anything.
            DecodedNote::Lost { .. } => {
                self.waiting.fill(None);
                self.locks.lose();
                self.entered = None;
            }
            DecodedNote::Stop { thread, .. } => self.wake(thread),
            DecodedNote::Message { .. }
            | DecodedNote::Interrupt { .. }
            | DecodedNote::Acknowledge { .. }
            | DecodedNote::Event { .. }
            | DecodedNote::Budget { .. }
            | DecodedNote::Sleep { .. }
            | DecodedNote::Restart { .. }
            | DecodedNote::Lack { .. }
            | DecodedNote::Crash { .. }
            | DecodedNote::React { .. } => {}
        }
    }

    fn block(&mut self, thread: ThreadId, awaited: Awaited, object: u8, owner: Option<ThreadId>) {
        self.wake(thread);
        let wait = Waited { thread, awaited, object, owner, from: self.now, to: self.now };
        self.waiting[thread.index()] = Some(wait);
    }

    fn wake(&mut self, thread: ThreadId) {
        let Some(wait) = self.waiting[thread.index()].take() else { return };
        self.waits.waits.push(Waited { to: self.now, ..wait });
        let lock = SemaphoreId(wait.object);
        if wait.is_for_lock() && !self.is_awaited(lock) {
            self.locks.nobody_waits(lock);
        }
    }

    /// Whether a thread waits for a lock.
    fn is_awaited(&self, lock: SemaphoreId) -> bool {
        self.waiting.iter().flatten().any(|wait| wait.is_for_lock() && wait.object == lock.0)
    }

    fn end(&mut self) {
        self.locks.end(self.now);
        (0..=u8::MAX).map(ThreadId).for_each(|thread| self.wake(thread));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUICK: ThreadId = ThreadId(0);
    const SLOW: ThreadId = ThreadId(1);
    const LOCK: SemaphoreId = SemaphoreId(2);

    fn at(ticks: u64) -> Instant {
        Instant::from_ticks(ticks)
    }

    fn waits(told: &[(u64, DecodedNote)]) -> Waits {
        let event = |(ticks, told): &(u64, DecodedNote)| Event {
            time: at(*ticks),
            happening: Happening::Note(*told),
        };
        Waits::of(&told.iter().map(event).collect::<Vec<_>>())
    }

    #[test]
    fn a_wait_for_a_lock_ends_when_it_is_held() {
        let waits = waits(&[
            (1, DecodedNote::Hold { thread: SLOW, lock: LOCK }),
            (3, DecodedNote::Lend { thread: QUICK, awaited: Awaited::Semaphore, object: 2, owner: SLOW }),
            (7, DecodedNote::Free { thread: SLOW, lock: LOCK }),
            (7, DecodedNote::Hold { thread: QUICK, lock: LOCK }),
            (9, DecodedNote::Free { thread: QUICK, lock: LOCK }),
        ]);
        let wait = Waited {
            thread: QUICK,
            awaited: Awaited::Semaphore,
            object: 2,
            owner: Some(SLOW),
            from: at(3),
            to: at(7),
        };
        assert_eq!(waits.waits, [wait]);
        let holds: Vec<_> = waits.holds.iter().map(|held| (held.thread, held.from, held.to)).collect();
        assert_eq!(holds, [(SLOW, at(1), at(7)), (QUICK, at(7), at(9))]);
        let found = [2, 3, 6, 7].map(|ticks| waits.at(QUICK, at(ticks)).is_some());
        assert_eq!(found, [false, true, true, false]);
        assert_eq!(waits.before(QUICK, at(6)), None);
        assert_eq!(waits.before(QUICK, at(7)), Some(&wait));
    }

    #[test]
    fn locks_within_locks_are_counted_and_what_never_ends_ends_with_the_trace() {
        let other = SemaphoreId(3);
        let waits = waits(&[
            (1, DecodedNote::Hold { thread: SLOW, lock: LOCK }),
            (2, DecodedNote::Hold { thread: SLOW, lock: other }),
            (4, DecodedNote::Free { thread: SLOW, lock: other }),
            (5, DecodedNote::Block { thread: QUICK, awaited: Awaited::Receive, object: 0 }),
            (8, DecodedNote::Enter { thread: SLOW, why: 0 }),
            (9, DecodedNote::Leave { thread: SLOW }),
        ]);
        let holds: Vec<_> = waits.holds.iter().map(|held| (held.lock, held.within, held.to)).collect();
        assert_eq!(holds, [(other, 1, at(4)), (LOCK, 0, at(9))]);
        assert_eq!(waits.waits.iter().map(|wait| wait.to).collect::<Vec<_>>(), [at(9)]);
        assert_eq!(waits.entries, [Entered { why: 0, from: at(8), to: at(9) }]);
    }

    #[test]
    fn nothing_is_said_of_what_reaches_over_a_loss() {
        let waits = waits(&[
            (1, DecodedNote::Hold { thread: SLOW, lock: LOCK }),
            (2, DecodedNote::Block { thread: QUICK, awaited: Awaited::Time, object: 255 }),
            (3, DecodedNote::Lost { count: 4 }),
            (5, DecodedNote::Free { thread: SLOW, lock: LOCK }),
            (6, DecodedNote::Wake { thread: QUICK }),
        ]);
        assert_eq!((waits.waits, waits.holds), (vec![], vec![]));
    }
}
