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

    /// First those that ran, in their order; then each of the others before the first one that is due later.
    /// Returns how many there are.
    pub fn in_order(&self, ran: impl Iterator<Item = ThreadId>) -> ([ThreadId; MOST], usize) {
        let mut order: [Option<Job>; MOST] = [None; MOST];
        let mut count = 0;
        let is_in =
            |order: &[Option<Job>; MOST], task: ThreadId| order.iter().flatten().any(|job| job.task == task);
        for task in ran {
            let job = self.rows.iter().flatten().find(|job| job.task == task);
            if let (Some(job), false) = (job, is_in(&order, task)) {
                insert(&mut order, count, *job);
                count += 1;
            }
        }
        for job in self.rows.iter().flatten() {
            if !is_in(&order, job.task) {
                let later = order.iter().position(|other| other.is_none_or(|other| other.due > job.due));
                insert(&mut order, later.unwrap_or(count), *job);
                count += 1;
            }
        }
        (order.map(|job| job.map_or(ThreadId::NONE, |job| job.task)), count)
    }
}

/// Inserts a job at a position; those from there on move by one.
fn insert(order: &mut [Option<Job>; MOST], place: usize, job: Job) {
    if let Some(rest) = order.get_mut(place..) {
        rest.rotate_right(1);
        if let Some(first) = rest.first_mut() {
            *first = Some(job);
        }
    }
}
