//! The microkernel: a state machine without hardware, heap or clock.
//!
//! [`Kernel::handle`] takes one [`Event`], does one bounded step on the [`State`], and answers with a
//! [`Switch`]: who runs next, or `Again` if the step was one of several. Everything that the kernel
//! wants from the world goes through [`Machine`], the constant tables ([`System`]) included. The
//! Cortex-M port, the simulator and the tests are its hosts; there is one kernel.
//!
//! | file | what it is about |
//! |---|---|
//! | `handle` | the one way in: an event, a step, a decision; and a shorter one for system calls |
//! | `decisions` | who runs after a step |
//! | `calls` | system calls: decode, then perform |
//! | `chores` | what is left over from a step and done in steps of its own |
//! | `bands` | the band list: which place is the most urgent |
//! | `lending` | how who waits for a lock makes its owner as urgent as itself |
//! | `ceilings` | urgency that user code raises and lowers without the kernel |
//! | `tree` | earliest key first: the structure of dynamic bands and of the trigger queue |
//! | `rings` | highest priority first: the structure of fixed bands |
//! | `queues` | who waits for an object, the most urgent first |
//! | `timers` | the timer queue: releases and ends of waits |
//! | `waits` | going to sleep, waking, and waiting no longer than a while |
//! | `jobs` | tasks: release, completion, deadlines, execution-time clock |
//! | `periods` | periodic threads |
//! | `semaphores` | binary ones with owner and inheritance, counting ones with neither |
//! | `promises` | the semaphore that a waiting call names, taken as soon as the wait is over |
//! | `conditions` | condition variables, with both kinds of lock |
//! | `mailboxes` | bounded queues of messages |
//! | `endpoints` | synchronous calls of a server |
//! | `notifications` | bits of threads, set by others and by interrupts |
//! | `state_messages` | the slow way to read one |
//! | `schedules` | the S machine: system code that says which task runs |
//! | `successors` | from a completed task straight to the one that is dispatched next |
//! | `rank` | where a place stands among those of all bands |
//! | `programs` | where a program's text lies |
//! | `texts` | where the parts of a program in a room are |
//! | `slots` | programs that arrive while the system runs |
//! | `reactions` | the E machine: system code at logical instants |
//! | `turns` | the order of one program's triggers |
//! | `watches` | triggers on anything but time |
//! | `exceptions` | what a program does about violations |
//! | `drivers` | carrying out drivers, in the kernel or on a driver thread |
//! | `sensors` | which were read at this instant, of those that several programs read |
//! | `faults` | stopping what went wrong |
//! | `tracing` | triggers: where the kernel tells what happens |
//! | `trace_buffer` | what is told on a target, until somebody reads it |
//! | `sizes` | how large the tables of a system are |
//! | `system` | the constant tables |
//! | `state` | everything that changes |
//! | `beginning` | how all of that comes to be in a host's memory |
//! | `essence` | what of it decides how the system goes on |
//! | `charges` | kinds of steps, and what proofs and hosts charge for each |
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod bands;
mod beginning;
mod calls;
mod ceilings;
mod charges;
mod chores;
mod conditions;
mod decisions;
mod drivers;
mod endpoints;
mod essence;
mod event;
mod exceptions;
#[cfg(test)]
mod explorer;
mod faults;
mod handle;
mod instructions;
mod jobs;
mod lending;
mod mailboxes;
mod notifications;
mod periods;
mod programs;
mod promises;
mod queues;
mod rank;
mod reactions;
mod recordings;
mod rings;
mod runs;
mod schedules;
mod semaphores;
mod sensors;
mod sizes;
mod slots;
mod state;
mod state_messages;
mod successors;
mod system;
mod takeovers;
mod texts;
mod timers;
mod trace_buffer;
mod tracing;
mod tree;
mod turns;
mod waits;
mod watches;

pub use beginning::Memory;
pub use charges::{Charges, StepKind};
pub use event::{Call, Event, Machine, Switch};
pub use handle::Kernel;
pub use rank::Rank;
pub use reactions::Activity;
pub use sizes::{Sizes, Table};
pub use state::State;
/// Row types that [`sizes!`] needs and hosts don't.
pub mod row {
    pub use crate::queues::Queue;
    pub use crate::schedules::{ScheduleId, ScheduleState};
    pub use crate::slots::ProgramSlotState;
    pub use crate::state::{
        EndpointState, MailboxState, ProcessState, ProgramState, SemaphoreState, ThreadState,
    };
    pub use crate::trace_buffer::Kept;
    pub use crate::tree::Key;
    pub use crate::turns::TriggerState;
    pub use crate::watches::WatchState;
    pub use beryl_abi::{Moment, ThreadId};
    pub use beryl_syscode::Condition as Until;
    pub use beryl_syscode::PortId;
    pub use beryl_syscode::check::Rights;
    pub use beryl_syscode::check::admission::Terms;
    pub use beryl_syscode::check::time;
    pub use beryl_syscode::check::weight::Costs;
}

/// Whether `number` is a power of two from two on: a tree has at least two leaves.
#[must_use]
pub const fn power_of_two_from_two(number: usize) -> bool {
    number >= 2 && number.is_power_of_two()
}

/// Whether so many things of two kinds have room in a table.
#[must_use]
pub const fn fit_together(one: usize, other: usize, room: usize) -> bool {
    one <= room && other <= room - one
}

/// How many triggers there may be: one a program, where nothing else is said.
#[must_use]
pub const fn places_for(programs: usize, places: usize) -> usize {
    if places == 0 { programs } else { places }
}

/// The leaves of a tree that has a slot for each of `number` threads.
#[must_use]
pub const fn leaves_for(number: usize) -> usize {
    if number < 2 { 2 } else { number.next_power_of_two() }
}

pub use system::{
    Band, Condition, Driver, DriverKind, Endpoint, Interrupt, Mailbox, Notification, OnFault, Place, Policy,
    Port, Process, Processes, Program, ProgramSlot, Semaphore, SemaphoreKind, StateMessage, System, Thread,
    ThreadKind,
};
