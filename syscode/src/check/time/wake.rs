//! Threads that events wake between two instants. Nobody knows when an event comes, or whether it does.
//!
//! ```text
//!                 at once or late (1)                  as others are (3)
//!   idles until ----------------------> about to go on ------------------> followed to the next instant
//!   holds until ----------------------^   its rank's turn comes later (4) |
//!                 its job cut off (2)  ^-----------------------------------+
//! ```
//! (1) `wake`, (2) `cut_off`, (3) `walk_woken`, (4) `walk_later`.
//!
//! A thread that idles takes the most from others if it is woken at once, and leaves the most of its own tasks
//! if it is woken late: both are counted. It may also go on idling. An event at an instant is one right behind
//! it. What is woken may not touch ports, ask guards or fork before the next instant: its moment isn't known.

use super::pass::Walk;
use super::state::{Head, NOBODY, State, Wait};
use super::{Fault, Go, Image, Stage, Turn, Unknown};
use crate::condition::Condition;
use crate::instruction::Instruction;

/// When a thread may have been woken by an event since the last instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Woken {
    /// At the earliest, in ticks from then.
    pub from: u32,
    /// Whether it may have been at any time up to the next instant.
    pub is_late: bool,
}

impl Woken {
    /// It wasn't.
    pub const NOT: Woken = Woken { from: 0, is_late: false };

    /// As early and as late as both.
    pub fn join(self, other: Woken) -> Woken {
        Woken { from: self.from.max(other.from), is_late: self.is_late | other.is_late }
    }
}

/// The mark of a thread that may have been woken late.
const LATE: u32 = 1 << 31;

impl State<'_> {
    /// When a thread may have been woken at a place.
    pub fn woken(&self, place: u8) -> Woken {
        let word = if self.shape.has_events { self.word(self.place(place + 1) - 1) } else { 0 };
        Woken { from: word & !LATE, is_late: word & LATE != 0 }
    }

    pub fn set_woken(&mut self, place: u8, woken: Woken) {
        if self.shape.has_events {
            let late = if woken.is_late { LATE } else { 0 };
            self.set_word(self.place(place + 1) - 1, woken.from & !LATE | late);
        }
    }
}

impl Walk {
    /// A thread that holds a task, or is woken.
    pub fn at(place: u8, latest: u32) -> Walk {
        Walk { place, latest, is_late: false, cut: NOBODY, done: 0, first: None }
    }

    /// Whether an event has woken it.
    pub fn is_woken(&self) -> bool {
        self.is_late || self.cut != NOBODY
    }
}

impl<I: Image> Turn<'_, '_, I> {
    /// The latest moment up to which a thread that is followed may have had the processor.
    pub(super) fn end_of(&self, walk: &Walk) -> u32 {
        match I::HAS_EVENT_TIMEOUTS {
            true => walk.latest.saturating_add(walk.done).min(self.check.next),
            false => walk.latest,
        }
    }

    /// The latest moment at which it may be where it stands.
    pub(super) fn latest_of(&self, walk: &Walk) -> u32 {
        if I::HAS_EVENT_TIMEOUTS && walk.is_late { self.check.next } else { self.end_of(walk) }
    }

    /// Threads that idle until an event may be woken: for a place.
    pub(super) fn wake(&mut self, place: u8) -> Go {
        let Some(place) = self.used_from(place) else {
            return self.first(Stage::Merge { other: 0 }, Stage::Rank);
        };
        let head = self.state.head(place);
        self.stand_at(head.program, head.address);
        if let (Wait::Idle, Instruction::Idle { until }) = (head.wait, self.instruction())
            && self.is_for_event(head, until)
        {
            let then = head.address.saturating_add(1);
            let woken = self.also(place, Head { wait: Wait::Go, task: NOBODY, address: then, ..head })?;
            self.state.set_woken(woken, Woken { from: 0, is_late: true });
        }
        self.to(Stage::Wake(place + 1))
    }

    /// Whether a thread's wait ends with an event.
    pub(super) fn is_for_event(&self, head: Head, until: u8) -> bool {
        I::HAS_EVENT_TIMEOUTS && self.image.condition(head.program, until).is_some_and(Condition::is_event)
    }

    /// A thread that an event wakes, and that goes on in this rank or before any.
    pub(super) fn next_woken(&self) -> Option<(u8, Head)> {
        let is_here = |head: &Head| match self.image.instruction(head.program, head.address) {
            Some(Instruction::Dispatch { task } | Instruction::DispatchUntil { task, .. }) => {
                self.rank_of(task.0) <= self.check.rank
            }
            _ => true,
        };
        self.state.find(0, |_, head| head.wait == Wait::Go && is_here(head))
    }

    /// Follows a thread from where an event wakes it.
    pub(super) fn walk_woken(&mut self, place: u8, head: Head) -> Go {
        let woken = self.state.woken(place);
        let cut = head.task;
        // A tick of the job is left: with its last one it would have been complete.
        let done = if cut == NOBODY { 0 } else { self.state.left(place, cut).saturating_sub(1) };
        self.state.set_woken(place, Woken::NOT);
        self.state.set_head(place, Head { wait: Wait::Walk, task: 0, ..head });
        let latest = woken.from.max(self.check.base);
        self.check.walk = Some(Walk { is_late: woken.is_late, cut, done, ..Walk::at(place, latest) });
        self.to(Stage::Walk)
    }

    /// An event may end a dispatch at any time before its job is done. The later it comes, the less is left of the
    /// job, if the thread lets it run again.
    pub(super) fn cut_off(&mut self, walk: &Walk, target: Head, task: u8) -> Result<(), Fault> {
        let done = if walk.cut == task { 0 } else { walk.done };
        let from = walk.latest.saturating_add(done).min(self.check.next);
        let place = self.also(walk.place, Head { wait: Wait::Go, task, ..target })?;
        self.state.set_woken(place, Woken { from, is_late: walk.is_late });
        Ok(())
    }

    /// Of the threads that may hold a task of a rank until the next instant, only one may if events wake them:
    /// nobody knows when.
    pub(super) fn hold_alone(&mut self, head: Head) -> Result<(), Fault> {
        if !I::HAS_EVENT_TIMEOUTS || !self.check.shape.has_events {
            return Ok(());
        }
        let holder = core::mem::replace(&mut self.check.holder, head.thread);
        if holder == NOBODY || holder == head.thread { Ok(()) } else { Err(Fault::Share) }
    }

    /// A thread that an event has woken goes on where its rank's turn comes, which must be later: what is done up
    /// to the next instant in ranks that go before this one is known.
    pub(super) fn walk_later(&mut self, walk: &Walk, head: Head, task: u8) -> Go {
        if self.rank_of(task) < self.check.rank {
            return Err(Fault::Unknown(Unknown::Moment));
        }
        let from = self.end_of(walk);
        self.check.busy = self.check.busy.max(from);
        self.state.set_woken(walk.place, Woken { from, is_late: true });
        self.state.set_head(walk.place, Head { wait: Wait::Go, task: NOBODY, is_new: true, ..head });
        self.check.walk = None;
        self.first(Stage::Merge { other: 0 }, Stage::Rank)
    }
}
