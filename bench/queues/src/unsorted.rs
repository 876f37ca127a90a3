//! The paper's queue for earliest deadline first: all tasks in one list, in no order (section 5.1), and a
//! count of those that are ready, so that an empty queue is skipped (section 5.3).
//!
//! Blocking and unblocking change one variable of the task; selecting walks the whole list.

use beryl_abi::Instant;
use beryl_kernel::Table;

use crate::{NOBODY, Queue, TASKS};

/// All tasks, linked in no order.
pub struct UnsortedList {
    tasks: [Task; TASKS],
    first: u8,
    ready: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Task {
    deadline: Instant,
    is_ready: bool,
    next: u8,
}

impl UnsortedList {
    /// Gives a task another deadline.
    #[inline(always)]
    pub fn hurry(&mut self, task: u8, deadline: Instant) {
        self.tasks.at_mut(task.into()).deadline = deadline;
    }
}

impl Queue for UnsortedList {
    const NAME: &'static str = "unsorted-list";

    fn new(tasks: u8) -> UnsortedList {
        let mut list = UnsortedList {
            tasks: [Task { deadline: Instant::NEVER, is_ready: false, next: NOBODY }; TASKS],
            first: 0,
            ready: 0,
        };
        (1..tasks).for_each(|task| list.tasks.at_mut(usize::from(task - 1)).next = task);
        list
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        self.tasks.at_mut(task.into()).is_ready = false;
        self.ready = self.ready.wrapping_sub(1);
    }

    #[inline(always)]
    fn unblock(&mut self, task: u8, deadline: Instant) {
        let row = self.tasks.at_mut(task.into());
        (row.is_ready, row.deadline) = (true, deadline);
        self.ready = self.ready.wrapping_add(1);
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        let (mut first, mut earliest) = (NOBODY, Instant::NEVER);
        if self.ready == 0 {
            return first;
        }
        let mut task = self.first;
        while task != NOBODY {
            let row = self.tasks.at(task.into());
            if row.is_ready && row.deadline < earliest {
                (first, earliest) = (task, row.deadline);
            }
            task = row.next;
        }
        first
    }
}
