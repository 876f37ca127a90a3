//! Declarations: sensors, actuators, and tasks with their ports.

use super::kind::kind;
use super::mode::Modes;
use super::name::Scope;
use super::value::{sample, value, whole};
use super::{Checks, Refused, suggestion};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::{Actuator, Module, Port, Role, Sensor, Task, Type, Value};
use crate::place::Place;
use crate::syntax::{self, Expression, Name, Uses};
use std::collections::BTreeMap;

/// The checked declarations of a module.
#[derive(Debug)]
pub(super) struct Declarations {
    pub(super) sensors: Vec<Sensor>,
    pub(super) actuators: Vec<Actuator>,
    pub(super) tasks: Vec<Task>,
    /// The ports of each task, by name.
    pub(super) ports: BTreeMap<(usize, String), usize>,
}

impl Declarations {
    pub(super) fn with(self, scope: &Scope<'_>, modes: Modes) -> Module {
        Module {
            name: scope.module.name.text.clone(),
            sensors: self.sensors,
            actuators: self.actuators,
            tasks: self.tasks,
            modes: modes.all,
            start: modes.start,
            asynchronous: modes.asynchronous,
            imports: scope.imports.clone(),
            place: scope.module.name.place,
        }
    }
}

/// Faulty declarations are reported and left out; the caller proceeds only if nothing was reported.
pub(super) fn declarations(scopes: &[Scope<'_>], reporter: &mut Reporter) -> Vec<Declarations> {
    let mut all = Vec::new();
    for scope in scopes {
        let module = scope.module;
        let sensors = all_of(&module.sensors, reporter, |one, reporter| sensor(one, scope, reporter));
        let actuators = all_of(&module.actuators, reporter, |one, reporter| actuator(one, scope, reporter));
        let tasks: Vec<Task> = all_of(&module.tasks, reporter, |one, reporter| task(one, scope, reporter));
        let mut ports = BTreeMap::new();
        for (index, task) in tasks.iter().enumerate() {
            let own = task.ports.iter().enumerate();
            ports.extend(own.map(|(port, row)| ((index, row.name.clone()), port)));
        }
        all.push(Declarations { sensors, actuators, tasks, ports });
    }
    all
}

/// The valid elements of a list; stops once no more errors are kept.
fn all_of<T, M>(
    list: &[T],
    reporter: &mut Reporter,
    check: impl Fn(&T, &mut Reporter) -> Checks<M>,
) -> Vec<M> {
    let mut checked = Vec::new();
    for one in list {
        if reporter.is_full() {
            break;
        }
        checked.extend(check(one, reporter).ok());
    }
    checked
}

fn sensor(sensor: &syntax::Sensor, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Sensor> {
    let kind = kind(&sensor.kind, scope, reporter);
    let getter =
        driver(&sensor.name, &sensor.getter, sensor.name.place, ["sensor", "getter", "read"], reporter);
    let (getter, uses) = getter?;
    Ok(Sensor { name: sensor.name.text.clone(), kind: kind?, getter, uses, place: sensor.name.place })
}

fn actuator(actuator: &syntax::Actuator, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Actuator> {
    let end = actuator.initial.as_ref().map_or(actuator.name.place, |initial| initial.place);
    let setter = driver(&actuator.name, &actuator.setter, end, ["actuator", "setter", "set"], reporter);
    let kind = kind(&actuator.kind, scope, reporter)?;
    let initial = initial(&actuator.name, "actuator", &actuator.initial, &kind, scope, reporter)?;
    let (setter, uses) = setter?;
    Ok(Actuator { name: actuator.name.text.clone(), kind, initial, setter, uses, place: actuator.name.place })
}

fn driver(
    name: &Name,
    driver: &Option<Name>,
    end: Place,
    [what, role, verb]: [&str; 3],
    reporter: &mut Reporter,
) -> Checks<(String, Place)> {
    if let Some(driver) = driver {
        return Ok((driver.text.clone(), driver.place));
    }
    reporter.report(Problem {
        code: code::MISSING_DRIVER,
        place: name.place,
        message: format!("{what} `{}` has no driver: nothing would {verb} it", name.text),
        label: format!("no {role}"),
        help: Help::from(format!(
            "name its native function: write `uses {verb}_{}` before the `;`",
            name.text
        ))
        .or(end.behind(), format!(" uses {verb}_{}", name.text)),
    });
    Err(Refused)
}

fn initial(
    name: &Name,
    what: &str,
    initial: &Option<Expression>,
    kind: &Type,
    scope: &Scope<'_>,
    reporter: &mut Reporter,
) -> Checks<Value> {
    if let Some(initial) = initial {
        return value(initial, kind, scope, reporter);
    }
    reporter.report(Problem {
        code: code::MISSING_INITIAL,
        place: name.place,
        message: format!(
            "{what} `{}` has no initial value, but it may be used before it is first written",
            name.text
        ),
        label: "no initial value".to_owned(),
        help: Help::from(format!("give it one: `{what} {kind} {} := {}`", name.text, sample(kind)))
            .or(name.place.behind(), format!(" := {}", whole(kind))),
    });
    Err(Refused)
}

fn task(task: &syntax::Task, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Task> {
    let ports: Vec<_> = task.ports.iter().map(|one| port(one, scope, reporter)).collect();
    let uses = uses(task, reporter)?;
    let arguments = arguments(task, uses, reporter);
    Ok(Task {
        name: task.name.text.clone(),
        public: task.public,
        ports: ports.into_iter().collect::<Checks<_>>()?,
        function: uses.function.text.clone(),
        uses: uses.function.place,
        arguments: arguments?,
        votes: Vec::new(),
        place: task.name.place,
    })
}

fn port(port: &syntax::Port, scope: &Scope<'_>, reporter: &mut Reporter) -> Checks<Port> {
    let kind = kind(&port.kind, scope, reporter)?;
    let initial = match (port.role, &port.initial) {
        (Role::Input, None) => None,
        (Role::Input, Some(unwanted)) => return initial_of_input(port, unwanted, reporter),
        (role, value) => Some(initial(&port.name, &role.to_string(), value, &kind, scope, reporter)?),
    };
    Ok(Port { name: port.name.text.clone(), role: port.role, kind, initial, place: port.name.place })
}

fn initial_of_input<T>(port: &syntax::Port, unwanted: &Expression, reporter: &mut Reporter) -> Checks<T> {
    reporter.report(Problem {
        code: code::UNWANTED_INITIAL,
        place: unwanted.place,
        message: format!(
            "input `{}` has an initial value, but each release of the task overwrites it",
            port.name.text
        ),
        label: "would never be seen".to_owned(),
        help: Help::from(
            "remove it; to pass a fixed value, write it as an argument where the task is invoked",
        )
        .or(port.name.place.behind().to(unwanted.place), ""),
    });
    Err(Refused)
}

/// The one native function of a task.
fn uses<'a>(task: &'a syntax::Task, reporter: &mut Reporter) -> Checks<&'a Uses> {
    match task.uses.as_slice() {
        [uses] => Ok(uses),
        [] => {
            let ports: Vec<&str> = task.ports.iter().map(|port| port.name.text.as_str()).collect();
            let name = &task.name.text;
            reporter.report(Problem {
                code: code::MISSING_FUNCTION,
                place: task.name.place,
                message: format!("task `{name}` has no function: nothing would compute its outputs"),
                label: "no `uses` in this task".to_owned(),
                help: Help::from(format!(
                    "name its native function: `uses {name}_impl({});`",
                    ports.join(", ")
                ))
                .or(task.body.behind(), format!(" uses {name}_impl({});", ports.join(", "))),
            });
            Err(Refused)
        }
        [first, second, ..] => {
            let problem = Problem {
                code: code::DUPLICATE_NAME,
                place: second.place,
                message: format!(
                    "task `{}` has two functions; a task is one native function",
                    task.name.text
                ),
                label: "a second function".to_owned(),
                help: "call both from one native function, or make two tasks".into(),
            };
            reporter.report_with(problem, first.place, "the first function");
            Err(Refused)
        }
    }
}

/// The arguments of `uses` are the task's own ports, each at most once (rule 19).
fn arguments(task: &syntax::Task, uses: &Uses, reporter: &mut Reporter) -> Checks<Vec<usize>> {
    let ports: BTreeMap<&str, usize> =
        task.ports.iter().enumerate().map(|(index, port)| (port.name.text.as_str(), index)).collect();
    let mut first: BTreeMap<usize, &Name> = BTreeMap::new();
    let mut arguments = Vec::new();
    for argument in &uses.arguments {
        let Some(&port) = ports.get(argument.text.as_str()) else {
            unknown_port(task, argument, &ports, reporter);
            continue;
        };
        if let Some(before) = first.insert(port, argument) {
            repeated(argument, before, reporter);
        }
        arguments.push(port);
    }
    match arguments.len() == uses.arguments.len() && first.len() == arguments.len() {
        true => Ok(arguments),
        false => Err(Refused),
    }
}

fn unknown_port(
    task: &syntax::Task,
    argument: &Name,
    ports: &BTreeMap<&str, usize>,
    reporter: &mut Reporter,
) {
    let otherwise =
        "a native function gets only ports of its task: declare an input, state or output of this name";
    reporter.report(Problem {
        code: code::UNKNOWN_NAME,
        place: argument.place,
        message: format!("task `{}` has no port called `{}`", task.name.text, argument.text),
        label: "unknown port".to_owned(),
        help: suggestion::proposal(argument, ports.keys().copied(), otherwise),
    });
}

fn repeated(argument: &Name, before: &Name, reporter: &mut Reporter) {
    let problem = Problem {
        code: code::REPEATED_ARGUMENT,
        place: argument.place,
        message: format!(
            "port `{}` is passed twice; the function would hold two references to one value",
            argument.text
        ),
        label: "passed again".to_owned(),
        help: "pass each port once".into(),
    };
    reporter.report_with(problem, before.place, "first passed here");
}
