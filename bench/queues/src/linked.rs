//! The paper's list of all tasks by priority with a pointer to the highest ready one (section 5.1), in which
//! tasks can change their places.

use core::marker::PhantomData;

use beryl_kernel::Table;

use crate::contention::List;
use crate::{NOBODY, TASKS};

/// Stands behind the last and before the first, always ready and less urgent than all: so no end has to be asked for.
const END: u8 = TASKS as u8 - 1;

/// All tasks, linked both ways.
pub struct Linked<I> {
    tasks: [Task; TASKS],
    /// The paper's `highestP`; [`END`] if nobody is ready.
    highest: u8,
    inheritance: PhantomData<I>,
}

/// How the list changes when somebody inherits. Who comes first then follows from it.
pub trait Inheritance: Sized {
    /// Its name in results.
    const NAME: &'static str;

    /// The owner stands where the waiter does, or in front of it.
    fn inherit(list: &mut Linked<Self>, owner: u8, waiter: u8);

    /// It stands where it belongs, and so does the waiter.
    fn restore(list: &mut Linked<Self>, owner: u8, waiter: u8);
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Task {
    is_ready: bool,
    /// Its priority at present: smaller is more urgent.
    priority: u8,
    next: u8,
    previous: u8,
}

impl<I: Inheritance> List for Linked<I> {
    const NAME: &'static str = I::NAME;

    /// The tasks in the order of their numbers, which are their priorities; only the last is ready.
    fn new(tasks: u8) -> Self {
        let last = tasks.saturating_sub(1);
        let task = |number: u8| match number {
            END => Task { is_ready: true, priority: NOBODY, next: 0, previous: last },
            _ => Task {
                is_ready: number == last,
                priority: number,
                next: if number < last { number + 1 } else { END },
                previous: number.checked_sub(1).unwrap_or(END),
            },
        };
        let tasks = core::array::from_fn(|number| task(number as u8));
        Linked { tasks, highest: last, inheritance: PhantomData }
    }

    /// If the highest blocks, the next ready one is looked for behind it.
    #[inline(always)]
    fn block(&mut self, task: u8) {
        self.tasks.at_mut(task.into()).is_ready = false;
        if task != self.highest {
            return;
        }
        while !self.tasks.at(self.highest.into()).is_ready {
            self.highest = self.next(self.highest);
        }
    }

    #[inline(always)]
    fn unblock(&mut self, task: u8) {
        self.tasks.at_mut(task.into()).is_ready = true;
        if self.priority(task) < self.priority(self.highest) {
            self.highest = task;
        }
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        if self.highest == END { NOBODY } else { self.highest }
    }

    /// Who waits is the most urgent of those that run, so nobody who is ready is before the owner then.
    #[inline(always)]
    fn inherit(&mut self, owner: u8, waiter: u8) {
        I::inherit(self, owner, waiter);
        self.highest = owner;
    }

    #[inline(always)]
    fn restore(&mut self, owner: u8, waiter: u8) {
        I::restore(self, owner, waiter);
        self.highest = waiter;
    }
}

impl<I> Linked<I> {
    #[inline(always)]
    pub fn priority(&self, task: u8) -> u8 {
        self.tasks.at(task.into()).priority
    }

    /// Takes a task out, and puts it in again before the first that isn't more urgent than `priority`.
    #[inline(always)]
    pub fn move_to(&mut self, task: u8, priority: u8) {
        self.take_out(task);
        self.tasks.at_mut(task.into()).priority = priority;
        let mut next = self.next(END);
        while self.priority(next) < priority {
            next = self.next(next);
        }
        self.put_before(task, next);
    }

    /// Two tasks switch their places, and the priorities that belong to them.
    #[inline(always)]
    pub fn switch(&mut self, one: u8, other: u8) {
        let priorities = (self.priority(one), self.priority(other));
        (self.tasks.at_mut(other.into()).priority, self.tasks.at_mut(one.into()).priority) = priorities;
        let (behind_one, behind_other) = (self.next(one), self.next(other));
        self.take_out(one);
        self.take_out(other);
        if behind_one == other {
            self.put_before(other, behind_other);
            self.put_before(one, behind_other);
        } else if behind_other == one {
            self.put_before(one, behind_one);
            self.put_before(other, behind_one);
        } else {
            self.put_before(one, behind_other);
            self.put_before(other, behind_one);
        }
    }

    #[inline(always)]
    fn next(&self, task: u8) -> u8 {
        self.tasks.at(task.into()).next
    }

    #[inline(always)]
    fn take_out(&mut self, task: u8) {
        let Task { next, previous, .. } = *self.tasks.at(task.into());
        self.tasks.at_mut(previous.into()).next = next;
        self.tasks.at_mut(next.into()).previous = previous;
    }

    #[inline(always)]
    fn put_before(&mut self, task: u8, next: u8) {
        let previous = self.tasks.at(next.into()).previous;
        let row = self.tasks.at_mut(task.into());
        (row.next, row.previous) = (next, previous);
        self.tasks.at_mut(previous.into()).next = task;
        self.tasks.at_mut(next.into()).previous = task;
    }
}
