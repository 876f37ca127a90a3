//! Places of a dynamic band that a program may take over.
//!
//! ```text
//!              a program that names the task takes over (1)
//!   in the ring -------------------------------------------> taken: at the head while a thread holds it
//!              <-------------------------------------------
//!              one that doesn't takes over (1)
//! ```
//! (1) `take_over`, while no job of the task is at work.
//!
//! Tasks that the program doesn't name stay in the band's ring and come first while no thread of the program
//! holds a task: the paper's partial code (programmable microkernel, section 7). The head of the rank shows
//! which case it is: a task that was taken, or the earliest deadline.

use beryl_abi::ThreadId;

use super::{Bands, is_before};

use crate::rows::threads::{Place, Thread};
use crate::scheduling::rings::{self, Search};
use crate::scheduling::thread::Standing;
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::Table;

impl<S: Sizes> Bands<S> {
    /// Whether a program has taken over this row's task.
    pub fn is_taken(&self, row: &Thread) -> bool {
        matches!(row.place, Place::Offered { slot, .. } if self.taken & slot_bit(slot) != 0)
    }

    /// Changes which tasks are taken: of those in `of`, the ones in `now`. None of them is at work.
    pub fn take_over(&mut self, of: u32, now: u32) {
        self.taken = self.taken & !of | now;
    }

    /// An offered place enters its band.
    #[inline(never)]
    pub(super) fn insert_offered(
        &mut self,
        system: &System<S>,
        threads: &mut S::ThreadStates,
        thread: ThreadId,
        row: &Thread,
    ) {
        threads.at_mut(thread.index()).stand(Standing::In);
        if self.is_taken(row) {
            return self.insert_coded(thread, row.rank.number());
        }
        let first = *self.firsts.at(row.band.index());
        if !first.is_some() {
            rings::begin(self.firsts.at_mut(row.band.index()), threads, thread);
        } else if is_before(threads, thread, first) {
            rings::push(first, threads, thread);
            *self.firsts.at_mut(row.band.index()) = thread;
        } else {
            return self.sort_in(threads, thread, Search::behind(first, threads));
        }
        self.lead_unless_held(system, row);
    }

    /// An offered place, which is in its band, leaves it.
    #[inline(never)]
    pub(super) fn remove_offered(
        &mut self,
        system: &System<S>,
        threads: &mut S::ThreadStates,
        thread: ThreadId,
        row: &Thread,
    ) {
        if self.is_taken(row) {
            return self.remove_coded(threads, thread, row.rank.number());
        }
        threads.at_mut(thread.index()).stand(Standing::Out);
        let first = self.firsts.at_mut(row.band.index());
        if rings::remove(first, threads, thread) {
            *first = ThreadId::NONE;
        }
        self.lead_unless_held(system, row);
    }

    /// The band's own order holds, unless a thread of the program holds a task.
    fn lead_unless_held(&mut self, system: &System<S>, row: &Thread) {
        if !self.is_held(system, row.rank.number()) {
            self.lead_by_deadline(row);
        }
    }

    /// A program has no task dispatched in its rank: the band's own order holds.
    #[inline(never)]
    pub fn give_back(&mut self, task: &Thread) {
        self.lead_by_deadline(task);
    }

    /// Whether a thread of the program holds a task in a rank.
    fn is_held(&self, system: &System<S>, rank: u8) -> bool {
        let head = *self.heads.at(rank.into());
        head.is_some() && self.is_taken(system.threads.at(head.index()))
    }

    /// The earliest deadline of the row's band comes first in its rank, if the band isn't empty.
    fn lead_by_deadline(&mut self, row: &Thread) {
        let (first, rank) = (*self.firsts.at(row.band.index()), row.rank.number());
        self.dispatch(rank, first, first.is_some());
    }
}

/// A slot's bit; none for slots that can't be offered.
pub(crate) fn slot_bit(slot: u8) -> u32 {
    1_u32.checked_shl(slot.into()).unwrap_or(0)
}
