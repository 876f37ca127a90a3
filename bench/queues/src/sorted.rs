//! The paper's queue for fixed priorities: all tasks in one list by priority, and one pointer to the
//! highest ready one (section 5.1).
//!
//! Selecting reads the pointer, unblocking compares with it; blocking the task that it points at walks
//! down the list to the next ready one.

use beryl_abi::Instant;
use beryl_kernel::Table;

use crate::{NOBODY, Queue, TASKS};

/// All tasks, linked by priority.
pub struct SortedList {
    tasks: [Task; TASKS],
    /// The paper's `highestP`.
    highest: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Task {
    is_ready: bool,
    next: u8,
}

impl Queue for SortedList {
    const NAME: &'static str = "sorted-list";

    fn new(tasks: u8) -> SortedList {
        let mut list = SortedList { tasks: [Task { is_ready: false, next: NOBODY }; TASKS], highest: NOBODY };
        (1..tasks).for_each(|task| list.tasks.at_mut(usize::from(task - 1)).next = task);
        list
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        let row = self.tasks.at_mut(task.into());
        row.is_ready = false;
        if task != self.highest {
            return;
        }
        let mut next = row.next;
        while next != NOBODY {
            let row = self.tasks.at(next.into());
            if row.is_ready {
                break;
            }
            next = row.next;
        }
        self.highest = next;
    }

    /// The numbers are the priorities, and [`NOBODY`] is less urgent than all.
    #[inline(always)]
    fn unblock(&mut self, task: u8, _deadline: Instant) {
        self.tasks.at_mut(task.into()).is_ready = true;
        if task < self.highest {
            self.highest = task;
        }
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        self.highest
    }
}
