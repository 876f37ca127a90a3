//! System code from activities: one block an instant of each mode's period, or one for all of them, whose activities come with beats; one program a
//! module.
//!
//! ```text
//!            jump first            at the start no task has ended yet
//!   block 0  call publish ...      phase outputs
//!     first: period                where the module has a slot: another program may take over
//!            phase actuators
//!            call set ...
//!            phase switches
//!            call guard, branch next
//!            jump entry            the other mode takes part from its releases on
//!     next:  phase releases
//!            call read, call copy, release ...
//!            future distance, block 1
//!            return
//!   block 1  ...
//!            future distance, block 0
//!   ...                            the blocks of the other modes
//!     entry: phase releases
//!            ...                   as in block 0 of the mode that is entered
//! ```

mod asynchronous;
mod draft;
mod generator;
mod handler;
mod instants;
mod too_large;
mod values;

pub use instants::Apart;
pub use too_large::in_the_text;

use std::collections::BTreeSet;

use beryl_abi::Duration;
use beryl_syscode::check::{Rights, Structure};
use beryl_syscode::container::MOST_DURATIONS;
use beryl_syscode::{Condition, Container};

use crate::assembly::Assembly;
use crate::emit::container::container;
use generator::Generator;

/// A module's system code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The module's name.
    pub module: String,
    /// Its instructions.
    pub code: Vec<u32>,
    /// The durations that they name.
    pub durations: Vec<Duration>,
    /// Where it starts.
    pub start: u16,
    /// Where it goes on when a job is in its way, if the default won't do: behind everything else.
    pub handler: Option<u16>,
    /// Where completions of tasks enter it: index of the thread, address.
    pub completions: Vec<(usize, u16)>,
    /// What its threads wait for, and its rounds.
    pub conditions: Vec<Condition>,
    /// The sensors that it may come to more than once at an instant, as their getters.
    pub read_again: BTreeSet<usize>,
    /// How many threads it has at most at one time.
    pub threads: u8,
    /// The numbers that show that its jobs are never late in what its module's slot has; none if there are none.
    pub certificate: Vec<u32>,
    /// The band that it schedules, if it is one that does.
    pub band: Option<usize>,
    /// Where its modes are, if it is a module's: in the order of the text and of the code.
    pub modes: Vec<ModeBlocks>,
}

/// Where a mode is in a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModeBlocks {
    /// The mode.
    pub name: String,
    /// The address of its first block; it has all up to the next mode's.
    pub from: u16,
    /// The blocks that test switches.
    pub asks: Vec<u16>,
}

/// Why there is no system code for a module.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CodeError {
    /// More instructions than an address can tell apart.
    #[error("module `{module}` needs {instructions} instructions; a program has at most 65535")]
    TooLong {
        /// The module.
        module: String,
        /// Its mode with the most of them.
        mode: String,
        /// Why the instants of that mode don't share their code, if they don't.
        apart: Option<Apart>,
        /// How many it would be.
        instructions: usize,
    },
    /// More different durations than the pool has places.
    #[error("module `{module}` has {durations} different times; a program has at most {most}", most = MOST_DURATIONS)]
    TooManyDurations {
        /// The module.
        module: String,
        /// Its mode with the most instants.
        mode: String,
        /// Why those don't share their code, if they don't.
        apart: Option<Apart>,
        /// How many it has.
        durations: usize,
    },
    /// There is no schedule for a band.
    #[error("band `{band}` can't be scheduled by code: {reason}")]
    Unscheduled {
        /// The band.
        band: String,
        /// Why.
        reason: String,
    },
    /// The checker refused what was generated.
    #[error("the system code of `{module}` breaks a rule of its own: {reason}")]
    Refused {
        /// The module, or the activity's module and task.
        module: String,
        /// The rule.
        reason: String,
    },
}

/// Generates and checks the system code of every module.
///
/// # Errors
/// [`CodeError`] for the first module that can't be expressed.
pub fn generate(assembly: &Assembly) -> Result<Vec<Program>, CodeError> {
    let programs = assembly.modules.iter().enumerate().map(|(index, module)| {
        let program = Generator::new(assembly, module)?.generate(index)?;
        check(assembly, &program)?;
        Ok(program)
    });
    programs.collect()
}

/// Generates and checks the system code of the other programs of modules.
///
/// # Errors
/// Which is the first that can't be expressed, and why.
pub fn alternatives(assembly: &Assembly) -> Result<Vec<Program>, (usize, CodeError)> {
    let programs = assembly.alternatives.iter().enumerate().map(|(index, row)| {
        let generator = Generator::new(assembly, &row.body).map_err(|error| (index, error))?;
        let program = generator.generate(row.module).map_err(|error| (index, error))?;
        check(assembly, &program).map_err(|error| (index, error))?;
        Ok(program)
    });
    programs.collect()
}

/// Generates and checks the programs of tasks that something else than time releases.
///
/// # Errors
/// [`CodeError`] for the first that can't be expressed.
pub fn asynchronous(assembly: &Assembly) -> Result<Vec<Program>, CodeError> {
    let programs = assembly.asynchronous.iter().map(|row| {
        let program = asynchronous::program(assembly, row);
        check(assembly, &program)?;
        Ok(program)
    });
    programs.collect()
}

/// The check of structure, as everybody does it with a program from outside.
///
/// # Errors
/// What it says of the program.
pub(crate) fn check_structure(assembly: &Assembly, program: &Program) -> Result<(), String> {
    let bytes = container(assembly, program);
    let read = Container::read(&bytes).map_err(|reason| reason.to_string())?;
    let mut marks = vec![0; program.code.len()];
    Structure::new(read, Rights::ALL, &mut marks).run().map_err(|reason| reason.to_string())?;
    Ok(())
}

fn check(assembly: &Assembly, program: &Program) -> Result<(), CodeError> {
    check_structure(assembly, program)
        .map_err(|reason| CodeError::Refused { module: program.module.clone(), reason })
}
