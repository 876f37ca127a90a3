//! The band list: who is the most urgent thread.
//!
//! The first band with somebody ready decides; its policy chooses. A bit a band tells whether
//! somebody is ready, the most urgent band in the highest bit.

#[cfg(test)]
mod consistent;

use beryl_abi::{BandId, ThreadId};

use crate::sizes::{Blank, Sizes, Table};
use crate::system::{Policy, System};
use crate::tree::{Key, Tree};

/// The ready threads of all bands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Bands<S: Sizes> {
    ready: u32,
    keys: S::Keys,
    nodes: S::Nodes,
    levels: S::Levels,
}

impl<S: Sizes> Bands<S> {
    /// Nobody is ready.
    pub const BLANK: Bands<S> =
        Bands { ready: 0, keys: S::Keys::BLANK, nodes: S::Nodes::BLANK, levels: S::Levels::BLANK };

    /// Makes the trees of the dynamic bands.
    pub fn begin(&mut self, system: &System<S>) {
        for index in 0..S::Bands::LENGTH {
            if let Policy::Dynamic { base, leaves } = system.bands.at(index).policy {
                Tree { base: base.into(), leaves: leaves.into() }.clear(&mut self.nodes);
            }
        }
    }

    /// The most urgent ready thread. The idle thread is always ready.
    #[inline(always)]
    pub fn first(&self, system: &System<S>) -> ThreadId {
        let band = self.ready.leading_zeros();
        match system.bands.at(band as usize).policy {
            Policy::Dynamic { base, leaves } => {
                let tree = Tree { base: base.into(), leaves: leaves.into() };
                *system.slots.at(tree.first(&self.nodes))
            }
            Policy::Fixed { queue } => self.levels.at(queue.into()).first(),
        }
    }

    /// A thread becomes ready. Its deadline is its key in a dynamic band.
    pub fn insert(&mut self, system: &System<S>, threads: &mut S::ThreadStates, thread: ThreadId) {
        let row = system.threads.at(thread.index());
        match system.bands.at(row.band.index()).policy {
            Policy::Dynamic { base, leaves } => {
                let key = Key::new(threads.at(thread.index()).deadline, row.place);
                let tree = Tree { base: base.into(), leaves: leaves.into() };
                tree.set(&mut self.keys, &mut self.nodes, row.place.into(), key);
            }
            Policy::Fixed { queue } => self.levels.at_mut(queue.into()).push(threads, thread, row.place),
        }
        self.ready |= bit(row.band);
    }

    /// A thread is no longer ready.
    pub fn remove(&mut self, system: &System<S>, threads: &mut S::ThreadStates, thread: ThreadId) {
        let row = system.threads.at(thread.index());
        let empty = match system.bands.at(row.band.index()).policy {
            Policy::Dynamic { base, leaves } => {
                let tree = Tree { base: base.into(), leaves: leaves.into() };
                tree.set(&mut self.keys, &mut self.nodes, row.place.into(), Key::NEVER);
                self.keys.at(tree.first(&self.nodes)).is_never()
            }
            Policy::Fixed { queue } => {
                let levels = self.levels.at_mut(queue.into());
                levels.remove(threads, thread, row.place);
                levels.is_empty()
            }
        };
        if empty {
            self.ready &= !bit(row.band);
        }
    }

    /// Lets the next thread of the same priority come first; answers who that is. In a dynamic band
    /// nothing changes: the earliest deadline stays the earliest.
    #[inline(always)]
    pub fn rotate(&mut self, system: &System<S>, threads: &S::ThreadStates, thread: ThreadId) -> ThreadId {
        let row = system.threads.at(thread.index());
        match system.bands.at(row.band.index()).policy {
            Policy::Fixed { queue } => self.levels.at_mut(queue.into()).rotate(threads, thread, row.place),
            Policy::Dynamic { .. } => thread,
        }
    }
}

/// A band's bit: the most urgent band has the highest.
#[inline(always)]
const fn bit(band: BandId) -> u32 {
    (1 << 31) >> (band.0 & 31)
}
