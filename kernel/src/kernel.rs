//! The kernel of one system on one machine, and what comes of what it does.

use beryl_abi::{CallError, ThreadId};

use crate::event::Machine;
use crate::sizes::Sizes;
use crate::state::State;

/// The kernel of one system on one machine: everything that changes, and the door to the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Kernel<S: Sizes, M> {
    /// The door, which knows the constant tables, too. What it keeps is small, so that both are near.
    pub machine: M,
    /// Everything that changes.
    pub state: State<S>,
}

/// What follows a step.
#[must_use = "who runs next depends on it"]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Nothing has changed that could make another thread run.
    Stay,
    /// Another step.
    Again,
    /// A decision.
    Decide,
    /// A decision that can't be for the running thread, which isn't ready any more. Its place isn't in its band, or leaves it in a step of its own.
    Leave,
    /// The running thread sleeps. Its own place, in which it ran, leaves its band, and the next one runs.
    Sleep,
    /// The same, where the processor's time is charged already.
    Rest,
    /// The processor goes to this thread, whose place is the first; it may be the one that has it.
    Pass(ThreadId),
    /// The same of another thread, where the processor's time is charged already.
    Run(ThreadId),
    /// What this thread slept for has happened: it wakes, and a decision follows.
    Wake(ThreadId),
    /// The running thread waits for a lock; at the end of the chain of its owners stands this thread.
    Lend(ThreadId),
}

/// What an operation comes to: what follows it, or why it is refused. Then nothing has changed.
pub(crate) type Outcome = Result<Next, CallError>;

/// What comes of trying to do at once what may have to be waited for: what follows, or nothing if the caller has to wait.
pub(crate) type Tried = Result<Option<Next>, CallError>;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The kernel of the machine's system in the state in which it starts.
    #[must_use]
    pub fn new(machine: M) -> Kernel<S, M> {
        Kernel { state: State::new(machine.system()), machine }
    }
}
