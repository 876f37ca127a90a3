//! Constant rows of drivers.

use beryl_abi::{Duration, ProcessId, Range, ThreadId};

use crate::rows::threads::{Thread, ThreadKind};

/// A driver's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Driver {
    /// What it does.
    pub kind: DriverKind,
    /// The process whose ports it writes or whose code it runs.
    pub process: ProcessId,
    /// The task whose private ports it reads or writes, or none. Of the paper's matrix of tasks and drivers,
    /// logical execution time needs just this one entry of a driver's row.
    pub task: ThreadId,
    /// The other tasks of that row, if any. A driver that touches ports of more tasks has to be split.
    pub others: [ThreadId; 2],
    /// Where the value comes from.
    pub from: u32,
    /// Where it goes.
    pub to: u32,
    /// Its length in bytes; whole words are copied.
    pub length: u32,
    /// Whether it copies one word, of the one process of its only task: then it may be carried out as soon as
    /// that task is dormant. Filled in by [`Driver::noted`].
    pub is_own_word: bool,
}

/// What a driver does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DriverKind {
    /// The kernel copies `from` to `to`. If its task violates time safety the copy is left out: what the task
    /// was working on isn't published.
    Copy,
    /// A copy of the inputs of a task's next job. The job gets them in any case.
    Input,
    /// The kernel writes the instant that lies so much ahead to `to`, the low word first: from then on the outputs
    /// count that a job released now will have. Only in kernels with links.
    Ahead {
        /// How far.
        by: Duration,
    },
    /// The kernel copies what counts at this instant of the link at `from`, if anything does, to `to`. Only in
    /// kernels with links; see [`beryl_abi::link`].
    Arrival,
    /// Runs a native function that fills `from` in its process; the kernel then copies it to `to`.
    Getter {
        /// Its number in the process.
        function: u8,
        /// A bit of its own if several programs read the sensor: then it's read once an instant. Otherwise
        /// zero.
        shared: u32,
        /// The processor time it may use.
        budget: Duration,
    },
    /// The kernel copies `from` to `to` in its process, then runs a native function on it.
    Setter {
        /// Its number in the process.
        function: u8,
        /// The processor time it may use.
        budget: Duration,
    },
    /// Runs a native function on `from`; its verdict decides the next branch.
    Guard {
        /// Its number in the process.
        function: u8,
        /// The processor time it may use.
        budget: Duration,
    },
}

impl DriverKind {
    /// Whether it has to do with other kernels.
    #[must_use]
    pub const fn is_link(self) -> bool {
        matches!(self, DriverKind::Ahead { .. } | DriverKind::Arrival)
    }

    /// Whether the kernel makes a copy, and nothing else.
    #[must_use]
    pub const fn is_copy(self) -> bool {
        matches!(self, DriverKind::Copy | DriverKind::Input)
    }
}

impl Driver {
    /// A row that names no driver.
    pub const NONE: Driver = Driver {
        kind: DriverKind::Copy,
        process: ProcessId(0),
        task: ThreadId::NONE,
        others: [ThreadId::NONE; 2],
        from: 0,
        to: 0,
        length: 0,
        is_own_word: false,
    };

    /// These rows with the facts filled in that follow from them and the threads.
    #[must_use]
    pub const fn noted<const N: usize>(mut rows: [Driver; N], threads: &[Thread]) -> [Driver; N] {
        let mut index = 0;
        // bound: the length of the table
        while index < N {
            rows[index].is_own_word = rows[index].copies_own_word(threads);
            index += 1;
        }
        rows
    }

    pub(crate) const fn copies_own_word(&self, threads: &[Thread]) -> bool {
        let [one, other] = self.others;
        let is_alone = !one.is_some() && !other.is_some();
        let is_word = self.kind.is_copy() && 0 < self.length && self.length <= 4;
        if !is_word || !is_alone || self.task.index() >= threads.len() {
            return false;
        }
        let task = &threads[self.task.index()];
        matches!(task.kind, ThreadKind::Task) && task.process.0 == self.process.0
    }

    /// The processor time that its native function may use.
    #[must_use]
    pub const fn budget(&self) -> Duration {
        match self.kind {
            DriverKind::Copy | DriverKind::Input | DriverKind::Ahead { .. } | DriverKind::Arrival => {
                Duration::ZERO
            }
            DriverKind::Getter { budget, .. }
            | DriverKind::Setter { budget, .. }
            | DriverKind::Guard { budget, .. } => budget,
        }
    }

    /// The memory that holds the value after the driver has run.
    #[must_use]
    pub const fn value(&self) -> Range {
        Range::new(self.to, self.length)
    }
}
