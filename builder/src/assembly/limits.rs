//! How large a system is, as far as the length of kernel steps depends on it. The names in the kernel's `// bound:`
//! comments stand for these numbers.

use beryl_kernel::MOST_LOOKS;

use super::{Assembly, Policy};

/// The names and their values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extents {
    /// Levels of the deepest tree: of the trigger queue, or of the timer queue, which has room for all threads.
    pub levels: u32,
    /// How many places of a dynamic band a step looks at, from either end, to find where another one belongs.
    pub looks: u32,
    /// Rows of the tables of what a thread can wait for and lend its place: semaphores and endpoints.
    pub locks: u32,
    /// The most threads that can wait for one object.
    pub waiters: u32,
    /// The most threads that can be preempted while they hold a ceiling lock.
    pub raised: u32,
    /// Rows of the table of interrupts.
    pub interrupts: u32,
}

impl Assembly {
    /// How large the system is.
    #[must_use]
    pub fn limits(&self) -> Extents {
        let objects = &self.objects;
        let raised = self.threads.iter().filter(|thread| thread.highest_ceiling > 0).count();
        Extents {
            levels: self.levels(),
            looks: self.most_members().div_ceil(2).min(MOST_LOOKS as u32),
            locks: count(rows_for(objects.semaphores.len()) + rows_for(objects.endpoints.len())),
            waiters: if objects.queues() > 0 { MOST_WAITERS } else { 1 },
            raised: count(raised.max(1)),
            interrupts: count(rows_for(objects.interrupts.len())),
        }
    }

    /// The most steps that it takes to sort a place in among many, not counting the one in which it comes.
    #[must_use]
    pub fn sorting_steps(&self) -> u64 {
        u64::from(self.most_members().saturating_sub(2)) / (2 * MOST_LOOKS as u64)
    }

    /// The most members of a dynamic band.
    fn most_members(&self) -> u32 {
        let slots = self.bands.iter().map(|band| match band.policy {
            Policy::Dynamic { leaves, .. } => u32::from(leaves),
            Policy::Fixed | Policy::Code { .. } => 0,
        });
        slots.max().unwrap_or(0)
    }

    fn levels(&self) -> u32 {
        let levels = |rows: usize| rows.next_power_of_two().max(2).ilog2();
        levels(self.programs() + self.schedules()).max(levels(self.threads.len()).max(levels(self.timers())))
    }

    /// How many places of the timer queue are used.
    fn timers(&self) -> usize {
        let others = [self.objects.gates.len(), self.watchdogs.len()];
        let others: usize = others.into_iter().filter(|count| *count > 0).map(rows_for).sum();
        let others = others + usize::from(self.has_partitions());
        if others > 0 { rows_for(self.threads.len()) + others } else { self.threads.len() }
    }
}

/// The description refuses objects for which more threads can wait.
const MOST_WAITERS: u32 = 16;

/// How long to make a table of so many rows, at least one: a power of two as long as a byte can number
/// its rows.
#[must_use]
pub fn rows_for(rows: usize) -> usize {
    if rows > 128 { rows } else { rows.max(1).next_power_of_two() }
}

fn count(rows: usize) -> u32 {
    u32::try_from(rows).unwrap_or(u32::MAX)
}
