//! Constant rows of processes.

use beryl_abi::{Journal, Range, ThreadId};

/// A process's constant row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// The thread that runs its native drivers, or none.
    pub driver_thread: ThreadId,
    /// What a fault of one of its threads stops.
    pub on_fault: OnFault,
    /// The memory that its threads may hand to the kernel, besides their own stacks.
    pub memory: [Range; Process::RANGES],
    /// The journal of its threads.
    pub journal: Journal,
}

/// What a fault stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnFault {
    /// The whole process: threads that share memory with the faulty one can't be trusted.
    StopProcess,
    /// The faulty thread only.
    StopThread,
}

impl Process {
    /// A row that names no process.
    pub const NONE: Process = Process {
        driver_thread: ThreadId::NONE,
        on_fault: OnFault::StopProcess,
        memory: [Range::EMPTY; Process::RANGES],
        journal: Journal::NONE,
    };
    /// The most ranges of memory that a process may have.
    pub const RANGES: usize = 3;
}

/// The processes that may name an object: one bit each, the first process in the lowest.
pub type Processes = u32;
