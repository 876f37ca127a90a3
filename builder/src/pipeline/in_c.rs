//! What can't be said in C, or not in one header: names that two things would have, and threads that begin with one
//! function and have nothing in common that it could be given.

use crate::assembly::Assembly;
use crate::description::{self, Description, Problem};
use crate::emit::c::begun::{self, Unlike};
use crate::emit::c::clashes::{self, Clash};
use crate::error::BuildError;

/// Functions in C can be given what their threads have, and their headers can be compiled.
///
/// # Errors
/// The first that is otherwise.
pub(super) fn check(assembly: &Assembly, description: &Description) -> Result<(), BuildError> {
    refuse_arguments_in_rust(assembly, description)?;
    refuse_arguments_beside_handles(assembly, description)?;
    refuse_unlike_threads(assembly, description)?;
    refuse_clashes(assembly, description)
}

fn refuse_clashes(assembly: &Assembly, description: &Description) -> Result<(), BuildError> {
    let Some(Clash { name, things: [first, second] }) = clashes::first(assembly) else { return Ok(()) };
    let named = description.c.functions.first().map(|function| function.place);
    let place = named.or(description.c.place()).unwrap_or((0, 0).into());
    Err(BuildError::Description(description.alone(Problem {
        code: description::code::DUPLICATE_NAME,
        place,
        message: format!("in C, {first} and {second} would both be named `{name}`"),
        label: "their header would declare both".to_owned(),
        help: "give one of them another name".into(),
    })))
}

/// An argument is a variable in C, for a function there.
fn refuse_arguments_in_rust(assembly: &Assembly, description: &Description) -> Result<(), BuildError> {
    let mut threads = description.threads.iter().filter(|row| !assembly.in_c.contains(&row.entry.value));
    let Some((row, argument)) = threads.find_map(|row| Some((row, row.argument.as_ref()?))) else {
        return Ok(());
    };
    Err(BuildError::Description(description.alone(Problem {
        code: description::code::CONFLICT,
        place: argument.place,
        message: format!("`argument` is for functions in C, and `{}` is in Rust", row.entry.value),
        label: "nobody gets it".to_owned(),
        help: format!("add \"{}\" to `functions` in [c], or leave `argument` out", row.entry.value).into(),
    })))
}

/// A function with an argument is given no handles, and for slots, the trace and reports nothing else stands.
fn refuse_arguments_beside_handles(assembly: &Assembly, description: &Description) -> Result<(), BuildError> {
    let with_argument = description.threads.iter().filter_map(|row| Some((row, row.argument.as_ref()?)));
    for (row, argument) in with_argument {
        let thread = assembly.threads.iter().find(|thread| thread.name == row.name.value);
        let Some(role) = thread.and_then(|thread| begun::only_by_handle(assembly, thread)) else { continue };
        return Err(BuildError::Description(description.alone(Problem {
            code: description::code::CONFLICT,
            place: argument.place,
            message: format!(
                "`{}` has a {role}, which comes as a handle only, and a function with an `argument` is given none",
                row.name.value
            ),
            label: "instead of all handles".to_owned(),
            help: "leave `argument` out, or let another thread have it".into(),
        })));
    }
    Ok(())
}

/// A function with which several threads begin has one prototype.
fn refuse_unlike_threads(assembly: &Assembly, description: &Description) -> Result<(), BuildError> {
    let in_c = description.threads.iter().filter(|row| assembly.in_c.contains(&row.entry.value));
    for row in in_c {
        let Err(Unlike { threads: [first, other], what }) = begun::check(assembly, &row.entry.value) else {
            continue;
        };
        let place = description.threads.iter().find(|row| row.name.value == other).unwrap_or(row).entry.place;
        return Err(BuildError::Description(description.alone(Problem {
            code: description::code::ROLE,
            place,
            message: format!(
                "threads `{first}` and `{other}` can't begin with one function in C, `{}`: {what}",
                row.entry.value
            ),
            label: "begins with it, too".to_owned(),
            help: "name as many objects of the same kinds in the same order, give each of the threads an `argument`, or \
                   write another function"
                .into(),
        })));
    }
    Ok(())
}
