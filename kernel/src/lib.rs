//! The microkernel: a state machine without hardware, heap or clock.
//!
//! [`handle`] takes the [`State`], the constant tables ([`System`]) and one [`Event`], does one
//! bounded step, and answers with a [`Switch`]: who runs next, or `Again` if the step was one of
//! several. Everything that the kernel wants from the world goes through [`Machine`]. The
//! Cortex-M port, the simulator and the tests are its hosts; there is one kernel.
//!
//! | file | what it is about |
//! |---|---|
//! | `handle` | the one way in: an event, a step, a decision; and a shorter one for system calls |
//! | `calls` | system calls: decode, then perform |
//! | `bands` | the band list: who is the most urgent thread |
//! | `tree` | earliest key first: the structure of dynamic bands and of the trigger queue |
//! | `rings` | highest priority first: the structure of fixed bands |
//! | `jobs` | release, completion, deadlines, execution-time clock |
//! | `reactions` | the E machine: system code at logical instants |
//! | `drivers` | carrying out drivers, in the kernel or on a driver thread |
//! | `faults` | stopping what went wrong |
//! | `sizes` | how large the tables of a system are |
//! | `system` | the constant tables |
//! | `state` | everything that changes |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod bands;
mod calls;
mod drivers;
mod event;
#[cfg(test)]
mod explorer;
mod faults;
mod handle;
mod jobs;
mod reactions;
mod rings;
mod sizes;
mod state;
mod system;
mod tree;

pub use event::{Call, Event, Machine, Switch};
pub use handle::{handle, handle_call};
pub use reactions::Activity;
pub use sizes::{Sizes, Table};
pub use state::State;
/// Row types that [`sizes!`] needs and hosts don't.
pub mod row {
    pub use crate::state::{Levels, ProcessState, ProgramState, ThreadState};
    pub use crate::tree::Key;
    pub use beryl_abi::ThreadId;
}

/// Whether `number` is a power of two from two on: a tree has at least two leaves.
#[must_use]
pub const fn power_of_two_from_two(number: usize) -> bool {
    number >= 2 && number.is_power_of_two()
}

pub use system::{Band, Driver, DriverKind, OnFault, Policy, Process, Program, System, Thread, ThreadKind};
