//! The host machine: virtual time, fibers, environments.
//!
//! [`run`] lets the one kernel run a [`Simulation`] on one virtual processor. Application code runs
//! natively, each thread on a fiber of its own, in **segments**: from one operation (a system call,
//! `spend`, an access to the environment) to the next. When a segment has run natively, its
//! operation is held until the segment's virtual time has been granted; preemption falls there. The
//! kernel itself takes no virtual time. A run is a function of its inputs: the same simulation with
//! the same options gives the same trace, byte for byte.
//!
//! Which operations take time, and how much:
//!
//! - The time of a task's job, of a native driver, and of what a free thread does between two
//!   system calls is drawn from its bounds when it begins; see [`ExecutionTimes`].
//! - `spend(d)` takes `d` out of the drawn time, there and then. What is left of the drawn time is
//!   granted at the operation that ends the job: a task's `complete`, a driver's `driver_done`, any
//!   system call of a free thread, `stop`, or a fault. Spending more than was drawn is possible.
//! - Every other operation takes no time of its own.
//!
//! If a segment ends at the instant for which the alarm is set, it ends first, then the alarm goes
//! off (completed tasks, then triggers, then timeouts). At the end of the run nothing is done any
//! more: a run covers the instants before [`Options::until`].
//!
//! What isn't modelled: ordinary variables that threads share, interrupt lines, the target's stack
//! sizes (fibers have at least 256 KiB), and the borders between processes. A bad pointer is caught
//! where it leaves this program's memory, not where it enters a neighbour's.
//!
//! Invalid accesses, forbidden instructions, stack overflows and code that never comes back are
//! caught on Linux on x86_64 and aarch64; elsewhere they end the program as they always do. Panics
//! are caught everywhere inside `beryl_user::platform::contain`.
#![deny(unsafe_code)]

mod command;
mod context;
mod environment;
mod error;
#[expect(unsafe_code, reason = "the fiber host is where the simulator meets the machine it runs on")]
mod fiber;
mod machine;
mod processor;
mod simulation;
mod times;
mod trace;

pub use command::main;
pub use environment::{Access, Direction, Environment, Nanoseconds, Silent};
pub use error::SimulationError;
pub use simulation::{Memory, Options, Outcome, Simulation, ThreadCode, Tick, run};
pub use times::ExecutionTimes;
pub use trace::Counts;
