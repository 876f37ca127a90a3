//! What is being stopped, and how far that has come.

use beryl_abi::{ProcessId, ThreadId};

/// How many rows of threads, or objects, a step looks at until it finds one that it is about.
pub const STOP_LOOKS: usize = 4;

/// What is being stopped, and how far that has come.
// Aligned to words, so that the compiler moves it by words and not by a library routine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(align(4))]
pub(crate) struct Stopping {
    /// What is left to be stopped.
    pub scope: Scope,
    /// The thread that is being cleared away, and what comes next: 0 is its registers, then come the objects
    /// that it may hold, semaphores first, then endpoints.
    pub cleaning: Option<(ThreadId, u16)>,
}

/// What is to be stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    /// Nothing any more.
    Nobody,
    /// One thread.
    Thread(ThreadId),
    /// A task's job: the task itself goes on with its next one.
    Job(ThreadId),
    /// All threads of a process, one each step; `next` is the first that hasn't been looked at.
    Process {
        /// The process.
        process: ProcessId,
        /// The next thread.
        next: ThreadId,
    },
}

impl Stopping {
    /// Stops all of `scope`.
    pub const fn of(scope: Scope) -> Stopping {
        Stopping { scope, cleaning: None }
    }
}
