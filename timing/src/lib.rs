//! The timing language: from text to a checked model, with diagnostics.
//!
//! The crate is a pipeline with one folder or file per stage: `token` splits the text into words, `parse`
//! reads them into the tree of `syntax`, `check` proves the rules of the language and produces the [`Model`].
//! Each stage reports everything that it finds. The next stage runs only if nothing was found, so that one
//! mistake in the text causes one diagnostic and not a chain of them.

#![forbid(unsafe_code)]

mod check;
pub mod diagnostic;
mod format;
pub mod help;
mod model;
mod parse;
mod place;
mod ratio;
mod several;
mod syntax;
mod token;

pub use diagnostic::{Diagnostic, Diagnostics, Problem, code};
pub use format::format;
pub use help::Help;
pub use model::{
    Activity, Actuator, Argument, Asynchronous, Basic, Comparison, Condition, Element, Entering, Field,
    Guard, Microseconds, Mode, Model, Module, Native, Operand, Part, Port, Record, Role, Scalar, Sensor,
    Side, Slots, Switch, Task, Trigger, Type, Value, Vote, Window,
};
pub use place::{Place, Source};
pub use several::Several;

use check::Checked;
use diagnostic::Reporter;

/// Compiles the sources of one system to a checked model. Modules keep the order of the sources and of their
/// text.
///
/// # Errors
///
/// At least one diagnostic if a text isn't in the language or breaks one of its rules, or if there is no
/// module.
pub fn compile(sources: &[Source]) -> Result<Model, Diagnostics> {
    compile_counted(sources).0
}

/// The same, with the number of steps: words read, names looked up or compared, values made. A count rather
/// than a time, for tests.
///
/// # Errors
/// As [`compile`].
pub fn compile_counted(sources: &[Source]) -> (Result<Model, Diagnostics>, u64) {
    let mut reporter = Reporter::new(sources);
    let checked = stages(sources, &mut reporter);
    let work = reporter.work();
    let result = match (checked, reporter.finish()) {
        (Some(Checked { modules, records }), Ok(sources)) => Ok(Model { modules, records, sources }),
        (_, Err(diagnostics)) => Err(diagnostics),
        (None, Ok(_)) => unreachable!("a stage that gives nothing has reported why"),
    };
    (result, work)
}

fn stages(sources: &[Source], reporter: &mut Reporter) -> Option<Checked> {
    let words: Vec<_> = sources
        .iter()
        .enumerate()
        .map(|(index, source)| token::lexemes(index, &source.text, reporter))
        .collect();
    reporter.clean()?;

    let tree: Vec<_> = sources
        .iter()
        .zip(&words)
        .flat_map(|(source, lexemes)| parse::parse(&source.text, lexemes, reporter))
        .collect();
    reporter.clean()?;

    check::check(&tree, reporter)
}
