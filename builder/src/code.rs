//! System code from activities, one program for each module. A mode has one block for each instant of its period, or
//! one block for all instants, whose activities come with beats.
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
//!     entry: call set ...          what is done on entering
//!            phase releases
//!            ...                   as in block 0 of the mode that is entered
//! ```
//!
//! If something is done on entering the start mode, the program begins with a block of its own instead of `jump first`:
//!
//! ```text
//!            phase actuators, call set ...
//!            phase switches, call guard, branch next, jump entry of another mode
//!     next:  jump entry
//! ```

mod asynchronous;
mod container;
mod draft;
mod error;
mod generator;
mod handler;
mod instants;
mod program;
mod slots;
mod values;

pub use container::container;
pub use error::CodeError;
pub use instants::Apart;
pub use program::{ModeBlocks, Program};
pub use slots::SlotCode;

use beryl_syscode::Container;
use beryl_syscode::check::{Rights, Structure};

use crate::assembly::{Assembly, Module};
use generator::Generator;

/// The system code of an assembly, without that of bands: schedules can only be made once the kernel's costs are known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coded {
    /// The programs of the modules, in their order.
    pub modules: Vec<Program>,
    /// The programs of tasks that something else than time releases, in their order.
    pub asynchronous: Vec<Program>,
    /// Other programs of modules, in the order of the assembly's.
    pub alternatives: Vec<Program>,
    /// What the image keeps for each slot.
    pub slots: Vec<SlotCode>,
}

/// A program that can't be expressed.
#[derive(Debug)]
pub struct Uncoded {
    /// Its number among the other programs, if it is one of them.
    pub alternative: Option<usize>,
    /// Why.
    pub reason: CodeError,
}

/// Generates and checks all system code of an assembly, except that of bands.
///
/// # Errors
/// The first program that can't be expressed, and why.
pub fn coded(assembly: &Assembly) -> Result<Coded, Uncoded> {
    let own = |reason| Uncoded { alternative: None, reason };
    let modules = assembly.modules.iter().enumerate();
    let modules = modules.map(|(index, module)| of_module(assembly, module, index).map_err(own));
    let modules: Vec<_> = modules.collect::<Result<_, _>>()?;
    let others = assembly.alternatives.iter().enumerate();
    let others = others.map(|(index, row)| {
        let other = |reason| Uncoded { alternative: Some(index), reason };
        of_module(assembly, &row.body, row.module).map_err(other)
    });
    let alternatives = others.collect::<Result<_, _>>()?;
    let slots = slots::slots(assembly, &modules);
    let asynchronous = asynchronous(assembly).map_err(own)?;
    Ok(Coded { modules, asynchronous, alternatives, slots })
}

fn of_module(assembly: &Assembly, body: &Module, index: usize) -> Result<Program, CodeError> {
    let program = Generator::new(assembly, body)?.generate(index)?;
    check(assembly, &program)?;
    Ok(program)
}

fn asynchronous(assembly: &Assembly) -> Result<Vec<Program>, CodeError> {
    let programs = assembly.asynchronous.iter().map(|row| {
        let program = asynchronous::program(assembly, row);
        check(assembly, &program)?;
        Ok(program)
    });
    programs.collect()
}

/// The check of structure, the same as for a program from outside.
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
