//! Modes: one start mode per module, and the period and activities of each mode (rules 1, 7, 12 and 14).

use super::declaration::Declarations;
use super::name::{Entity, Scope};
use super::operand::Reader;
use super::{Checks, Refused, rate, suggestion};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::{self, Entering, Microseconds, Role, Task};
use crate::place::Place;
use crate::syntax::{Action, Activity, Expression, Mode, Name};
use std::collections::BTreeMap;

/// The modes of a module.
#[derive(Debug)]
pub(super) struct Modes {
    pub(super) all: Vec<model::Mode>,
    /// Index of the start mode.
    pub(super) start: usize,
    pub(super) asynchronous: Vec<model::Asynchronous>,
}

/// The modes of each module. Faulty ones are reported and left out.
pub(super) fn modes(
    scopes: &[Scope<'_>],
    declarations: &[Declarations],
    reporter: &mut Reporter,
) -> Vec<Modes> {
    let mut modes = Vec::new();
    for scope in scopes {
        let mut reader = Reader { scopes, declarations, scope, reporter };
        let start = reader.start_mode();
        let all = scope.module.modes.iter().filter_map(|mode| reader.mode(mode).ok()).collect();
        let asynchronous = reader.asynchronous();
        modes.extend(start.ok().map(|start| Modes { all, start, asynchronous }));
    }
    modes
}

/// A checked activity: a switch, what is done on entering, or one of the others.
enum Part {
    Activity(model::Activity),
    Switch(model::Switch),
    Entering(Entering),
}

impl<'a> Reader<'a, '_> {
    fn start_mode(&mut self) -> Checks<usize> {
        let module = self.scope.module;
        let starts: Vec<(usize, &Mode)> =
            module.modes.iter().enumerate().filter(|(_, mode)| mode.start).collect();
        match (starts.as_slice(), module.modes.first()) {
            ([(only, _)], _) => Ok(*only),
            ([], Some(mode)) => {
                let help = Help::from("write `start` before `mode`").or(mode.begin.before(), "start ");
                self.no_start(mode.name.place, "not a start mode", help)
            }
            ([], None) => {
                let mode = "start mode main [period = 20ms] { }";
                let help = Help::from(format!("add `{mode}`")).or(module.body.behind(), format!(" {mode}"));
                self.no_start(module.name.place, "no start mode", help)
            }
            ([(_, first), (_, second), ..], _) => {
                let problem = Problem {
                    code: code::SECOND_START_MODE,
                    place: second.name.place,
                    message: format!(
                        "module `{}` has two start modes; it can begin in one only",
                        module.name.text
                    ),
                    label: "a second start mode".to_owned(),
                    help: Help::from("remove `start` here, and lead a mode switch to it")
                        .or(second.begin, ""),
                };
                self.reporter.report_with(problem, first.name.place, "the first start mode");
                Err(Refused)
            }
        }
    }

    fn no_start<T>(&mut self, place: Place, label: &str, help: Help<Place>) -> Checks<T> {
        self.refuse(Problem {
            code: code::MISSING_START_MODE,
            place,
            message: format!(
                "module `{}` has no start mode, so it would do nothing",
                self.scope.module.name.text
            ),
            label: label.to_owned(),
            help,
        })
    }

    fn mode(&mut self, mode: &'a Mode) -> Checks<model::Mode> {
        let period = rate::period(mode, self.scope, self.reporter);
        self.once_each(&mode.activities);
        let (mut activities, mut places, mut switches) = (Vec::new(), Vec::new(), Vec::new());
        let mut entering = Vec::new();
        for activity in &mode.activities {
            if self.reporter.is_full() {
                return Err(Refused);
            }
            match self.part(activity, period.as_ref().ok()) {
                Ok(Part::Activity(checked)) => {
                    activities.push(checked);
                    places.push(activity.place);
                }
                Ok(Part::Switch(switch)) => switches.push(switch),
                Ok(Part::Entering(update)) => entering.push(update),
                Err(Refused) => {}
            }
        }
        let (name, place) = (mode.name.text.clone(), mode.name.place);
        let mode = model::Mode { name, period: period?, activities, places, switches, entering, place };
        self.harmonic(&mode);
        Ok(mode)
    }

    /// A mode invokes a task, and updates an actuator, in at most one activity (rules 7 and 12), and on entering at
    /// most once.
    fn once_each(&mut self, activities: &'a [Activity]) {
        let mut first: BTreeMap<(bool, bool, &str), &Activity> = BTreeMap::new();
        for activity in activities {
            if matches!(activity.action, Action::Switch) {
                continue;
            }
            let invoked = matches!(activity.action, Action::Invoke { .. });
            let (entering, name) = (activity.entering.is_some(), &activity.name.text);
            let Some(before) = first.insert((invoked, entering, name), activity) else { continue };
            let (code, message, help) = match activity.action {
                Action::Invoke { .. } => (
                    code::INVOKED_TWICE,
                    format!("task `{name}` is invoked twice in this mode, so two of its jobs would overlap"),
                    "invoke it once with a higher frequency, or declare a second task with the same function",
                ),
                Action::Update { .. } if entering => (
                    code::SECOND_WRITER,
                    format!(
                        "actuator `{name}` is written twice on entering this mode, so its value would depend on their order"
                    ),
                    "write it once, or let one task decide the value",
                ),
                Action::Update { .. } | Action::Switch => (
                    code::SECOND_WRITER,
                    format!(
                        "actuator `{name}` has two writers in this mode, so its value would depend on their order"
                    ),
                    "let one task decide the value, and update the actuator from its output",
                ),
            };
            let label = "a second time".to_owned();
            let problem = Problem { code, place: activity.place, message, label, help: help.into() };
            self.reporter.report_with(problem, before.place, "first here");
        }
    }

    fn part(&mut self, activity: &'a Activity, period: Option<&Microseconds>) -> Checks<Part> {
        if let (Some(word), Action::Update { source }) = (activity.entering, &activity.action) {
            return self.entering(activity, word, source).map(Part::Entering);
        }
        let frequency = rate::frequency(activity, period, self.scope, self.reporter);
        let guard = activity.guard.as_ref().map(|guard| self.guard(guard)).transpose();
        let slots = frequency.as_ref().ok().map(|frequency| self.slots(&activity.slots, *frequency));
        let part = match &activity.action {
            Action::Invoke { arguments } => {
                let task = self.invoked(&activity.name)?;
                let inputs = self.inputs(activity.place, task, arguments);
                let (frequency, slots, guard) = (frequency?, slots.ok_or(Refused)??, guard?);
                Part::Activity(model::Activity::Task { task, frequency, slots, guard, inputs: inputs? })
            }
            Action::Update { source } => {
                let actuator = self.updated(activity)?;
                let kind = &self.own().actuators.get(actuator).ok_or(Refused)?.kind;
                let source = self.input(source, kind)?;
                let (frequency, slots, guard) = (frequency?, slots.ok_or(Refused)??, guard?);
                Part::Activity(model::Activity::Actuator { actuator, frequency, slots, guard, source })
            }
            Action::Switch => {
                let target = self.target(activity)?;
                let (frequency, slots, guard) = (frequency?, slots.ok_or(Refused)??, guard?);
                let whole = activity.frequency.as_ref().map_or(activity.place, |frequency| frequency.place);
                let place = activity.slots.first().map_or(whole, |first| first.place);
                Part::Switch(model::Switch { frequency, slots, guard, target, place })
            }
        };
        Ok(part)
    }

    /// `actuator [entering] name := source;`
    fn entering(&mut self, activity: &'a Activity, word: Place, source: &Expression) -> Checks<Entering> {
        let repeated = activity.frequency.as_ref().map(|frequency| ("a frequency", frequency.place));
        let repeated = repeated.or(activity.slots.first().map(|slots| ("slots", slots.place)));
        let alone = repeated.map_or(Ok(()), |(label, place)| self.not_both(label, place, word));
        let guard = activity.guard.as_ref().map(|guard| self.guard(guard)).transpose();
        let actuator = self.updated(activity)?;
        let kind = &self.own().actuators.get(actuator).ok_or(Refused)?.kind;
        let source = self.input(source, kind)?;
        alone?;
        Ok(Entering { actuator, guard: guard?, source })
    }

    fn not_both(&mut self, label: &str, place: Place, word: Place) -> Checks<()> {
        let problem = Problem {
            code: code::FREQUENCY,
            place,
            message: "what is done on entering a mode is done once, and this would repeat it".to_owned(),
            label: label.to_owned(),
            help: "write `[entering]` alone; if it has to be repeated, too, add an update with `freq`".into(),
        };
        self.reporter.report_with(problem, word, "done on entering");
        Err(Refused)
    }

    fn updated(&mut self, activity: &Activity) -> Checks<usize> {
        match self.scope.names.get(activity.name.text.as_str()) {
            Some(Entity::Actuator(actuator)) => Ok(*actuator),
            Some(other) => self.wrong_target(&activity.name, *other, "only an actuator can be updated"),
            None => {
                let actuators =
                    self.scope.module.actuators.iter().map(|actuator| actuator.name.text.as_str());
                self.unknown_target(&activity.name, "actuator", actuators)
            }
        }
    }

    fn target(&mut self, activity: &Activity) -> Checks<usize> {
        match self.scope.names.get(activity.name.text.as_str()) {
            Some(Entity::Mode(mode)) => Ok(*mode),
            Some(other) => self.wrong_target(&activity.name, *other, "only a mode can be switched to"),
            None => {
                let modes = self.scope.module.modes.iter().map(|mode| mode.name.text.as_str());
                self.unknown_target(&activity.name, "mode", modes)
            }
        }
    }

    pub(super) fn wrong_target<T>(&mut self, name: &Name, entity: Entity, rule: &str) -> Checks<T> {
        let (name, place) = (&name.text, name.place);
        self.refuse(Problem {
            code: code::WRONG_USE,
            place,
            message: format!("`{name}` is {}; {rule}", entity.description()),
            label: entity.description().to_owned(),
            help: "a task is invoked by `task [freq = 1] name(inputs);`, an actuator updated by `actuator [freq = 1] name := source;`, a mode entered by `mode [freq = 1] if guard(values) then name;`".into(),
        })
    }

    pub(super) fn unknown_target<'n, T>(
        &mut self,
        name: &Name,
        what: &str,
        names: impl Iterator<Item = &'n str>,
    ) -> Checks<T> {
        self.refuse(Problem {
            code: code::UNKNOWN_NAME,
            place: name.place,
            message: format!("module `{}` has no {what} called `{}`", self.scope.module.name.text, name.text),
            label: format!("unknown {what}"),
            help: suggestion::proposal(name, names, format!("declare the {what} in this module")),
        })
    }

    pub(super) fn inputs(
        &mut self,
        place: Place,
        task: usize,
        arguments: &[Expression],
    ) -> Checks<Vec<model::Operand>> {
        let task = self.own().tasks.get(task).ok_or(Refused)?;
        let inputs: Vec<_> = task.ports.iter().filter(|port| port.role == Role::Input).collect();
        if inputs.len() != arguments.len() {
            return self.argument_count(place, task, arguments.len());
        }
        let pairs = arguments.iter().zip(inputs);
        let operands: Vec<_> = pairs.map(|(argument, input)| self.input(argument, &input.kind)).collect();
        operands.into_iter().collect()
    }

    fn argument_count<T>(&mut self, place: Place, task: &Task, given: usize) -> Checks<T> {
        let inputs = task.ports.iter().filter(|port| port.role == Role::Input);
        let names: Vec<String> = inputs.map(|port| format!("{} {}", port.kind, port.name)).collect();
        let problem = Problem {
            code: code::ARGUMENT_COUNT,
            place,
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
            )
            .into(),
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
