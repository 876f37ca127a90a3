//! The band list: which place is the most urgent.
//!
//! The builder has laid the list out flat: each dynamic band and each priority of a fixed one has a
//! *rank*, 0 for the most urgent. A bit a rank tells whether somebody is there, rank 0 in the highest
//! bit, and a head who comes first there. So the most urgent place is found by counting zeros. What
//! stands in a band is a thread's place; usually the thread itself runs in it, see `lending` for when
//! it doesn't.

use crate::parts::Parts;
use crate::rows::bands::Policy;
use crate::rows::threads::{Place, Thread};
use crate::scheduling::rings;
use crate::scheduling::thread::Standing;
use crate::scheduling::tree::{Key, Tree};
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
    /// A bit for each rank that has somebody.
    occupied: u32,
    /// Who comes first in each rank.
    heads: [ThreadId; RANKS],
    /// A bit for each slot whose task a program has taken over, slot 0 in the lowest.
    taken: u32,
    nodes: S::Nodes,
    keys: S::Keys,
}

impl<S: Sizes> Bands<S> {
    /// What memory holds before the start.
    pub const BLANK: Bands<S> = Bands {
        occupied: 0,
        heads: [ThreadId(0); RANKS],
        taken: 0,
        keys: S::Keys::BLANK,
        nodes: S::Nodes::BLANK,
    };

    /// Nobody is ready; makes the trees of the dynamic bands.
    pub fn begin(&mut self, system: &System<S>) {
        self.heads = [ThreadId::NONE; RANKS];
        self.keys.rows_mut().fill(Key::NEVER);
        for index in 0..S::Bands::LENGTH {
            if let Policy::Dynamic { base, leaves } = system.bands.at(index).policy {
                Tree { base: base.into(), leaves: leaves.into() }.clear(&mut self.nodes);
            }
        }
    }

    /// The most urgent place. The idle thread's is always there.
    #[inline(always)]
    pub fn first(&self) -> ThreadId {
        *self.heads.at(self.occupied.leading_zeros() as usize)
    }

    /// A thread's place goes into its band. Its deadline is its key in a dynamic one.
    #[inline(never)]
    pub fn insert(&mut self, system: &System<S>, threads: &mut S::ThreadStates, thread: ThreadId) {
        let row = system.threads.at(thread.index());
        match row.place {
            Place::Dynamic { .. } => {
                threads.at_mut(thread.index()).stand(Standing::In);
                self.insert_dynamic(system, threads, thread, row);
            }
            Place::Offered { .. } if S::HAS_TAKEOVERS => self.insert_offered(system, threads, thread, row),
            Place::Offered { .. } => {}
            Place::Fixed { .. } => {
                self.insert_fixed(threads, thread, threads.at(thread.index()).rank().number());
            }
            Place::Coded { .. } if S::SCHEDULED => {
                threads.at_mut(thread.index()).stand(Standing::In);
                self.insert_coded(thread, row.rank.number());
            }
            // There are none of these.
            Place::Coded { .. } => {}
        }
    }

    /// The same for a task that a program dispatches: it counts if the program has dispatched it.
    #[inline(always)]
    pub fn insert_coded(&mut self, task: ThreadId, rank: u8) {
        if *self.heads.at(rank.into()) == task {
            self.occupied |= bit(rank);
        }
    }

    /// The same for a thread of a fixed band.
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

    /// The same; answers whether nobody is as urgent.
    #[inline(always)]
    pub fn stand_in(&mut self, threads: &mut S::ThreadStates, thread: ThreadId, rank: u8) -> bool {
        threads.at_mut(thread.index()).stand(Standing::In);
        let bit = bit(rank);
        let head = self.heads.at_mut(rank.into());
        let is_first = bit > self.occupied;
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
            Place::Dynamic { .. } => {
                threads.at_mut(thread.index()).stand(Standing::Out);
                self.remove_dynamic(system, row);
            }
            Place::Offered { .. } if S::HAS_TAKEOVERS => self.remove_offered(system, threads, thread, row),
            Place::Offered { .. } => {}
            Place::Fixed { .. } => {
                self.remove_fixed(threads, thread, threads.at(thread.index()).rank().number());
            }
            Place::Coded { .. } if S::SCHEDULED => self.remove_coded(threads, thread, row.rank.number()),
            Place::Coded { .. } => {}
        }
    }

    /// The same for a task that a program dispatches.
    #[inline(always)]
    pub fn remove_coded(&mut self, threads: &mut S::ThreadStates, task: ThreadId, rank: u8) {
        threads.at_mut(task.index()).stand(Standing::Out);
        if *self.heads.at(rank.into()) == task {
            self.occupied &= !bit(rank);
        }
    }

    /// The same for a thread of a fixed band.
    #[inline(always)]
    pub fn remove_fixed(&mut self, threads: &mut S::ThreadStates, thread: ThreadId, rank: u8) {
        threads.at_mut(thread.index()).stand(Standing::Out);
        if rings::remove(self.heads.at_mut(rank.into()), threads, thread) {
            self.occupied &= !bit(rank);
        }
    }

    #[inline(never)]
    fn insert_dynamic(
        &mut self,
        system: &System<S>,
        threads: &S::ThreadStates,
        thread: ThreadId,
        row: &Thread,
    ) {
        if let Place::Dynamic { base, leaves, slot } = row.place {
            let key = Key::new(threads.at(thread.index()).deadline, slot);
            let tree = Tree { base: base.into(), leaves: leaves.into() };
            tree.set(&mut self.keys, &mut self.nodes, slot.into(), key);
            *self.heads.at_mut(row.rank.number().into()) = *system.slots.at(tree.first(&self.nodes));
            self.occupied |= bit(row.rank.number());
        }
    }

    #[inline(never)]
    fn remove_dynamic(&mut self, system: &System<S>, row: &Thread) {
        if let Place::Dynamic { base, leaves, slot } = row.place {
            let tree = Tree { base: base.into(), leaves: leaves.into() };
            tree.set(&mut self.keys, &mut self.nodes, slot.into(), Key::NEVER);
            let first = tree.first(&self.nodes);
            *self.heads.at_mut(row.rank.number().into()) = *system.slots.at(first);
            if self.keys.at(first).is_never() {
                self.occupied &= !bit(row.rank.number());
            }
        }
    }

    /// A program dispatches a task: it stands alone in the program's rank, as long as it is ready.
    pub fn dispatch(&mut self, rank: u8, task: ThreadId, is_ready: bool) {
        *self.heads.at_mut(rank.into()) = task;
        self.occupied = self.occupied & !bit(rank) | if is_ready { bit(rank) } else { 0 };
    }

    /// A program has dispatched nobody.
    pub fn let_go(&mut self, rank: u8) {
        *self.heads.at_mut(rank.into()) = ThreadId::NONE;
        self.occupied &= !bit(rank);
    }

    /// Lets a place of a fixed band come first of its rank.
    #[inline(always)]
    pub fn put_first(&mut self, rank: u8, place: ThreadId) {
        *self.heads.at_mut(rank.into()) = place;
    }

    /// Lets the next place of the same priority come first. In a dynamic band nothing changes: the
    /// earliest deadline stays the earliest.
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

/// A rank's bit.
#[inline(always)]
const fn bit(rank: u8) -> u32 {
    (1 << 31) >> (rank & 31)
}
