//! Native functions: one flat namespace of the system, so each name means one function with one signature (rule 13).

use super::declaration::Declarations;
use crate::diagnostic::{Problem, Reporter, code};
use crate::model::Task;
use crate::place::Place;
use crate::syntax::{Module, Name};
use std::collections::BTreeMap;

/// Reports native functions that are used in two ways. Two tasks may share a function with equal parameters.
pub(super) fn one_use_each(tree: &[Module], declarations: &[Declarations], reporter: &mut Reporter) {
    if reporter.clean().is_none() {
        return;
    }
    let mut first: BTreeMap<&str, (String, Place)> = BTreeMap::new();
    for (name, signature) in tree.iter().zip(declarations).flat_map(|(module, checked)| uses(module, checked))
    {
        match first.get(name.text.as_str()) {
            None => {
                first.insert(&name.text, (signature, name.place));
            }
            Some((before, _)) if *before == signature => {}
            Some((before, place)) => conflict(name, &signature, before, *place, reporter),
        }
    }
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

fn conflict(name: &Name, signature: &str, before: &str, place: Place, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::NATIVE_CONFLICT,
        place: name.place,
        message: format!(
            "native function `{}` is used as {signature} and as {before}; the system has one function of a name",
            name.text
        ),
        label: format!("as {signature}"),
        help: "give the two functions different names".to_owned(),
    };
    reporter.report_with(problem, place, "used differently here");
}
