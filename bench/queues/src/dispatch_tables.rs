//! The dispatch tables of TDL's scheduler (Farcas, Pree; OSPERT 2007, section 4.1): for each module a table of its tasks by
//! deadline, made before the run, and bits that say which of them are active.
//!
//! ```text
//!                 entries of a module, by deadline      the first active one of each
//!   module 0      . . A . A      from its start on      --->  2
//!   module 1      . . . . .                             --->  none            the earliest of these
//!   module 2      A . . . .                             --->  0
//! ```
//!
//! The paper walks each table from an index that it moves on as time passes. Here the bits are asked for the first one, which takes
//! the same time wherever that is. Modules have [`ENTRIES`] tasks.

use beryl_abi::{Duration, Instant};
use beryl_kernel::Table;

use crate::{NOBODY, Queue, TASKS};

/// The tasks of a module.
pub const ENTRIES: u8 = 5;
/// From an entry's deadline to the next one's, and from a module's to the next one's.
const APART: u32 = 1_000;

/// The tables of all modules, and who is active.
pub struct DispatchTables {
    modules: [Module; TASKS],
    /// The entries of one module behind those of another: each task's deadline, in ticks from its module's start.
    deadlines: [u32; TASKS],
    count: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Module {
    /// When its period began.
    start: Instant,
    /// A bit for each entry whose task is active.
    active: u32,
}

impl DispatchTables {
    /// The module of a task, and its entry there.
    #[inline(always)]
    const fn place(task: u8) -> (u8, u8) {
        (task / ENTRIES, task % ENTRIES)
    }

    /// What decides about a task: its deadline.
    #[must_use]
    pub const fn deadline(task: u8, tasks: u8) -> u64 {
        let (module, entry) = DispatchTables::place(task);
        entry as u64 * APART as u64 * tasks.div_ceil(ENTRIES) as u64 + module as u64 * APART as u64
    }
}

impl Queue for DispatchTables {
    const NAME: &'static str = "dispatch-tables";

    fn new(tasks: u8) -> DispatchTables {
        let mut tables = DispatchTables {
            modules: [Module { start: Instant::START, active: 0 }; TASKS],
            deadlines: [0; TASKS],
            count: tasks.div_ceil(ENTRIES),
        };
        for task in 0..tasks {
            *tables.deadlines.at_mut(task.into()) = DispatchTables::deadline(task, tasks) as u32;
        }
        tables
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        let (module, entry) = DispatchTables::place(task);
        self.modules.at_mut(module.into()).active &= !(1 << entry);
    }

    /// Its deadline is in its module's table.
    #[inline(always)]
    fn unblock(&mut self, task: u8, _deadline: Instant) {
        let (module, entry) = DispatchTables::place(task);
        self.modules.at_mut(module.into()).active |= 1 << entry;
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        let (mut first, mut earliest) = (NOBODY, Instant::NEVER);
        let mut begin = 0_u8;
        // bound: the modules
        for module in self.modules.iter().take(self.count.into()) {
            if module.active != 0 {
                let task = begin + module.active.trailing_zeros() as u8;
                let own = Duration::from_ticks((*self.deadlines.at(task.into())).into());
                let deadline = module.start.after(own);
                if deadline < earliest {
                    (first, earliest) = (task, deadline);
                }
            }
            begin += ENTRIES;
        }
        first
    }
}
