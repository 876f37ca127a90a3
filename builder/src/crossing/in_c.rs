//! Functions in C where a system has several kernels. All files are compiled with the header of one, which has its objects, its threads' numbers and
//! its prototypes; so such functions are on one node, or on one core.

use miette::SourceSpan;

use super::Whole;
use crate::description::cmsis::names::ENTRY;
use crate::description::{Problem, code};
use crate::error::BuildError;

/// A function in C, and the node of its process.
struct Located<'a> {
    name: &'a str,
    place: SourceSpan,
    node: usize,
}

/// Refuses functions in C on several nodes.
///
/// # Errors
/// The first one that is on another node than the first of all.
pub(super) fn check(whole: &Whole) -> Result<(), BuildError> {
    let all = located(whole);
    let Some(first) = all.first() else { return Ok(()) };
    let Some(other) = all.iter().find(|other| other.node != first.node) else { return Ok(()) };
    let nodes = &whole.description.nodes;
    let named = |node: usize| {
        let row = nodes.get(node);
        row.map_or(String::new(), |row| format!("{} `{}`", row.word(), row.name.value))
    };
    Err(BuildError::Description(whole.description.alone(Problem {
        code: code::CONFLICT,
        place: other.place,
        message: format!(
            "functions in C are on one {}, and `{}` is on {}, while `{}` is on {}",
            nodes.first().map_or("node", |row| row.word()),
            other.name,
            named(other.node),
            first.name,
            named(first.node)
        ),
        label: "has another kernel".to_owned(),
        help: format!(
            "files in C are compiled with the header of one kernel: write `{}` in Rust, in the crate that `application` names, or put \
             both on {}",
            other.name,
            named(first.node)
        )
        .into(),
    })))
}

fn located(whole: &Whole) -> Vec<Located<'_>> {
    let Whole { description, model, .. } = whole;
    let c = &description.c;
    let all_in_c = description.system.application.is_none() && c.place().is_some();
    let is_in_c = |name: &str| all_in_c || c.functions.iter().any(|function| function.value == name);
    let threads = description.threads.iter();
    let threads = threads.map(|row| (row.entry.value.as_str(), row.entry.place, row.process.value));
    let tasks = model.modules.iter().flat_map(|module| module.tasks.iter().map(move |task| (module, task)));
    let tasks = tasks.filter_map(|(module, task)| {
        let row = description.tasks.iter().find(|row| row.is_about(&module.name, &task.name))?;
        Some((task.function.as_str(), row.name.place, row.process.value))
    });
    let drivers = description.drivers.iter();
    let drivers = drivers.map(|row| (row.name.value.as_str(), row.name.place, row.process.value));
    let all = threads.chain(tasks).chain(drivers).filter(|(name, ..)| is_in_c(name));
    let located = all.filter_map(|(name, place, process)| {
        let node = description.processes.get(process.index())?.node?.value;
        Some(Located { name, place, node })
    });
    let mut located: Vec<_> = located.collect();
    // Where the pools of CMSIS-RTOS2 are, all of its calls are.
    located.sort_by_key(|function| function.name != ENTRY);
    located
}
