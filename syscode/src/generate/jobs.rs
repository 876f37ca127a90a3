//! The jobs that may be at work in a stretch of a recorded period, and the order in which they are to run.

use beryl_abi::ThreadId;

use super::Unwritten;

/// The most such jobs at one time.
pub(super) const MOST: usize = 32;

/// A task's job.
#[derive(Clone, Copy)]
struct Job {
    task: ThreadId,
    /// When it is due, from the period's beginning.
    due: u32,
}

/// The jobs that are released and not yet due.
pub(super) struct Jobs {
    rows: [Option<Job>; MOST],
    were_any: bool,
}

impl Jobs {
    /// Before the first release.
    pub const NONE: Jobs = Jobs { rows: [None; MOST], were_any: false };

    /// Whether there was ever a job.
    pub fn were_any(&self) -> bool {
        self.were_any
    }

    /// Jobs that are due at an instant are done.
    pub fn forget(&mut self, at: u32) {
        for row in &mut self.rows {
            if row.is_some_and(|job| job.due <= at) {
                *row = None;
            }
        }
    }

    /// A task is released.
    pub fn add(&mut self, task: ThreadId, due: u32) -> Result<(), Unwritten> {
        self.were_any = true;
        let own = self.rows.iter().position(|row| row.is_some_and(|job| job.task == task));
        let free = || self.rows.iter().position(Option::is_none);
        let place = own.or_else(free).ok_or(Unwritten::Jobs)?;
        if let Some(row) = self.rows.get_mut(place) {
            *row = Some(Job { task, due });
        }
        Ok(())
    }

    /// Whether a task is among them.
    pub fn has(&self, task: ThreadId) -> bool {
        self.rows.iter().flatten().any(|job| job.task == task)
    }

    /// First those that ran, in their order; then each of the others before the first one that is due later.
    pub fn in_order(&self, ran: impl Iterator<Item = ThreadId>) -> Order {
        let mut order = Order::NONE;
        for task in ran {
            if self.has(task) {
                order.add(task);
            }
        }
        for job in self.rows.iter().flatten() {
            if !order.tasks().contains(&job.task) {
                let is_later = |other: &ThreadId| self.due(*other) > job.due;
                let place = order.tasks().iter().position(is_later);
                order.insert(place.unwrap_or(order.count), job.task);
            }
        }
        order
    }

    /// When a task's job is due.
    fn due(&self, task: ThreadId) -> u32 {
        self.rows.iter().flatten().find(|job| job.task == task).map_or(u32::MAX, |job| job.due)
    }
}

/// Tasks in an order, each once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Order {
    tasks: [ThreadId; MOST],
    count: usize,
}

impl Order {
    pub const NONE: Order = Order { tasks: [ThreadId::NONE; MOST], count: 0 };

    pub fn tasks(&self) -> &[ThreadId] {
        self.tasks.get(..self.count).unwrap_or_default()
    }

    /// Those of before first, in the order of before; then the others.
    pub fn behind(&self, before: &Order) -> Order {
        let mut order = *before;
        self.tasks().iter().for_each(|task| order.add(*task));
        order
    }

    /// Only tasks of which something holds.
    pub fn retain(&mut self, holds: impl Fn(ThreadId) -> bool) {
        let mut rest = Order::NONE;
        self.tasks().iter().filter(|task| holds(**task)).for_each(|task| rest.add(*task));
        *self = rest;
    }

    /// At the end, unless it is there already.
    fn add(&mut self, task: ThreadId) {
        if !self.tasks().contains(&task) {
            self.insert(self.count, task);
        }
    }

    /// At a position; those from there on move by one.
    fn insert(&mut self, place: usize, task: ThreadId) {
        if let Some(rest) = self.tasks.get_mut(place..) {
            rest.rotate_right(1);
            if let Some(first) = rest.first_mut() {
                *first = task;
                self.count = MOST.min(self.count + 1);
            }
        }
    }
}
