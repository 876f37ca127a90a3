//! Why a simulation can't begin or go on.

use std::error::Error;
use std::fmt;
use std::io;
use std::time::Duration;

use beryl_abi::Instant;

use crate::environment::Nanoseconds;
use crate::place::Place;

/// Why a simulation can't begin or go on. Faults of application code are not among these errors: the kernel
/// handles them and the trace tells.
#[derive(Debug)]
pub enum SimulationError {
    /// The system's memory is impossible as described.
    Memory(String),
    /// This machine refused stacks, signals or timers.
    Machine(io::Error),
    /// A thread's best case is longer than its worst case.
    Times {
        /// The thread.
        thread: &'static str,
    },
    /// The kernel gave the processor to a thread without code.
    NoCode {
        /// Its number.
        thread: usize,
    },
    /// A driver thread was asked for a function whose execution time isn't given.
    UnknownDriver {
        /// The driver thread.
        thread: &'static str,
        /// The function's number.
        function: u32,
    },
    /// A segment of application code doesn't end.
    Endless {
        /// The thread.
        thread: &'static str,
        /// When its segment began, in virtual time.
        instant: Instant,
        /// The processor time that it has used on this machine.
        limit: Duration,
        /// Where it was then.
        place: Option<Place>,
    },
    /// The environment was asked for the first interrupt after an instant, and its answer isn't after that
    /// instant.
    Interrupt {
        /// The instant that it was asked with.
        after: Nanoseconds,
        /// The instant that it named.
        instant: Nanoseconds,
    },
    /// Virtual time stands still: more happens at one instant than can be intended.
    Stuck {
        /// The thread that is running.
        thread: &'static str,
        /// The instant.
        instant: Instant,
    },
}

impl fmt::Display for SimulationError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SimulationError::Memory(reason) => write!(formatter, "the system's memory: {reason}"),
            SimulationError::Machine(error) => write!(formatter, "this machine can't run fibers: {error}"),
            SimulationError::Times { thread } => write!(
                formatter,
                "execution times of `{thread}`: the best case is longer than the worst case; exchange them"
            ),
            SimulationError::NoCode { thread } => write!(
                formatter,
                "thread {thread} was given the processor but has no code; add its entry to the thread list"
            ),
            SimulationError::UnknownDriver { thread, function } => write!(
                formatter,
                "driver thread `{thread}` has no execution times for function {function}; add a row for it"
            ),
            SimulationError::Endless { thread, instant, limit, .. } => write!(
                formatter,
                "`{thread}` used {limit:?} of processor time without an operation, in the segment that began at \
                 tick {}; it probably loops forever",
                instant.ticks()
            ),
            SimulationError::Interrupt { after, instant } => write!(
                formatter,
                "the environment was asked for the first interrupt after {} ns and named one at {} ns; let its \
                 `interrupts` answer a later instant",
                after.count(),
                instant.count()
            ),
            SimulationError::Stuck { thread, instant } => write!(
                formatter,
                "virtual time stands still at tick {} while `{thread}` runs; give its code an execution time or \
                 a `spend`",
                instant.ticks()
            ),
        }
    }
}

impl Error for SimulationError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let SimulationError::Machine(error) = self { Some(error) } else { None }
    }
}
