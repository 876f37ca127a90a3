//! The kernel's queue for triggers, and once for dynamic bands: a winner tree over deadlines, with as many
//! leaves as the next power of two. Which task a leaf is doesn't matter here: leaves are numbered like tasks.

use beryl_abi::Instant;

use crate::kernel_tree::{Key, Tree};
use crate::{NOBODY, Queue, TASKS};

/// A band of the kernel.
pub struct WinnerTree {
    tree: Tree,
    keys: [Key; TASKS],
    nodes: [u8; 2 * TASKS],
    is_ready: bool,
}

impl Queue for WinnerTree {
    const NAME: &'static str = "winner-tree";

    fn new(tasks: u8) -> WinnerTree {
        let tree = Tree { base: 0, leaves: usize::from(tasks).next_power_of_two().max(2) };
        let mut band = WinnerTree { tree, keys: [Key::NEVER; TASKS], nodes: [0; 2 * TASKS], is_ready: false };
        tree.clear(&mut band.nodes);
        band
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        self.tree.set(&mut self.keys, &mut self.nodes, task.into(), Key::NEVER);
        let first = self.tree.first(&self.nodes);
        self.is_ready = self.keys.get(first).is_some_and(|key| !key.is_never());
    }

    #[inline(always)]
    fn unblock(&mut self, task: u8, deadline: Instant) {
        self.tree.set(&mut self.keys, &mut self.nodes, task.into(), Key::new(deadline, task));
        self.is_ready = true;
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        if self.is_ready { self.tree.first(&self.nodes) as u8 } else { NOBODY }
    }
}
