//! Asynchronous activities: tasks released by an interrupt or a change of a port, less urgent than all
//! synchronous work.

use super::Checks;
use super::constant::constant;
use super::name::Entity;
use super::operand::Reader;
use crate::diagnostic::{Problem, code};
use crate::help::Help;
use crate::model::{Asynchronous, Operand, Part, Trigger, Type};
use crate::place::Place;
use crate::syntax::{self, Activity, Expression, Form, Literal};
use std::collections::BTreeMap;

impl Reader<'_, '_> {
    /// The asynchronous activities of the module. Faulty ones are reported and left out.
    pub(super) fn asynchronous(&mut self) -> Vec<Asynchronous> {
        self.invoked_once();
        let module = self.scope.module;
        let mut checked = Vec::new();
        for activity in &module.asynchronous {
            if self.reporter.is_full() {
                break;
            }
            checked.extend(self.asynchronous_activity(activity).ok());
        }
        checked
    }

    /// Checks that no mode and no other asynchronous activity invokes an asynchronous task (rule 7).
    fn invoked_once(&mut self) {
        let module = self.scope.module;
        let mut first: BTreeMap<&str, Place> = BTreeMap::new();
        let invokes = |activity: &&Activity| matches!(activity.action, syntax::Action::Invoke { .. });
        for activity in module.modes.iter().flat_map(|mode| &mode.activities).filter(invokes) {
            first.entry(&activity.name.text).or_insert(activity.place);
        }
        for activity in &module.asynchronous {
            let Some(before) = first.insert(&activity.task.text, activity.place) else { continue };
            let problem = Problem {
                code: code::INVOKED_TWICE,
                place: activity.place,
                message: format!(
                    "task `{}` is released elsewhere, too, so two of its jobs might overlap",
                    activity.task.text
                ),
                label: "a second time".to_owned(),
                help: "declare a second task with the same function".into(),
            };
            self.reporter.report_with(problem, before, "first here");
        }
    }

    fn asynchronous_activity(&mut self, activity: &syntax::Asynchronous) -> Checks<Asynchronous> {
        let trigger = self.trigger(activity);
        let priority = self.priority(activity);
        let guard = activity.guard.as_ref().map(|guard| self.guard(guard)).transpose();
        let task = self.invoked(&activity.task)?;
        let inputs = self.inputs(activity.place, task, &activity.arguments)?;
        let trigger = trigger?;
        if let Trigger::Port { module, task: source, .. } = trigger
            && (module, source) == (self.scope.index, task)
        {
            return self.no_trigger(
                activity.place,
                format!("task `{}` would release itself with every output", activity.task.text),
                "trigger it by another task's output, or by an interrupt",
            );
        }
        Ok(Asynchronous { task, trigger, priority: priority?, guard: guard?, inputs, place: activity.place })
    }

    /// An interrupt's name from the system description, or an output port.
    fn trigger(&mut self, activity: &syntax::Asynchronous) -> Checks<Trigger> {
        let Some(expression) = &activity.trigger else {
            return self.no_trigger(
                activity.task.place,
                format!("nothing says when task `{}` is released", activity.task.text),
                "write `[trigger = uart, priority = 2]` with the name of an interrupt or an output port",
            );
        };
        let help = "write the name of an interrupt of the system description, an output such as `task.output`, or a field of one";
        let Form::Path(path) = &expression.form else {
            return self.no_trigger(expression.place, "this is no trigger".to_owned(), help);
        };
        match path.as_slice() {
            [name] => match self.scope.names.get(name.text.as_str()) {
                None => Ok(Trigger::Interrupt(name.text.clone())),
                Some(entity) => {
                    let message = format!(
                        "`{}` is {}, and nothing comes from it by itself",
                        name.text,
                        entity.description()
                    );
                    self.no_trigger(expression.place, message, help)
                }
            },
            _ => {
                let (operand, kind, _) = self.resolve(path, expression.place)?;
                match on_output(operand, kind) {
                    Some(trigger) => Ok(trigger),
                    None => self.no_trigger(expression.place, "this is no trigger".to_owned(), help),
                }
            }
        }
    }

    fn no_trigger<T>(&mut self, place: Place, message: String, help: &str) -> Checks<T> {
        let label = "no trigger".to_owned();
        self.refuse(Problem { code: code::TRIGGER, place, message, label, help: help.into() })
    }

    fn priority(&mut self, activity: &syntax::Asynchronous) -> Checks<u8> {
        let trigger = activity.trigger.as_ref().map(|trigger| trigger.place.behind());
        let (place, message, edit) = match &activity.priority {
            None => {
                let name = &activity.task.text;
                (
                    activity.task.place,
                    format!("nothing says how urgent task `{name}` is among the asynchronous ones"),
                    trigger.map(|behind| (behind, ", priority = 2")),
                )
            }
            Some(expression) => match self.small(expression)? {
                Some(priority) => return Ok(priority),
                None => (
                    expression.place,
                    "a priority is a whole number from 0 to 255".to_owned(),
                    Some((expression.place, "2")),
                ),
            },
        };
        let help =
            Help::from("write `priority = 2`; more is more urgent, and all are below synchronous work");
        let help = edit.into_iter().fold(help, |help, (place, text)| help.or(place, text));
        self.refuse(Problem { code: code::PRIORITY, place, message, label: "no priority".to_owned(), help })
    }

    fn small(&mut self, expression: &Expression) -> Checks<Option<u8>> {
        match &*constant(expression, self.scope, self.reporter)? {
            Form::Literal(Literal::Integer(number)) => Ok(u8::try_from(*number).ok()),
            _ => Ok(None),
        }
    }

    /// The task of this name.
    pub(super) fn invoked(&mut self, name: &syntax::Name) -> Checks<usize> {
        match self.scope.names.get(name.text.as_str()) {
            Some(Entity::Task(task)) => Ok(*task),
            Some(other) => self.wrong_target(name, *other, "only a task can be invoked"),
            None => {
                let tasks = self.scope.module.tasks.iter().map(|task| task.name.text.as_str());
                self.unknown_target(name, "task", tasks)
            }
        }
    }
}

/// The trigger on an output or a field of one.
fn on_output(operand: Operand, kind: Type) -> Option<Trigger> {
    match operand {
        Operand::Output { module, task, port } => Some(Trigger::Port { module, task, port, part: None }),
        Operand::Field { of, path, offset } => match *of {
            Operand::Output { module, task, port } => {
                Some(Trigger::Port { module, task, port, part: Some(Part { path, offset, kind }) })
            }
            _ => None,
        },
        Operand::Sensor(_) | Operand::Constant(_) => None,
    }
}
