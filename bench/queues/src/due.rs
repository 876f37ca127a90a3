//! Inheritance under earliest deadline first: all tasks in one list in no order, so the owner gets a
//! deadline, and nothing moves (EMERALDS, sections 5.1 and 6.1).

use beryl_abi::Instant;
use beryl_kernel::Table;

use crate::contention::List;
use crate::unsorted::UnsortedList;
use crate::{Queue, TASKS};

/// All tasks, and the deadline that each has of its own.
pub struct Due {
    tasks: UnsortedList,
    deadlines: [Instant; TASKS],
}

impl List for Due {
    const NAME: &'static str = "due";

    /// Others are ready, too, with later deadlines: then each of them is compared whenever somebody is selected.
    fn new(tasks: u8) -> Due {
        let waiter = tasks.saturating_sub(2);
        let deadline = |task: usize| match tasks.wrapping_sub(task as u8) {
            1 => 20,
            2 => 10,
            _ => 100 + task as u64,
        };
        let deadlines = core::array::from_fn(|task| Instant::from_ticks(deadline(task)));
        let mut due = Due { tasks: UnsortedList::new(tasks), deadlines };
        (0..tasks).filter(|task| *task != waiter).for_each(|task| due.unblock(task));
        due
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        self.tasks.block(task);
    }

    #[inline(always)]
    fn unblock(&mut self, task: u8) {
        self.tasks.unblock(task, *self.deadlines.at(task.into()));
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        self.tasks.select()
    }

    /// One tick earlier than who waits, so that it goes first.
    #[inline(always)]
    fn inherit(&mut self, owner: u8, waiter: u8) {
        let deadline = self.deadlines.at(waiter.into()).ticks().saturating_sub(1);
        self.tasks.hurry(owner, Instant::from_ticks(deadline));
    }

    #[inline(always)]
    fn restore(&mut self, owner: u8, _waiter: u8) {
        self.tasks.hurry(owner, *self.deadlines.at(owner.into()));
    }
}
