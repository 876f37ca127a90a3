//! Places of a dynamic band that a program may take over.
//!
//! ```text
//!              a program takes over that names the task (1)
//!   in the tree -------------------------------------------> taken: at the head while a thread holds it
//!              <-------------------------------------------
//!              another takes over that doesn't (1)
//! ```
//! (1) `take_over`, while no job of the task is at work.
//!
//! Tasks that the program doesn't name stay in the band's tree, and come first where no thread holds a task: the paper's partial code
//! (programmable microkernel, section 7). The head of the rank tells which it is: a task that is taken, or the earliest deadline.

use beryl_abi::ThreadId;

use super::{Bands, bit};

use crate::rows::bands::Policy;
use crate::rows::threads::{Place, Thread};
use crate::scheduling::thread::Standing;
use crate::scheduling::tree::{Key, Tree};
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::Table;

impl<S: Sizes> Bands<S> {
    /// Whether a program has taken over the task of a row.
    pub fn is_taken(&self, row: &Thread) -> bool {
        matches!(row.place, Place::Offered { slot, .. } if self.taken & slot_bit(slot) != 0)
    }

    /// Other tasks are taken from now on: of those in `of`, the ones in `now`. None of them is at work.
    pub fn take_over(&mut self, of: u32, now: u32) {
        self.taken = self.taken & !of | now;
    }

    /// An offered place goes into its band.
    #[inline(never)]
    pub(super) fn insert_offered(
        &mut self,
        system: &System<S>,
        threads: &mut S::ThreadStates,
        thread: ThreadId,
        row: &Thread,
    ) {
        let Place::Offered { slot, .. } = row.place else { return };
        let state = threads.at_mut(thread.index());
        state.stand(Standing::In);
        let key = Key::new(state.deadline, slot);
        let rank = row.rank.number();
        if self.is_taken(row) {
            if *self.heads.at(rank.into()) == thread {
                self.occupied |= bit(rank);
            }
            return;
        }
        self.rekey(system, row, slot, key);
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
        let Place::Offered { slot, .. } = row.place else { return };
        let rank = row.rank.number();
        if self.is_taken(row) {
            return self.remove_coded(threads, thread, rank);
        }
        threads.at_mut(thread.index()).stand(Standing::Out);
        self.rekey(system, row, slot, Key::NEVER);
    }

    /// A place that nobody has taken over has another deadline, or none.
    fn rekey(&mut self, system: &System<S>, row: &Thread, slot: u8, key: Key) {
        let (tree, rank) = (tree_of(system, row), row.rank.number());
        tree.set(&mut self.keys, &mut self.nodes, slot.into(), key);
        if !self.is_held(system, rank) {
            self.lead_by_deadline(system, rank, tree);
        }
    }

    /// A program has dispatched nobody in its rank: the band's own order holds.
    #[inline(never)]
    pub fn give_back(&mut self, system: &System<S>, rank: u8, task: &Thread) {
        self.lead_by_deadline(system, rank, tree_of(system, task));
    }

    /// Whether a thread of the program holds a task in a rank.
    fn is_held(&self, system: &System<S>, rank: u8) -> bool {
        let head = *self.heads.at(rank.into());
        head.is_some() && self.is_taken(system.threads.at(head.index()))
    }

    /// The earliest deadline of the band comes first in its rank, if there is any.
    fn lead_by_deadline(&mut self, system: &System<S>, rank: u8, tree: Tree) {
        let first = tree.first(&self.nodes);
        let is_empty = self.keys.at(first).is_never();
        *self.heads.at_mut(rank.into()) = if is_empty { ThreadId::NONE } else { *system.slots.at(first) };
        self.occupied = self.occupied & !bit(rank) | if is_empty { 0 } else { bit(rank) };
    }
}

/// The tree of a thread's band, which is a dynamic one; two places otherwise, as no band has fewer.
pub(super) fn tree_of<S: Sizes>(system: &System<S>, row: &Thread) -> Tree {
    match system.bands.at(row.band.index()).policy {
        Policy::Dynamic { base, leaves } => Tree { base: base.into(), leaves: leaves.into() },
        Policy::Fixed => Tree { base: 0, leaves: 2 },
    }
}

/// A slot's bit; none for slots that can't be offered.
pub(crate) fn slot_bit(slot: u8) -> u32 {
    1_u32.checked_shl(slot.into()).unwrap_or(0)
}
