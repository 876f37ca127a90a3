//! Schedulability mathematics: does a timing program fit on one processor under the band list?
//!
//! [`prove`] takes a [`System`] (bands of periodic tasks, the drivers that run above them, the kernel's
//! costs) and returns a [`Proof`] (response times and margins) or a [`Failure`] (with the shortest
//! counter-example).
//!
//! There are two methods, and they must agree:
//!
//! - **Analysis** holds for any phasing of the tasks: the processor-demand criterion and deadline busy
//!   periods for dynamic bands (`edf.rs`), response-time analysis for fixed bands (`fixed.rs`), each with
//!   everything above the band as interference (`demand.rs`).
//! - **The schedule itself** (`schedule.rs`): with logical execution times all releases are known from
//!   instant 0, so the schedule with worst-case execution times is laid out until it repeats. A missed
//!   deadline there is a counter-example; a schedule that repeats without one is a proof for these offsets.
//!
//! Laying out only worst cases is enough. In a preemptive band list each job's urgency is settled at its
//! release, so a job that runs shorter only gives time to others, at once: no job finishes later than in the
//! worst-case schedule. Both policies are sustainable in execution times (Baruah and Burns, *Sustainable
//! scheduling analysis*, RTSS 2006). This would be false for bands that run to completion; they are not
//! analysed here.
//!
//! No order of equally urgent jobs is guaranteed, and no result relies on one. In every test, work as urgent
//! as a job counts as if it went first; the schedule does so for each job separately (`processor.rs`).
//!
//! There are also tests from the literature for lists of [`Sporadic`] tasks, each with its source, its model
//! and its class: *exact* (it holds if and only if no arrivals that the model allows miss a deadline) or
//! *safe* (if it holds, none do). [`edf`] has those for earliest deadline first, with and without preemption,
//! [`fixed_priority`] those for fixed priorities, [`csd`] those for bands of both.
//! `docs/reference/analysis.md` lists them all.
//!
//! [`servers`] says what budgets with a rule of replenishment cost others and leave to their own work, and what
//! partitions leave; a model there runs each rule.
//!
//! [`modes`] proves systems whose modules switch modes, one mode after the other.
//!
//! [`sensitivity`] says how far times may change, and which task misses first.
//!
//! [`chain`] says how long it takes from a sensor through tasks with logical execution times to an actuator.
//!
//! [`lateness`](fn@lateness) says how long after an instant the kernel is done with what it does at it.
//!
//! [`state_message`] says how deep the buffers of state messages must be.
//!
//! [`synchronous`] says which values tasks of several rates read if all work took no time, and how many buffers keep
//! them.
//!
//! Locks count by how long they may block (`locks.rs`): with them only the analysis proves anything.
//!
//! Not covered: more than one processor. Bands within bands: only as lists of tasks under a supply ([`servers`]),
//! and in a [`System`] as tasks that share a budget ([`servers::pools`]).
#![forbid(unsafe_code)]

pub mod chain;
pub mod csd;
mod demand;
pub mod edf;
mod failure;
mod fixed;
pub mod fixed_priority;
mod in_step;
mod lateness;
mod locks;
mod model;
pub mod modes;
pub mod partitions;
mod processor;
mod proof;
mod rhythm;
mod schedule;
pub mod sensitivity;
pub mod servers;
pub mod sporadic;
pub mod state_message;
pub mod synchronous;
mod ticks;
mod utilisation;

pub use failure::{Failure, Fault, Miss, Whose};
pub use in_step::responses_with_offsets;
pub use lateness::lateness;
pub use locks::{Lock, Protocol, Urgency, User};
pub use model::{Band, Interference, KernelCosts, Policy, System, Task};
pub use proof::{BandProof, Method, Proof, TaskProof, prove};
pub use rhythm::Rhythm;
pub use schedule::{DriverIndex, Job, Schedule, Segment, TaskIndex, Work, timeline};
pub use sporadic::Sporadic;
pub use ticks::{Ticks, TimesTooLarge};
pub use utilisation::Utilisation;

#[cfg(test)]
mod tests;
