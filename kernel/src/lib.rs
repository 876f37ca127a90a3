//! The microkernel: a state machine without hardware, heap or clock.
//!
//! [`Kernel::handle`] takes one [`Event`], does one bounded step on the [`State`], and answers with a
//! [`Switch`]: who runs next, or `Again` if the step was one of several. Everything that the kernel wants
//! from the world goes through [`Machine`], including the constant tables ([`System`]). The Cortex-M port,
//! the simulator and the tests are its hosts; there is one kernel.
//!
//! | file or folder | what it is about |
//! |---|---|
//! | `handle` | the one way in: an event, a step, a decision |
//! | `ways`, `exits` | each operation once, compiled twice; how a step is left by each |
//! | `kernel` | the kernel's two parts, and what comes of an operation |
//! | `event` | what reaches the kernel, what it answers, and its door to the world |
//! | `calls` | system calls: decode, then perform; a file for each kind of object |
//! | `objects` | the state of what threads share, and its verbs, which know no kernel |
//! | `scheduling` | threads and their places: bands, queues of time, lending, ceilings, jobs, decisions, deferred work, stopping |
//! | `machine` | the E machine and the S machine: system code at logical instants |
//! | `arriving` | programs that arrive while the system runs |
//! | `tracing` | where the kernel tells what happens, the buffer for it, and crash records |
//! | `rows`, `system` | the constant tables |
//! | `sizes`, `table` | how large the tables are, and how they are read without a panic |
//! | `state` | everything that changes |
//! | `initial_state` | how all of that comes to be in a host's memory |
//! | `canonical` | what of it decides how the system goes on |
//! | `charges` | kinds of steps, and what proofs and hosts charge for each |
//!
//! The modules have no cyclic dependencies (`no_module_of_the_kernel_uses_one_that_uses_it`). Rows and states
//! of single things are at the bottom; above them come the sizes of tables, then the state of a system, then
//! the kernel, and on top the operations, side by side.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(test)]
extern crate std;

mod arguments;
mod arriving;
mod calls;
mod canonical;
mod charges;
mod clients;
mod doors;
mod event;
mod exits;
#[cfg(test)]
mod explorer;
mod handle;
mod initial_state;
mod kernel;
mod machine;
mod objects;
mod parts;
mod rows;
mod scheduling;
mod sizes;
mod state;
mod system;
mod table;
mod tracing;
mod ways;

pub use charges::{Charges, StepKind};
pub use clients::{client, clients};
pub use doors::{door, doors};
pub use event::{Call, Event, Machine, Switch};
pub use exits::Exit;
pub use initial_state::Memory;
pub use kernel::Kernel;
pub use machine::activity::Activity;
pub use rows::rank::Rank;
pub use scheduling::renewal::Piece;
pub use scheduling::stop::STOP_LOOKS;
pub use sizes::{MOST_LOOKS, Sizes};
pub use state::State;
pub use table::{Optional, Table};
pub use ways::Way;

/// Row types that [`sizes!`] needs and hosts don't.
pub mod row {
    pub use crate::arriving::replacement::Replacement;
    pub use crate::arriving::slot::ProgramSlotState;
    pub use crate::machine::event_trigger::EventTriggerState;
    pub use crate::machine::link::LinkState;
    pub use crate::machine::program::ProgramState;
    pub use crate::machine::schedule::{ScheduleId, ScheduleState};
    pub use crate::machine::trigger::TriggerState;
    pub use crate::objects::endpoint::EndpointState;
    pub use crate::objects::event_group::EventGroupState;
    pub use crate::objects::lacked::Lacked;
    pub use crate::objects::limit::{Credit, LimitState};
    pub use crate::objects::mailbox::MailboxState;
    pub use crate::objects::queue::Queue;
    pub use crate::objects::semaphore::SemaphoreState;
    pub use crate::scheduling::allowance::Allowance;
    pub use crate::scheduling::budget::{BudgetState, Payment};
    pub use crate::scheduling::depth::DepthState;
    pub use crate::scheduling::gate::{GateState, Opening};
    pub use crate::scheduling::process::ProcessState;
    pub use crate::scheduling::renewal::{Renewal, Restarts};
    pub use crate::scheduling::report::{ReportState, Unsent};
    pub use crate::scheduling::section::Section;
    pub use crate::scheduling::sporadic::Chunks;
    pub use crate::scheduling::thread::ThreadState;
    pub use crate::scheduling::tree::Key;
    pub use crate::scheduling::watchdog::{Alert, WatchdogState};
    pub use crate::table::Absent;
    pub use crate::tracing::crash::{Crash, Crashes};
    pub use crate::tracing::stored::Stored;
    pub use beryl_abi::{Moment, ProcessId, ThreadId};
    pub use beryl_syscode::Condition as Until;
    pub use beryl_syscode::PortId;
    pub use beryl_syscode::check::Rights;
    pub use beryl_syscode::check::admission::Terms;
    pub use beryl_syscode::check::time;
    pub use beryl_syscode::check::weight::Costs;
}

/// The most threads that a system may have: a byte names a thread, and a few of its values mean something
/// else.
pub const MOST_THREADS: usize = 250;

/// Whether `number` is a power of two, and at least two: a tree has at least two leaves.
#[must_use]
pub const fn power_of_two_from_two(number: usize) -> bool {
    number >= 2 && number.is_power_of_two()
}

/// Whether things of two kinds, in these numbers, fit in one table.
#[must_use]
pub const fn fit_together(one: usize, other: usize, room: usize) -> bool {
    one <= room && other <= room - one
}

/// The number of triggers: one for each program, unless declared otherwise.
#[must_use]
pub const fn places_for(programs: usize, places: usize) -> usize {
    if places == 0 { programs } else { places }
}

/// The number of those of whom supervisors may be told: threads, behind them gates, and where it is counted what threads
/// have no right to, the threads once more.
#[must_use]
pub const fn subjects<S: Sizes>() -> usize {
    S::Threads::LENGTH + S::GATES + S::LACKING
}

/// The leaves of a tree that has a slot for each of `number` threads, gates and watchdogs, and the window's end.
#[must_use]
pub const fn leaves_for(number: usize) -> usize {
    if number < 2 { 2 } else { number.next_power_of_two() }
}

pub use rows::bands::{Band, Policy};
pub use rows::budgets::{Budget, ComesBack, OnSpent};
pub use rows::depths::Depth;
pub use rows::drivers::{Driver, DriverKind};
pub use rows::fed::Fed;
pub use rows::followed::Followed;
pub use rows::gates::{Gate, GateId, Gated, OnEarly};
pub use rows::limits::{Asked, Limit, LimitId};
pub use rows::lines::{ByLine, LEAST_LINES, Lines};
pub use rows::objects::{
    Condition, Endpoint, EventGroup, Interrupt, Mailbox, Notification, Semaphore, SemaphoreKind, StateMessage,
};
pub use rows::pools::Pooled;
pub use rows::processes::{OnFault, Process, Processes};
pub use rows::programs::{Held, Port, Program, ProgramSlot};
pub use rows::replaceable::Replaceable;
pub use rows::reports::{ReportId, Telling, Watched};
pub use rows::restarts::Restart;
pub use rows::rules::Rule;
pub use rows::threads::{Place, Thread, ThreadKind};
pub use rows::waits::Waits;
pub use rows::watchdogs::{Watchdog, WatchdogId, watchdogs_of};
pub use rows::windows::{Window, WindowId};

pub use system::System;
