//! The standard inheritance under fixed priorities: the owner is taken out of the sorted list, and put in again where its priority
//! belongs now (EMERALDS, section 6.1).

use crate::contention::List;
use crate::linked::Linked;

/// All tasks by priority.
pub struct Moving(Linked);

impl List for Moving {
    const NAME: &'static str = "moving";

    fn new(tasks: u8) -> Moving {
        Moving(Linked::new(tasks))
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        self.0.block(task);
    }

    #[inline(always)]
    fn unblock(&mut self, task: u8) {
        self.0.unblock(task);
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        self.0.select()
    }

    /// It stands in front of who waits, who is the most urgent of those that run, so nobody who is ready is before it.
    #[inline(always)]
    fn inherit(&mut self, owner: u8, waiter: u8) {
        let priority = self.0.priority(waiter);
        self.0.move_to(owner, priority);
        self.0.set_highest(owner);
    }

    /// A task's number is the priority that it was given.
    #[inline(always)]
    fn restore(&mut self, owner: u8, waiter: u8) {
        self.0.move_to(owner, owner);
        self.0.set_highest(waiter);
    }
}
