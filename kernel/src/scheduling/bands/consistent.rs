//! What must hold of the bands in every state, for tests.

use std::vec::Vec;

use super::{Bands, RANKS, bit};
use beryl_abi::ThreadId;

use crate::rows::bands::Policy;
use crate::rows::threads::Place;
use crate::scheduling::thread::{Standing, ThreadState};
use crate::sizes::Sizes;
use crate::system::System;
use crate::table::Table;

impl<S: Sizes> Bands<S> {
    /// Panics unless exactly the places that say so are in their bands, and every bit, head, key and
    /// node says so, too.
    pub fn assert_consistent(&self, system: &System<S>, threads: &S::ThreadStates) {
        for index in 0..S::Bands::LENGTH {
            if let Policy::Dynamic { base, leaves } = system.bands.at(index).policy {
                for node in 1..usize::from(leaves) {
                    self.assert_node(base.into(), leaves.into(), node);
                }
            }
        }
        for rank in 0..RANKS as u8 {
            let mut queued = self.queued(system, threads, rank);
            assert_eq!(
                !queued.is_empty(),
                self.occupied & bit(rank) != 0,
                "the bit of rank {rank}: {queued:?}"
            );
            queued.sort();
            assert_eq!(queued, members(system, threads, rank), "rank {rank}");
        }
    }

    /// The places of a rank: those of a dynamic band by the keys of its slots, others by their ring.
    fn queued(&self, system: &System<S>, threads: &S::ThreadStates, rank: u8) -> Vec<ThreadId> {
        let is_its =
            |thread: &ThreadId| thread.is_some() && threads.at(thread.index()).rank().number() == rank;
        let slots = (0..S::Slots::LENGTH).filter(|slot| !self.keys.at(*slot).is_never());
        let dynamic: Vec<_> = slots.map(|slot| *system.slots.at(slot)).filter(is_its).collect();
        let head = *self.heads.at(rank.into());
        if self.occupied & bit(rank) == 0 {
            return dynamic;
        }
        let row = system.threads.at(head.index());
        match row.place {
            Place::Offered { .. } if self.is_taken(row) => std::vec![head],
            Place::Dynamic { .. } | Place::Offered { .. } => {
                let tree = super::offered::tree_of(system, row);
                assert_eq!(head, *system.slots.at(tree.first(&self.nodes)), "the head of rank {rank}");
                dynamic
            }
            Place::Fixed { .. } => ring(threads, head),
            Place::Coded { .. } => std::vec![head],
        }
    }

    /// A node names a slot of its own half with the earliest key there.
    fn assert_node(&self, base: usize, leaves: usize, node: usize) {
        let mut below = node..node + 1;
        while below.start < leaves {
            below = 2 * below.start..2 * below.end;
        }
        let slots = below.start - leaves + base..below.end - leaves + base;
        let winner = usize::from(*self.nodes.at(2 * base + node));
        let earliest = slots.clone().map(|slot| self.keys.at(slot)).min();
        assert!(slots.contains(&winner), "node {node} names a slot that isn't below it");
        assert_eq!(Some(self.keys.at(winner)), earliest, "node {node}");
    }
}

/// The members of a ring, the first first. Panics where the links disagree.
fn ring(threads: &impl Table<ThreadState>, head: ThreadId) -> Vec<ThreadId> {
    let mut ring = Vec::new();
    let mut thread = head;
    loop {
        assert!(!ring.contains(&thread), "{thread:?} is in a ring twice");
        ring.push(thread);
        let next = threads.at(thread.index()).next;
        assert_eq!(threads.at(next.index()).previous, thread, "{next:?} doesn't point back");
        if next == head {
            return ring;
        }
        thread = next;
    }
}

fn members<S: Sizes>(system: &System<S>, threads: &S::ThreadStates, rank: u8) -> Vec<ThreadId> {
    let is_in = |index: &usize| {
        let (row, state) = (system.threads.at(*index), threads.at(*index));
        row.kind.is_scheduled() && state.rank().number() == rank && state.standing() == Standing::In
    };
    (0..S::Threads::LENGTH).filter(is_in).map(|index| ThreadId(index as u8)).collect()
}
