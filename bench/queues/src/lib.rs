//! Ready queues behind one interface, so that what they cost can be compared: the three of the
//! EMERALDS paper (section 5.1, Table 3), the tables of TDL's scheduler, and the three of Beryl's kernel.
//!
//! | file | structure | decides by |
//! |---|---|---|
//! | `unsorted` | the paper's list of all tasks, in no order, with a count of the ready ones | earliest deadline |
//! | `sorted` | the paper's list of all tasks by priority, with one pointer to the highest ready | highest priority |
//! | `heap` | the paper's sorted heap of the ready tasks | highest priority |
//! | `dispatch_tables` | a table of each module's tasks, made before the run, with bits for the active ones | earliest deadline of a table |
//! | `tree` | the kernel's winner tree: timers and triggers | earliest deadline |
//! | `by_deadline` | the kernel's ring in the order of deadlines: dynamic bands | earliest deadline |
//! | `rings` | the kernel's rings, 32 priorities: fixed bands | highest priority, first come first served |
//!
//! And the paper's semaphores (section 6, Figures 14 and 15), `contention`, on its lists with inheritance:
//! `moving`, `switching`, `due`.
//!
//! The terms are the same for all: tables of [`TASKS`] rows that are read without a panic, instants of
//! 64 bits for deadlines, numbers of a byte for tasks, any ready task may block (not only the
//! one that runs: threads are stopped by others, too).
#![no_std]
#![forbid(unsafe_code)]

mod by_deadline;
pub mod contention;
mod dispatch_tables;
mod due;
mod heap;
mod linked;
mod moving;
mod rings;
mod sorted;
mod switching;
mod tree;
mod unsorted;

use beryl_abi::Instant;

// The kernel's structures: its own source, to which links lead, not a copy. They aren't part of its interface, and compiled
// here they are on the same terms as the others.
#[allow(dead_code, reason = "the kernel needs more of it")]
mod kernel_rings;
#[allow(dead_code, reason = "the kernel needs more of it")]
mod kernel_tree;

/// What the kernel's source refers to.
mod table {
    pub use beryl_kernel::Table;

    /// What memory holds before the start, which nobody asks for here.
    #[allow(dead_code, reason = "the kernel needs it")]
    pub trait Blank {
        const BLANK: Self;
    }
}

/// What the kernel's source refers to.
mod scheduling {
    pub mod thread {
        use beryl_abi::ThreadId;

        /// The part of a thread's state that rings need.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct ThreadState {
            pub next: ThreadId,
            pub previous: ThreadId,
        }
    }
}

pub use by_deadline::RingByDeadline;
pub use dispatch_tables::DispatchTables;
pub use due::Due;
pub use heap::Heap;
pub use moving::Moving;
pub use rings::Rings;
pub use sorted::SortedList;
pub use switching::Switching;
pub use tree::WinnerTree;
pub use unsorted::UnsortedList;

/// Rows of every table: a power of two.
pub const TASKS: usize = 128;
/// In place of a task: none.
pub const NOBODY: u8 = u8::MAX;

/// A ready queue of tasks with the numbers 0 to n - 1. Where priorities decide, smaller numbers are
/// more urgent.
pub trait Queue: Sized {
    /// Its name in results.
    const NAME: &'static str;

    /// A queue of `tasks` tasks (1 to [`TASKS`]), all of them blocked.
    fn new(tasks: u8) -> Self;

    /// A ready task blocks.
    fn block(&mut self, task: u8);

    /// A blocked task becomes ready; `deadline` counts where deadlines decide.
    fn unblock(&mut self, task: u8, deadline: Instant);

    /// The task that should run; [`NOBODY`] if none is ready.
    fn select(&self) -> u8;
}
