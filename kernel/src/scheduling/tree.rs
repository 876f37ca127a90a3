//! Winner trees: the earliest key first. Dynamic bands, the trigger queue and the timer queue use them.
//!
//! A tree has `leaves` slots (a power of two, at least two), starting at `base` (a multiple of `leaves`).
//! Each slot has a key; each node names the slot with the earliest key below it. Node `i` (1 is the root, the
//! children of `i` are `2i` and `2i + 1`, the leaves come last) is stored at `2 base + i`. Changing a key
//! replays the matches on the way to the root: log2(leaves) of them, whatever the keys are, which keeps a
//! step's bound small and flat. (The paper's kernel searches an unsorted list instead, EMERALDS section 5;
//! `bench` compares them.)
//!
//! ```text
//!            1              node 1 is the root
//!        2       3
//!      s0 s1   s2 s3        slots are the leaves; slots 2j and 2j + 1 meet first
//! ```

use beryl_abi::{Instant, Moment};

use crate::table::{Blank, Table};

/// Keys that a tree can order by.
pub(crate) trait Order: Copy {
    /// Whether it comes before `other`.
    fn is_before(self, other: Self) -> bool;
}

impl Order for Key {
    #[inline(always)]
    fn is_before(self, other: Key) -> bool {
        self < other
    }
}

impl Order for Moment {
    #[inline(always)]
    fn is_before(self, other: Moment) -> bool {
        Moment::is_before(self, other)
    }
}

/// The key of dynamic bands and the trigger queue: an instant, and between equal instants an order number.
///
/// The instant has the upper 56 bits, enough for 91 years at 25 MHz; the builder refuses clocks with which it
/// would last less than 10 years. Equal keys don't occur, since the members of a tree have different order
/// numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Key(u64);

impl Key {
    /// Later than every instant: the slot takes no part.
    pub const NEVER: Key = Key(u64::MAX);

    const ORDER_BITS: u32 = 8;

    /// The key of an instant.
    #[inline(always)]
    pub const fn new(instant: Instant, order: u8) -> Key {
        Key(instant.ticks() << Key::ORDER_BITS | order as u64)
    }

    /// Before the key of every instant.
    pub const FIRST: Key = Key(0);

    /// Its instant; of [`Key::NEVER`], one that never comes.
    #[inline(always)]
    pub const fn instant(self) -> Instant {
        Instant::from_ticks(self.0 >> Key::ORDER_BITS)
    }

    /// Whether the slot takes no part.
    #[inline(always)]
    pub const fn is_never(self) -> bool {
        self.0 == u64::MAX
    }
}

impl Blank for Key {
    const BLANK: Key = Key::FIRST;
}

/// Where a tree lies in its tables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tree {
    pub base: usize,
    pub leaves: usize,
}

impl Tree {
    /// The slot with the earliest key.
    #[inline(always)]
    pub fn first(self, nodes: &impl Table<u8>) -> usize {
        usize::from(*nodes.at(2 * self.base + 1))
    }

    /// Gives `slot` a new key and replays its matches.
    #[inline(always)]
    pub fn set<K: Order>(self, keys: &mut impl Table<K>, nodes: &mut impl Table<u8>, slot: usize, key: K) {
        *keys.at_mut(slot) = key;
        let (mut winner, mut best) = (slot as u8, key);
        let root = 2 * self.base;
        let mut node = self.leaves + slot - self.base;
        // bound: LEVELS
        loop {
            let rival = *nodes.at(root + (node ^ 1));
            let challenge = *keys.at(rival.into());
            if challenge.is_before(best) {
                (winner, best) = (rival, challenge);
            }
            node >>= 1;
            *nodes.at_mut(root + node) = winner;
            if node <= 1 {
                break;
            }
        }
    }

    /// As above, for a tree of at most 256 slots whose size is a constant at the call: without a loop, so
    /// that the compiler knows the levels and where each node can be.
    #[inline(always)]
    pub fn set_flat<K: Order>(
        self,
        keys: &mut impl Table<K>,
        nodes: &mut impl Table<u8>,
        slot: usize,
        key: K,
    ) {
        let slot = slot & (self.leaves - 1);
        *keys.at_mut(slot) = key;
        let leaf = self.leaves | slot;
        let mut winner = (slot as u8, key);
        macro_rules! levels {
            ($($level:literal)*) => {$(
                if self.leaves > 1 << $level {
                    winner = Self::play(keys, nodes, leaf >> $level, winner);
                }
            )*};
        }
        levels!(0 1 2 3 4 5 6 7);
    }

    /// Plays the match at node `node`; returns the winner.
    #[inline(always)]
    fn play<K: Order>(
        keys: &impl Table<K>,
        nodes: &mut impl Table<u8>,
        node: usize,
        (mut winner, mut best): (u8, K),
    ) -> (u8, K) {
        let rival = *nodes.at(node ^ 1);
        let challenge = *keys.at(rival.into());
        if challenge.is_before(best) {
            (winner, best) = (rival, challenge);
        }
        *nodes.at_mut(node >> 1) = winner;
        (winner, best)
    }

    /// Builds the tree over slots whose keys are all equal: each node names its leftmost slot. It must be a
    /// slot of its own half: one of the other half would hide later keys.
    pub fn clear(self, nodes: &mut impl Table<u8>) {
        let root = 2 * self.base;
        // bound: SLOTS
        for leaf in 0..self.leaves {
            *nodes.at_mut(root + self.leaves + leaf) = (self.base + leaf) as u8;
        }
        // bound: SLOTS
        for node in (1..self.leaves).rev() {
            *nodes.at_mut(root + node) = *nodes.at(root + 2 * node);
        }
    }
}

#[cfg(test)]
mod tests {
    use beryl_testing::{Draw, XorShift};

    use super::*;

    extern crate std;

    #[test]
    fn the_first_slot_is_always_the_one_with_the_earliest_key() {
        for seed in 1..=1000 {
            let mut random = XorShift::new(seed);
            for (base, leaves) in [(0, 16), (0, 2), (8, 8), (4, 4), (14, 2)] {
                let tree = Tree { base, leaves };
                let mut keys = [Key::NEVER; 16];
                let mut nodes = [0_u8; 32];
                tree.clear(&mut nodes);
                for _ in 0..30 {
                    let slot = base + random.below(leaves);
                    let key = match random.below(3) {
                        0 => Key::NEVER,
                        _ => Key::new(Instant::from_ticks(random.under(6)), slot as u8),
                    };
                    tree.set(&mut keys, &mut nodes, slot, key);
                    let earliest = keys[base..base + leaves].iter().min().copied();
                    assert_eq!(Some(keys[tree.first(&nodes)]), earliest, "seed {seed}, {tree:?}, {keys:?}");
                }
            }
        }
    }
}
