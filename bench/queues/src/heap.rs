//! The paper's other queue for fixed priorities: the ready tasks in a sorted heap (Table 3).
//!
//! Selecting reads the root. Unblocking puts the task behind the last and lets it rise; blocking moves the
//! last into its place and lets it sink, or rise. Places are counted from 1: the children of i are 2i and 2i + 1.

use beryl_abi::Instant;
use beryl_kernel::Table;

use crate::{NOBODY, Queue, TASKS};

/// The ready tasks, and where each is.
pub struct Heap {
    tasks: [u8; 2 * TASKS],
    places: [u8; TASKS],
    length: u8,
}

impl Heap {
    #[inline(always)]
    fn at(&self, place: u8) -> u8 {
        *self.tasks.at(place.into())
    }

    #[inline(always)]
    fn put(&mut self, task: u8, place: u8) {
        *self.tasks.at_mut(place.into()) = task;
        *self.places.at_mut(task.into()) = place;
    }

    /// Puts a task at `place` or as far above as it is more urgent; answers where it is.
    #[inline(always)]
    fn rise(&mut self, task: u8, mut place: u8) -> u8 {
        while place > 1 && task < self.at(place >> 1) {
            self.put(self.at(place >> 1), place);
            place >>= 1;
        }
        self.put(task, place);
        place
    }

    /// Puts a task at `place` or as far below as others are more urgent. Behind the last is [`NOBODY`],
    /// which is less urgent than all.
    #[inline(always)]
    fn sink(&mut self, task: u8, mut place: u8) {
        while place <= self.length >> 1 {
            let (left, right) = (place << 1, place << 1 | 1);
            let child = if self.at(right) < self.at(left) { right } else { left };
            if task < self.at(child) {
                break;
            }
            self.put(self.at(child), place);
            place = child;
        }
        self.put(task, place);
    }
}

impl Queue for Heap {
    const NAME: &'static str = "sorted-heap";

    fn new(_tasks: u8) -> Heap {
        Heap { tasks: [NOBODY; 2 * TASKS], places: [0; TASKS], length: 0 }
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        let place = *self.places.at(task.into());
        let last = self.at(self.length);
        *self.tasks.at_mut(self.length.into()) = NOBODY;
        self.length = self.length.wrapping_sub(1);
        if last != task {
            let place = self.rise(last, place);
            self.sink(last, place);
        }
    }

    #[inline(always)]
    fn unblock(&mut self, task: u8, _deadline: Instant) {
        self.length = self.length.wrapping_add(1);
        self.rise(task, self.length);
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        self.at(1)
    }
}
