//! The host machine: virtual time, fibers, environments.
//!
//! [`run`] lets the one kernel run a [`Simulation`] on one virtual processor. Application code runs natively,
//! each thread on a fiber of its own, in **segments**: from one operation to the next. An operation is a
//! system call, `spend`, an access to the environment or the console, or a **point**: the user library has
//! one before each access to memory that threads share. When a segment has run natively, its operation is
//! held until the segment's virtual time has been granted; preemption happens at that point. The kernel
//! itself takes no virtual time, or up to the proof's charge for each of its steps ([`Costs`]). A run is a
//! function of its inputs: the same simulation with the same options gives the same trace, byte for byte.
//!
//! Which operations take time, and how much:
//!
//! - The time of a job (of a task, or of a periodic thread), of a native driver, and of what a free thread
//!   does between two system calls is drawn from its bounds when it begins; see [`ExecutionTimes`].
//! - `spend(d)` takes `d` out of the drawn time, there and then. The rest of the drawn time is granted at the
//!   operation that ends the job: a task's `complete`, a periodic thread's wait for its next period, a
//!   driver's `driver_done`, any system call of a free thread, `stop`, or a fault. Spending more than was
//!   drawn is possible. Time spent waiting is not part of a job's time.
//! - With random times a random part of the drawn time is granted at each point, so that preemption falls
//!   between any two accesses.
//! - Every other operation takes no time of its own.
//!
//! At one instant the order is: the end of the running segment, the alarm (completed tasks, then triggers,
//! then timeouts), interrupts, the lowest line first. Code whose time was granted up to this instant by
//! `spend` first goes on to its next operation. After a system call, a point, or a byte for the console
//! device, what is due comes before the code goes on. At the end of the run nothing more is done: a run
//! covers the instants before [`Options::until`].
//!
//! Interrupt lines are masked until the kernel unmasks them; a line that is raised meanwhile stays pending,
//! and one that its device holds up comes again ([`Environment::level`]). Lines are raised by the environment
//! ([`Environment::interrupts`]) and by the console device, which raises line 1 when it has sent a byte: ten
//! bits at 115,200 a second. It never refuses a byte; bytes that come while it sends another are queued. Its
//! receiver holds one byte and raises line 0 when one has come from the [`Peer`] at the other end; a byte
//! that isn't fetched in time is lost.
//!
//! What isn't modelled: ordinary variables that threads share, the target's stack sizes (fibers have at
//! least 256 KiB), and the borders between processes. A bad pointer is caught where it leaves this program's
//! memory, not where it enters a neighbour's; if the options ask for it, also where it enters another
//! thread's stack.
//!
//! Invalid accesses, forbidden instructions, stack overflows and code that never returns are caught on Linux
//! on x86_64 and aarch64; elsewhere they end the program as they always do. Panics are caught everywhere
//! inside `beryl_user::platform::contain`.
#![deny(unsafe_code)]

mod bus;
mod calls;
mod chances;
mod clocks;
mod command;
mod console;
mod context;
mod corruption;
mod costs;
mod devices;
mod doorbells;
mod environment;
mod error;
mod explore;
mod fault_injection;
#[expect(unsafe_code, reason = "the fiber host is where the simulator meets the machine it runs on")]
mod fiber;
mod fingerprint;
mod history;
mod hostile;
mod input;
mod lines;
mod losses;
mod machine;
pub mod nodes;
mod peer;
mod piped;
mod place;
#[cfg(unix)]
pub mod plugged;
mod processor;
mod rewired;
mod scenario;
mod shared;
mod signals;
mod simulation;
mod times;
mod trace;
mod world;

pub use beryl_kernel::Charges;
pub use bus::{Frame, FrameCounts, Link, Schedule};
pub use calls::Calls;
pub use clocks::{Clocks, Keeping};
pub use command::main;
pub use console::{ConsoleLines, Printed};
pub use costs::Costs;
pub use doorbells::Doorbell;
pub use environment::{Access, Direction, Environment, Nanoseconds, Silent};
pub use error::SimulationError;
pub use explore::{Explored, Known, explore};
pub use fault_injection::{Harm, What};
pub use hostile::{Hostile, Misdeed, Misdeeds};
pub use peer::{Nobody, Peer, Script};
pub use place::{Place, Placed};
pub use rewired::Rewired;
pub use scenario::{Choice, Past, Scenario};
pub use signals::{Signals, Table, TableError};
pub use simulation::{Memory, Options, Outcome, Simulation, ThreadCode, Tick, run, run_planned, run_with};
pub use times::ExecutionTimes;
pub use trace::{Counts, Stop};
pub use world::World;
