//! What must hold of the ready queues in every state, for tests.

use std::vec::Vec;

use super::{Bands, bit};
use crate::sizes::{Sizes, Table};
use crate::state::Phase;
use crate::system::{Policy, System, ThreadKind};
use beryl_abi::{BandId, ThreadId};

impl<S: Sizes> Bands<S> {
    /// Panics unless exactly the ready threads are in their queues, and every bit, key and node
    /// says so.
    pub fn assert_consistent(&self, system: &System<S>, threads: &S::ThreadStates) {
        for index in 0..S::Bands::LENGTH {
            let band = BandId(index as u8);
            let mut queued = self.queued(system, threads, band);
            assert_eq!(!queued.is_empty(), self.ready & bit(band) != 0, "the bit of {band:?}: {queued:?}");
            queued.sort();
            assert_eq!(queued, ready_members(system, threads, band), "{band:?}");
        }
    }

    fn queued(&self, system: &System<S>, threads: &S::ThreadStates, band: BandId) -> Vec<ThreadId> {
        match system.bands.at(band.index()).policy {
            Policy::Dynamic { base, leaves } => {
                let (base, leaves) = (usize::from(base), usize::from(leaves));
                for node in 1..leaves {
                    self.assert_node(base, leaves, node);
                }
                let slots = base..base + leaves;
                slots
                    .filter(|slot| !self.keys.at(*slot).is_never())
                    .map(|slot| *system.slots.at(slot))
                    .collect()
            }
            Policy::Fixed { queue } => {
                let levels = self.levels.at(queue.into());
                (0..32).flat_map(|priority| levels.ring(threads, priority)).collect()
            }
        }
    }

    /// A node names a slot of its own half with the earliest key there.
    fn assert_node(&self, base: usize, leaves: usize, node: usize) {
        let mut below = node..node + 1;
        while below.start < leaves {
            below = 2 * below.start..2 * below.end;
        }
        let slots = below.start - leaves + base..below.end - leaves + base;
        let winner = usize::from(*self.nodes.at(base + node));
        let earliest = slots.clone().map(|slot| self.keys.at(slot)).min();
        assert!(slots.contains(&winner), "node {node} names a slot that isn't below it");
        assert_eq!(Some(self.keys.at(winner)), earliest, "node {node}");
    }
}

fn ready_members<S: Sizes>(system: &System<S>, threads: &S::ThreadStates, band: BandId) -> Vec<ThreadId> {
    let is_ready = |index: &usize| {
        let row = system.threads.at(*index);
        let waits_for_drivers = matches!(row.kind, ThreadKind::None | ThreadKind::Drivers);
        row.band == band && !waits_for_drivers && threads.at(*index).phase == Phase::Ready
    };
    (0..S::Threads::LENGTH).filter(is_ready).map(|index| ThreadId(index as u8)).collect()
}
