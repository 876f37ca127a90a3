//! The kernel of one system on one machine, and the outcomes of its operations.

use beryl_abi::{CallError, ThreadId};

use crate::event::Machine;
use crate::sizes::Sizes;
use crate::state::State;

/// The kernel of one system on one machine: everything that changes, and the door to the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Kernel<S: Sizes, M> {
    /// The door to the world, which also knows the constant tables. It keeps little, so that both are near.
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
    /// A decision that can't fall on the running thread, which isn't ready any more. Its place isn't in its
    /// band, or leaves it in a later step.
    Leave,
    /// The running thread sleeps. It ran in its own place, which leaves its band, and the next thread runs.
    Sleep,
    /// As `Sleep`, where the processor's time is charged already.
    Rest,
    /// The processor goes to this thread, whose place is the first. It may have it already.
    Pass(ThreadId),
    /// As `Pass`, to another thread, where the processor's time is charged already.
    Run(ThreadId),
    /// This thread slept, and its event has happened: it wakes, and a decision follows.
    Wake(ThreadId),
    /// The running thread waits for a lock; this thread stands at the end of the chain of its owners.
    Lend(ThreadId),
}

/// The outcome of an operation: what follows it, or why it is refused. A refused operation has changed
/// nothing.
pub(crate) type Outcome = Result<Next, CallError>;

/// The outcome of an attempt that may have to wait: what follows, or nothing if the caller has to wait.
pub(crate) type Tried = Result<Option<Next>, CallError>;

impl<S: Sizes, M: Machine<S>> Kernel<S, M> {
    /// The kernel of the machine's system in its initial state.
    #[must_use]
    pub fn new(machine: M) -> Kernel<S, M> {
        Kernel { state: State::new(machine.system()), machine }
    }
}
