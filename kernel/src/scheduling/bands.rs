//! The band list: which place is the most urgent.
//!
//! The builder has laid the list out flat: each dynamic band and each priority of a fixed one has a *rank*, 0
//! for the most urgent. For each rank one bit says whether it holds a place (rank 0 is the highest bit), and
//! a head names the first. So counting zeros finds the most urgent place. A band holds the places of threads.
//! Usually the thread itself runs in its place; `inheritance` says when it doesn't.
//!
//! Places are held by [`rings`]: one for each priority of a fixed band, first come, first served, and one for
//! each dynamic band, by deadline. A place that enters a dynamic band is either the first, or its position is
//! searched for from both ends:
//!
//! ```text
//!               is the first, or found in a few looks
//!     out --------------------------------------------> in <----+
//!      |                                                        |
//!      +--------------> being sorted in ------------------------+
//!        not found yet        |       ^   found
//!                             +-------+  a few looks a step
//! ```
//!
//! While a place is being sorted in, nothing else enters or leaves: it is the first of all
//! [deferred work](crate::scheduling::deferred).

use crate::parts::Parts;
use crate::rows::threads::Place;
use crate::scheduling::eligible::Eligible as _;
use crate::scheduling::rings::{self, Search};
use crate::scheduling::thread::{Standing, ThreadState};
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::{Blank, Table};

#[cfg(test)]
mod consistent;
mod offered;

pub(crate) use offered::slot_bit;

use beryl_abi::ThreadId;

/// The number of ranks.
pub(crate) const RANKS: usize = 32;

/// The places of all bands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub(crate) struct Bands<S: Sizes> {
    /// A bit for each rank that holds a place.
    occupied: u32,
    /// The first place of each rank.
    heads: [ThreadId; RANKS],
    /// A bit for each slot whose task a program has taken over; slot 0 is the lowest bit.
    taken: u32,
    /// The thread whose place is being sorted in, or none.
    sorting: ThreadId,
    /// Where the search for its position goes on.
    search: Search,
    /// The first place of each dynamic band whose tasks a program may take over.
    firsts: S::Firsts,
    /// A bit for each rank that counts in the open window, if there are windows.
    eligible: S::Eligible,
}

impl<S: Sizes> Bands<S> {
    /// What memory holds before the start.
    pub const BLANK: Bands<S> = Bands {
        occupied: 0,
        heads: [ThreadId(0); RANKS],
        taken: 0,
        sorting: ThreadId(0),
        search: Search::BLANK,
        firsts: S::Firsts::BLANK,
        eligible: S::Eligible::BLANK,
    };

    /// Nobody is ready.
    pub fn begin(&mut self) {
        self.heads = [ThreadId::NONE; RANKS];
        self.firsts.rows_mut().fill(ThreadId::NONE);
        (self.sorting, self.search) = (ThreadId::NONE, Search::NONE);
    }

    /// The most urgent place. The idle thread's is always there.
    #[inline(always)]
    pub fn first(&self) -> ThreadId {
        *self.heads.at(self.counted(self.occupied).leading_zeros() as usize)
    }

    /// Those of some ranks that count in the open window.
    #[inline(always)]
    fn counted(&self, ranks: u32) -> u32 {
        ranks & self.eligible.ranks()
    }

    /// Whether a rank counts in the open window.
    #[inline(always)]
    pub fn counts(&self, rank: u8) -> bool {
        self.counted(bit(rank)) != 0
    }

    /// A window begins, in which only these ranks count.
    pub fn count_only(&mut self, ranks: u32) {
        self.eligible.count_only(ranks);
    }

    /// A thread's place enters its band. In a dynamic band it goes where its deadline belongs, or is
    /// [being sorted in](Bands::is_sorting) from now on.
    #[inline(never)]
    pub fn insert(&mut self, system: &System<S>, threads: &mut S::ThreadStates, thread: ThreadId) {
        let row = system.threads.at(thread.index());
        match row.place {
            Place::Dynamic { .. } => self.insert_dynamic(threads, thread, row.rank.number()),
            Place::Offered { .. } if S::HAS_TAKEOVERS => self.insert_offered(system, threads, thread, row),
            Place::Offered { .. } => {}
            Place::Fixed { .. } => {
                self.insert_fixed(threads, thread, threads.at(thread.index()).rank().number());
            }
            Place::Coded { .. } if S::SCHEDULED => {
                threads.at_mut(thread.index()).stand(Standing::In);
                self.insert_coded(thread, row.rank.number());
            }
            // This kernel has none of these.
            Place::Coded { .. } => {}
        }
    }

    /// As above, for a task that a program dispatches: it counts only if the program has dispatched it.
    #[inline(always)]
    pub fn insert_coded(&mut self, task: ThreadId, rank: u8) {
        if *self.heads.at(rank.into()) == task {
            self.occupied |= bit(rank);
        }
    }

    /// As above, for a thread of a fixed band.
    #[inline(always)]
    pub fn insert_fixed(&mut self, threads: &mut S::ThreadStates, thread: ThreadId, rank: u8) {
        threads.at_mut(thread.index()).stand(Standing::In);
        let head = self.heads.at_mut(rank.into());
        match self.occupied & bit(rank) {
            0 => rings::begin(head, threads, thread),
            _ => rings::push(*head, threads, thread),
        }
        self.occupied |= bit(rank);
    }

    /// As above; returns whether no other thread is as urgent.
    #[inline(always)]
    pub fn stand_in(&mut self, threads: &mut S::ThreadStates, thread: ThreadId, rank: u8) -> bool {
        threads.at_mut(thread.index()).stand(Standing::In);
        let bit = bit(rank);
        let head = self.heads.at_mut(rank.into());
        let is_first = match S::PARTITIONED {
            true => bit & self.eligible.ranks() > self.occupied & self.eligible.ranks(),
            false => bit > self.occupied,
        };
        match is_first || self.occupied & bit == 0 {
            true => {
                rings::begin(head, threads, thread);
                self.occupied |= bit;
            }
            false => rings::push(*head, threads, thread),
        }
        is_first
    }

    /// The first place of a rank leaves its band.
    #[inline(always)]
    pub fn step_out(&mut self, threads: &mut S::ThreadStates, thread: ThreadId, rank: u8) {
        threads.at_mut(thread.index()).stand(Standing::Out);
        match rings::remove_first(threads, thread) {
            Some(next) => *self.heads.at_mut(rank.into()) = next,
            None => self.occupied &= !bit(rank),
        }
    }

    /// A thread's place, which is in its band, leaves it.
    #[inline(never)]
    pub fn remove(&mut self, system: &System<S>, threads: &mut S::ThreadStates, thread: ThreadId) {
        let row = system.threads.at(thread.index());
        match row.place {
            Place::Offered { .. } if S::HAS_TAKEOVERS => self.remove_offered(system, threads, thread, row),
            Place::Offered { .. } => {}
            Place::Dynamic { .. } | Place::Fixed { .. } => {
                self.remove_from_ring(threads, thread, threads.at(thread.index()).rank().number());
            }
            Place::Coded { .. } if S::SCHEDULED => self.remove_coded(threads, thread, row.rank.number()),
            Place::Coded { .. } => {}
        }
    }

    /// As above, for a task that a program dispatches.
    #[inline(always)]
    pub fn remove_coded(&mut self, threads: &mut S::ThreadStates, task: ThreadId, rank: u8) {
        threads.at_mut(task.index()).stand(Standing::Out);
        if *self.heads.at(rank.into()) == task {
            self.occupied &= !bit(rank);
        }
    }

    /// As above, for a place in the ring of a rank.
    #[inline(always)]
    pub fn remove_from_ring(&mut self, threads: &mut S::ThreadStates, thread: ThreadId, rank: u8) {
        threads.at_mut(thread.index()).stand(Standing::Out);
        if rings::remove(self.heads.at_mut(rank.into()), threads, thread) {
            self.occupied &= !bit(rank);
        }
    }

    #[inline(always)]
    fn insert_dynamic(&mut self, threads: &mut S::ThreadStates, thread: ThreadId, rank: u8) {
        threads.at_mut(thread.index()).stand(Standing::In);
        let head = self.heads.at_mut(rank.into());
        if self.occupied & bit(rank) == 0 {
            rings::begin(head, threads, thread);
            self.occupied |= bit(rank);
            return;
        }
        let first = *head;
        if is_before(threads, thread, first) {
            rings::push(first, threads, thread);
            *head = thread;
            return;
        }
        self.sort_in(threads, thread, Search::behind(first, threads));
    }

    /// Searches for the position of a place that isn't the first of its ring.
    #[inline(always)]
    fn sort_in(&mut self, threads: &mut S::ThreadStates, thread: ThreadId, search: Search) {
        let found = search.look(threads, S::LOOKS, |other| is_before(threads, thread, other));
        match found {
            Ok(before) => {
                rings::put_behind(before, threads, thread);
                self.be_sorted();
            }
            Err(search) => (self.sorting, self.search) = (thread, search),
        }
    }

    /// No place is being sorted in.
    #[inline(always)]
    fn be_sorted(&mut self) {
        if Self::MAY_SORT {
            (self.sorting, self.search) = (ThreadId::NONE, Search::NONE);
        }
    }

    /// Whether a band may hold more places than one step looks at, from both ends.
    const MAY_SORT: bool = S::Slots::LENGTH > 2 * S::LOOKS;

    /// Whether a place is being sorted in, so that no other may enter or leave. Never if one step looks at
    /// all slots.
    #[inline(always)]
    pub fn is_sorting(&self) -> bool {
        Self::MAY_SORT && self.sorting.is_some()
    }

    /// Goes on with the search for the place that is being sorted in.
    #[inline(never)]
    pub fn sort_on(&mut self, threads: &mut S::ThreadStates) {
        self.sort_in(threads, self.sorting, self.search);
    }

    /// A program dispatches a task: while it is ready it stands alone in the program's rank.
    pub fn dispatch(&mut self, rank: u8, task: ThreadId, is_ready: bool) {
        *self.heads.at_mut(rank.into()) = task;
        self.occupied = self.occupied & !bit(rank) | if is_ready { bit(rank) } else { 0 };
    }

    /// A program has no task dispatched.
    pub fn let_go(&mut self, rank: u8) {
        *self.heads.at_mut(rank.into()) = ThreadId::NONE;
        self.occupied &= !bit(rank);
    }

    /// Makes a place of a fixed band the first of its rank.
    #[inline(always)]
    pub fn put_first(&mut self, rank: u8, place: ThreadId) {
        *self.heads.at_mut(rank.into()) = place;
    }

    /// Makes the next place of the same priority the first. In a dynamic band nothing changes: the earliest
    /// deadline stays the earliest.
    pub fn rotate(&mut self, threads: &S::ThreadStates, thread: ThreadId) {
        let state = threads.at(thread.index());
        if let Some(rank) = state.rank().as_fixed() {
            let head = self.heads.at_mut(rank.into());
            if *head == thread {
                *head = state.next;
            }
        }
    }
}

/// Whether a place comes before another in its dynamic band: by deadline, and between equal deadlines by
/// slot, the lower one first.
#[inline(always)]
fn is_before(threads: &impl Table<ThreadState>, thread: ThreadId, other: ThreadId) -> bool {
    let (own, others) = (threads.at(thread.index()).deadline, threads.at(other.index()).deadline);
    own < others || own == others && thread.0 < other.0
}

/// A rank's bit.
#[inline(always)]
const fn bit(rank: u8) -> u32 {
    (1 << 31) >> (rank & 31)
}
