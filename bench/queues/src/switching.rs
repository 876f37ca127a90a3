//! The paper's inheritance under fixed priorities: owner and waiter switch their places in the sorted list, and who waits keeps the
//! owner's place for it (EMERALDS, section 6.2).

use crate::contention::List;
use crate::linked::Linked;

/// All tasks by priority.
pub struct Switching(Linked);

impl List for Switching {
    const NAME: &'static str = "switching";

    fn new(tasks: u8) -> Switching {
        Switching(Linked::new(tasks))
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

    /// It stands where the waiter stood, who is the most urgent of those that run, so nobody who is ready is before it.
    #[inline(always)]
    fn inherit(&mut self, owner: u8, waiter: u8) {
        self.0.switch(owner, waiter);
        self.0.set_highest(owner);
    }

    #[inline(always)]
    fn restore(&mut self, owner: u8, waiter: u8) {
        self.0.switch(owner, waiter);
        self.0.set_highest(waiter);
    }
}
