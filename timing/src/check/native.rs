//! Native functions: one flat namespace of the system, so each name means one function with one signature
//! (rule 13).

use super::declaration::Declarations;
use super::mode::Modes;
use crate::diagnostic::{Problem, Reporter, code};
use crate::model::{Guard, Mode, Native, Task};
use crate::place::Place;
use crate::syntax::{Module, Name};
use std::collections::BTreeMap;

/// Reports native functions with two different uses. Two tasks may share a function if their parameters are
/// equal.
pub(super) fn one_use_each(tree: &[Module], declarations: &[Declarations], reporter: &mut Reporter) {
    if reporter.clean().is_none() {
        return;
    }
    let mut first = Signatures::new();
    for (name, signature) in tree.iter().zip(declarations).flat_map(|(module, checked)| uses(module, checked))
    {
        note(&mut first, &name.text, name.place, signature, reporter);
    }
}

/// The same for guards, together with the other functions, which are already checked.
pub(super) fn one_use_of_guards(
    tree: &[Module],
    declarations: &[Declarations],
    modes: &[Modes],
    reporter: &mut Reporter,
) {
    let mut first = Signatures::new();
    for (name, signature) in tree.iter().zip(declarations).flat_map(|(module, checked)| uses(module, checked))
    {
        first.entry(&name.text).or_insert((signature, name.place));
    }
    let guards = modes.iter().flat_map(|modes| {
        let asynchronous = modes.asynchronous.iter().filter_map(|activity| activity.guard.as_ref());
        modes.all.iter().flat_map(Mode::guards).chain(asynchronous)
    });
    for native in guards.flat_map(Guard::natives) {
        note(&mut first, native.function, native.place, guard_signature(&native), reporter);
    }
}

/// The first use of each function, and its place.
type Signatures<'a> = BTreeMap<&'a str, (String, Place)>;

fn note<'a>(
    first: &mut Signatures<'a>,
    name: &'a str,
    place: Place,
    signature: String,
    reporter: &mut Reporter,
) {
    match first.get(name) {
        None => {
            first.insert(name, (signature, place));
        }
        Some((before, _)) if *before == signature => {}
        Some((before, first)) => conflict(name, place, &signature, before, *first, reporter),
    }
}

fn guard_signature(guard: &Native<'_>) -> String {
    let kinds: Vec<String> = guard.arguments.iter().map(|argument| argument.kind.to_string()).collect();
    format!("guard of `({})`", kinds.join(", "))
}

fn uses<'a>(module: &'a Module, checked: &Declarations) -> Vec<(&'a Name, String)> {
    let mut uses = Vec::new();
    for (sensor, checked) in module.sensors.iter().zip(&checked.sensors) {
        uses.extend(sensor.getter.as_ref().map(|name| (name, format!("getter of `{}`", checked.kind))));
    }
    for (actuator, checked) in module.actuators.iter().zip(&checked.actuators) {
        uses.extend(actuator.setter.as_ref().map(|name| (name, format!("setter of `{}`", checked.kind))));
    }
    for (task, checked) in module.tasks.iter().zip(&checked.tasks) {
        uses.extend(task.uses.iter().map(|one| (&one.function, signature(checked))));
    }
    uses
}

fn signature(task: &Task) -> String {
    let ports = task.arguments.iter().filter_map(|&index| task.ports.get(index));
    let ports: Vec<String> = ports.map(|port| format!("{} {}", port.role, port.kind)).collect();
    format!("task function with `({})`", ports.join(", "))
}

fn conflict(name: &str, place: Place, signature: &str, before: &str, first: Place, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::NATIVE_CONFLICT,
        place,
        message: format!(
            "native function `{name}` is used as {signature} and as {before}; the system has one function of a name"
        ),
        label: format!("as {signature}"),
        help: "give the two functions different names".into(),
    };
    reporter.report_with(problem, first, "used differently here");
}
