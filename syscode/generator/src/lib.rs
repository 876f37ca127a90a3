//! System code from a set of periodic tasks: E code that says what is released when, and S code that says who runs.
//!
//! The schemes are those of the programmable-microkernel paper (sections 3 and 6). All but the rate-monotonic
//! one are made by running a scheduler with the longest execution times over one hyperperiod and writing down
//! what it did; under shorter times each job begins no later than it did there.
#![forbid(unsafe_code)]

mod by_rate;
mod certificate;
mod e_code;
mod emit;
mod error;
mod in_order;
mod preemptive;
mod schedule;
mod sliced;
mod tasks;

use beryl_assembler::Program;

pub use certificate::{Uncertified, certificate};
pub use error::GenerateError;
pub use schedule::Segment;
pub use tasks::{Task, TaskSet};

use beryl_syscode::Instruction;

use emit::{Emitter, Hole};

/// Who runs when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// E code only: the bands schedule.
    Bands,
    /// The earliest deadline, interrupted at releases.
    PreemptiveEdf,
    /// The earliest deadline, each job to its end.
    NonPreemptiveEdf,
    /// The shortest period, interrupted at releases; doesn't look at execution times.
    RateMonotonic,
    /// Slices of so many ticks, each for the earliest deadline.
    TimeSliced(u64),
    /// The same slices, with a thread for each task.
    ThreadPerTask(u64),
}

/// Generates a schedule alone: S code for tasks that other programs release.
///
/// # Errors
/// As [`generate`]; there is none without a thread.
pub fn schedule(set: &TaskSet, scheme: Scheme) -> Result<Program, GenerateError> {
    let mut emitter = Emitter::new(set)?;
    let forks = emitter.forks(threads(set, scheme))?;
    emitter.put(Instruction::Return {});
    write(&mut emitter, set, scheme, &forks)?;
    emitter.finish()
}

fn threads(set: &TaskSet, scheme: Scheme) -> usize {
    match scheme {
        Scheme::Bands => 0,
        Scheme::ThreadPerTask(_) => set.tasks.len(),
        _ => 1,
    }
}

fn write(emitter: &mut Emitter, set: &TaskSet, scheme: Scheme, forks: &[Hole]) -> Result<(), GenerateError> {
    match scheme {
        Scheme::Bands => Ok(()),
        Scheme::PreemptiveEdf => preemptive::write(emitter, set, forks),
        Scheme::NonPreemptiveEdf => in_order::write(emitter, set, forks),
        Scheme::RateMonotonic => by_rate::write(emitter, set, forks),
        Scheme::TimeSliced(slice) => sliced::write_one(emitter, set, slice, forks),
        Scheme::ThreadPerTask(slice) => sliced::write_each(emitter, set, slice, forks),
    }
}

/// Whether jobs that take as long as they may keep their deadlines where the shortest period goes first: what the
/// rate-monotonic scheme doesn't look at.
///
/// # Errors
/// The first deadline that is missed.
pub fn keeps_deadlines(set: &TaskSet) -> Result<(), GenerateError> {
    schedule::shortest_period(set).map(drop)
}

/// Generates a program: E code at its start, S code behind.
///
/// # Errors
/// Why there is none: a deadline can't be kept, or the program would be too long.
pub fn generate(set: &TaskSet, scheme: Scheme) -> Result<Program, GenerateError> {
    let mut emitter = Emitter::new(set)?;
    let forks = emitter.forks(threads(set, scheme))?;
    e_code::write(&mut emitter, set)?;
    write(&mut emitter, set, scheme, &forks)?;
    emitter.finish()
}
