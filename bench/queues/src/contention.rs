//! The EMERALDS paper's semaphores with priority inheritance: the standard implementation and its own
//! (sections 6.1 and 6.2), on its two queues, as plainly as they can be written.
//!
//! ```text
//! standard   an event wakes the urgent task, which runs, asks for the semaphore, and lets its owner inherit (Figures 3 and 4)
//! early      the event finds the semaphore locked, so the owner inherits at once, and the urgent task goes on sleeping (Figure 5)
//! ```
//! What a list does when somebody inherits is its own: a task is moved to where its new priority belongs
//! (`moving`), two tasks switch their places (`switching`), or only a deadline changes (`due`). An operation
//! answers who runs next, which is looked for where somebody blocked, woke, or might have. No registers are
//! saved and no kernel is entered: what that costs is to be added.

use crate::NOBODY;

/// All tasks of a band, in which a task can have another one's urgency for a while.
pub trait List {
    /// Its name in results.
    const NAME: &'static str;

    /// A list of `tasks` tasks, arranged so that inheritance is dearest: the last is the owner, the last but
    /// one is more urgent. Only the owner is ready, and whoever else that makes it dearer.
    fn new(tasks: u8) -> Self;

    /// A ready task blocks.
    fn block(&mut self, task: u8);

    /// A blocked task becomes ready.
    fn unblock(&mut self, task: u8);

    /// The task that should run; [`NOBODY`] if none is ready.
    fn select(&self) -> u8;

    /// The owner, which is ready, gets the urgency of who waits for it.
    fn inherit(&mut self, owner: u8, waiter: u8);

    /// It has its own urgency again. Who waited is ready already.
    fn restore(&mut self, owner: u8, waiter: u8);
}

/// How a semaphore and the event before it are carried out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// As in section 6.1.
    Standard,
    /// As in section 6.2: an event knows for which semaphore its task will ask.
    Early,
}

/// A band, and a semaphore that its tasks share.
pub struct Contention<L> {
    list: L,
    scheme: Scheme,
    owner: u8,
    /// Who waits: one at most, as in the paper's figures.
    waiter: u8,
}

impl<L: List> Contention<L> {
    /// Nobody owns the semaphore.
    pub fn new(scheme: Scheme, tasks: u8) -> Contention<L> {
        Contention { list: L::new(tasks), scheme, owner: NOBODY, waiter: NOBODY }
    }

    /// The event for which a task waits, which will ask for the semaphore.
    #[inline(always)]
    pub fn signal(&mut self, task: u8) -> u8 {
        match (self.scheme, self.owner) {
            (Scheme::Standard, _) => self.list.unblock(task),
            (Scheme::Early, NOBODY) => {
                self.owner = task;
                self.list.unblock(task);
            }
            (Scheme::Early, owner) => self.keep_waiting(owner, task),
        }
        self.list.select()
    }

    /// The running task asks for the semaphore.
    #[inline(always)]
    pub fn acquire(&mut self, task: u8) -> u8 {
        match self.owner {
            NOBODY => {
                self.owner = task;
                task
            }
            // It was given to it while it slept.
            owner if owner == task => task,
            owner => {
                self.keep_waiting(owner, task);
                self.list.block(task);
                self.list.select()
            }
        }
    }

    /// Its owner, which is running, gives it back.
    #[inline(always)]
    pub fn release(&mut self, owner: u8) -> u8 {
        let waiter = self.waiter;
        (self.owner, self.waiter) = (waiter, NOBODY);
        if waiter == NOBODY {
            return owner;
        }
        self.list.unblock(waiter);
        self.list.restore(owner, waiter);
        self.list.select()
    }

    /// The running task waits for the next event.
    #[inline(always)]
    pub fn wait(&mut self, task: u8) -> u8 {
        self.list.block(task);
        self.list.select()
    }

    #[inline(always)]
    fn keep_waiting(&mut self, owner: u8, task: u8) {
        self.list.inherit(owner, task);
        self.waiter = task;
    }
}
