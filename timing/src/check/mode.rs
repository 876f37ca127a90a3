//! Modes: one start mode a module, its period, and its activities (rules 1, 7, 12 and 14).

use super::declaration::Declarations;
use super::name::{Entity, Scope};
use super::operand::Reader;
use super::{Checked, Refused, rate, suggestion};
use crate::diagnostic::{Problem, Reporter, code};
use crate::model::{self, Microseconds, Role, Task};
use crate::place::Place;
use crate::syntax::{Action, Activity, Expression, Mode};
use std::collections::BTreeMap;

/// The start mode of each module. What can't be checked is reported and left out.
pub(super) fn modes(
    scopes: &[Scope<'_>],
    declarations: &[Declarations],
    reporter: &mut Reporter,
) -> Vec<model::Mode> {
    let mut modes = Vec::new();
    for scope in scopes {
        let mut reader = Reader { scopes, declarations, scope, reporter };
        modes.extend(reader.start_mode().and_then(|mode| reader.mode(mode)).ok());
    }
    modes
}

impl<'a> Reader<'a, '_> {
    fn start_mode(&mut self) -> Checked<&'a Mode> {
        let module = self.scope.module;
        let starts: Vec<&Mode> = module.modes.iter().filter(|mode| mode.start).collect();
        match (starts.as_slice(), module.modes.first()) {
            ([only], _) => Ok(only),
            ([], Some(mode)) => {
                self.no_start(mode.name.place, "not a start mode", "write `start` before `mode`")
            }
            ([], None) => {
                self.no_start(module.name.place, "no start mode", "add `start mode main [period = 20ms] { }`")
            }
            ([first, second, ..], _) => {
                let problem = Problem {
                    code: code::SECOND_START_MODE,
                    place: second.name.place,
                    message: format!(
                        "module `{}` has two start modes; it can begin in one only",
                        module.name.text
                    ),
                    label: "a second start mode".to_owned(),
                    help: "move its activities to the first, and remove it".to_owned(),
                };
                self.reporter.report_with(problem, first.name.place, "the first start mode");
                Err(Refused)
            }
        }
    }

    fn no_start<T>(&mut self, place: Place, label: &str, help: &str) -> Checked<T> {
        self.refuse(Problem {
            code: code::MISSING_START_MODE,
            place,
            message: format!(
                "module `{}` has no start mode, so it would do nothing",
                self.scope.module.name.text
            ),
            label: label.to_owned(),
            help: help.to_owned(),
        })
    }

    fn mode(&mut self, mode: &'a Mode) -> Checked<model::Mode> {
        let period = rate::period(mode, self.scope, self.reporter);
        self.once_each(&mode.activities);
        let activities =
            mode.activities.iter().filter_map(|one| self.activity(one, period.as_ref().ok()).ok()).collect();
        Ok(model::Mode {
            name: mode.name.text.clone(),
            period: period?,
            activities,
            places: mode.activities.iter().map(|activity| activity.place).collect(),
            place: mode.name.place,
        })
    }

    /// A mode invokes a task, and updates an actuator, in at most one activity (rules 7 and 12).
    fn once_each(&mut self, activities: &'a [Activity]) {
        let mut first: BTreeMap<(bool, &str), &Activity> = BTreeMap::new();
        for activity in activities {
            let invoked = matches!(activity.action, Action::Invoke { .. });
            let Some(before) = first.insert((invoked, &activity.name.text), activity) else { continue };
            let name = &activity.name.text;
            let (code, message, help) = match activity.action {
                Action::Invoke { .. } => (
                    code::INVOKED_TWICE,
                    format!("task `{name}` is invoked twice in this mode, so two of its jobs would overlap"),
                    "invoke it once with a higher frequency, or declare a second task with the same function",
                ),
                Action::Update { .. } => (
                    code::SECOND_WRITER,
                    format!(
                        "actuator `{name}` has two writers in this mode, so its value would depend on their order"
                    ),
                    "let one task decide the value, and update the actuator from its output",
                ),
            };
            let label = "a second time".to_owned();
            let problem = Problem { code, place: activity.place, message, label, help: help.to_owned() };
            self.reporter.report_with(problem, before.place, "first here");
        }
    }

    fn activity(
        &mut self,
        activity: &'a Activity,
        period: Option<&Microseconds>,
    ) -> Checked<model::Activity> {
        let frequency = rate::frequency(activity, period, self.scope, self.reporter);
        match &activity.action {
            Action::Invoke { arguments } => {
                let task = self.invoked(activity)?;
                let inputs = self.inputs(activity, task, arguments);
                Ok(model::Activity::Task { task, frequency: frequency?, inputs: inputs? })
            }
            Action::Update { source } => {
                let actuator = self.updated(activity)?;
                let kind = self.own().actuators.get(actuator).ok_or(Refused)?.kind;
                let source = self.source(source, kind);
                Ok(model::Activity::Actuator { actuator, frequency: frequency?, source: source? })
            }
        }
    }

    fn invoked(&mut self, activity: &Activity) -> Checked<usize> {
        match self.scope.names.get(activity.name.text.as_str()) {
            Some(Entity::Task(task)) => Ok(*task),
            Some(other) => self.wrong_target(activity, *other, "only a task can be invoked"),
            None => {
                let tasks = self.scope.module.tasks.iter().map(|task| task.name.text.as_str());
                self.unknown_target(activity, "task", tasks)
            }
        }
    }

    fn updated(&mut self, activity: &Activity) -> Checked<usize> {
        match self.scope.names.get(activity.name.text.as_str()) {
            Some(Entity::Actuator(actuator)) => Ok(*actuator),
            Some(other) => self.wrong_target(activity, *other, "only an actuator can be updated"),
            None => {
                let actuators =
                    self.scope.module.actuators.iter().map(|actuator| actuator.name.text.as_str());
                self.unknown_target(activity, "actuator", actuators)
            }
        }
    }

    fn wrong_target<T>(&mut self, activity: &Activity, entity: Entity, rule: &str) -> Checked<T> {
        let name = &activity.name.text;
        self.refuse(Problem {
            code: code::WRONG_USE,
            place: activity.name.place,
            message: format!("`{name}` is {}; {rule}", entity.description()),
            label: entity.description().to_owned(),
            help: "a task is invoked by `task [freq = 1] name(inputs);`, an actuator updated by `actuator [freq = 1] name := source;`"
                .to_owned(),
        })
    }

    fn unknown_target<'n, T>(
        &mut self,
        activity: &Activity,
        what: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Checked<T> {
        let name = &activity.name.text;
        self.refuse(Problem {
            code: code::UNKNOWN_NAME,
            place: activity.name.place,
            message: format!("module `{}` has no {what} called `{name}`", self.scope.module.name.text),
            label: format!("unknown {what}"),
            help: suggestion::proposal(name, names, &format!("declare the {what} in this module")),
        })
    }

    fn inputs(
        &mut self,
        activity: &Activity,
        task: usize,
        arguments: &[Expression],
    ) -> Checked<Vec<model::Operand>> {
        let task = self.own().tasks.get(task).ok_or(Refused)?;
        let inputs: Vec<_> = task.ports.iter().filter(|port| port.role == Role::Input).collect();
        if inputs.len() != arguments.len() {
            return self.argument_count(activity, task, arguments.len());
        }
        let pairs = arguments.iter().zip(inputs);
        let operands: Vec<_> = pairs.map(|(argument, input)| self.input(argument, input.kind)).collect();
        operands.into_iter().collect()
    }

    fn argument_count<T>(&mut self, activity: &Activity, task: &Task, given: usize) -> Checked<T> {
        let inputs = task.ports.iter().filter(|port| port.role == Role::Input);
        let names: Vec<String> = inputs.map(|port| format!("{} {}", port.kind, port.name)).collect();
        let problem = Problem {
            code: code::ARGUMENT_COUNT,
            place: activity.place,
            message: format!(
                "task `{}` has {}, and {given} are given",
                task.name,
                plural(names.len(), "input")
            ),
            label: format!("{given} given"),
            help: format!(
                "give one value an input, in the order of their declaration: `{}({})`",
                task.name,
                names.join(", ")
            ),
        };
        self.reporter.report_with(problem, task.place, "declared here");
        Err(Refused)
    }
}

fn plural(count: usize, what: &str) -> String {
    match count {
        0 => format!("no {what}s"),
        1 => format!("one {what}"),
        _ => format!("{count} {what}s"),
    }
}
