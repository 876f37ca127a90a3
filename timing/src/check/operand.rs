//! Operands: the sources of the values that activities use (rules 14, 15 and 16).

use super::constant::{is_constant, not_imported, unknown_imported};
use super::declaration::Declarations;
use super::name::{Entity, Scope};
use super::value::value;
use super::{Checks, Refused, suggestion};
use crate::diagnostic::{Problem, Reporter, code};
use crate::help::Help;
use crate::model::{Operand, Role, Task, Type};
use crate::place::Place;
use crate::syntax::{Expression, Form, Name};

/// Reads the activities of one module, with access to all declarations.
#[derive(Debug)]
pub(super) struct Reader<'a, 'r> {
    pub(super) scopes: &'a [Scope<'a>],
    pub(super) declarations: &'a [Declarations],
    pub(super) scope: &'a Scope<'a>,
    pub(super) reporter: &'r mut Reporter,
}

impl<'a> Reader<'a, '_> {
    pub(super) fn own(&self) -> &'a Declarations {
        &self.declarations[self.scope.index]
    }

    pub(super) fn refuse<T>(&mut self, problem: Problem) -> Checks<T> {
        self.reporter.report(problem);
        Err(Refused)
    }

    /// The operand of a task input or an actuator: outputs, sensors, constants and literals.
    pub(super) fn input(&mut self, expression: &Expression, kind: &Type) -> Checks<Operand> {
        match &expression.form {
            Form::Path(path) if !is_constant(path, self.scope) => {
                self.connected(path, expression.place, kind)
            }
            _ => value(expression, kind, self.scope, self.reporter).map(Operand::Constant),
        }
    }

    fn connected(&mut self, path: &[Name], place: Place, kind: &Type) -> Checks<Operand> {
        let (operand, found, declared) = self.resolve(path, place)?;
        if found == *kind {
            self.must_be_words(&operand, &found, place)?;
            return Ok(operand);
        }
        let problem = Problem {
            code: code::TYPE_MISMATCH,
            place,
            message: format!(
                "type `{kind}` is needed here, and this has type `{found}`; connected types are equal, nothing is converted"
            ),
            label: format!("of type `{found}`"),
            help: "change one of the two types, or convert in a task".into(),
        };
        self.reporter.report_with(problem, declared, "declared here");
        Err(Refused)
    }

    /// A sensor, `task.output` or `Module.task.output`, or a field of one, with its type and the place of the
    /// value's declaration.
    pub(super) fn resolve(&mut self, path: &[Name], place: Place) -> Checks<(Operand, Type, Place)> {
        let (first, rest) = path.split_first().ok_or(Refused)?;
        match (self.scope.names.get(first.text.as_str()), rest) {
            (Some(Entity::Sensor(index)), fields) => {
                let sensor = self.own().sensors.get(*index).ok_or(Refused)?;
                self.field((Operand::Sensor(*index), sensor.kind.clone(), sensor.place), first, fields)
            }
            (Some(Entity::Task(task)), [port, fields @ ..]) => {
                let output = self.output(self.scope.index, *task, port)?;
                self.field(output, port, fields)
            }
            (Some(Entity::Import(module)), [task, port, fields @ ..]) => {
                let output = self.imported(*module, task, port)?;
                self.field(output, port, fields)
            }
            (Some(Entity::Task(task)), []) => self.task_alone(*task, first, place),
            (Some(Entity::Import(module)), [name]) if !self.is_task(*module, name) => {
                unknown_imported(first, name, self.scope, self.reporter)
            }
            (Some(Entity::Import(_)), _) => self.module_alone(first, place),
            (Some(other), _) => self.no_value(*other, first, place),
            (None, _) => self.unknown(first, rest),
        }
    }

    fn output(&mut self, module: usize, task: usize, name: &Name) -> Checks<(Operand, Type, Place)> {
        let declared =
            self.declarations.get(module).and_then(|declared| declared.tasks.get(task)).ok_or(Refused)?;
        let found = self.declarations.get(module).and_then(|home| home.ports.get(&(task, name.text.clone())));
        let found = found.copied();
        self.reporter.count(1);
        match found.and_then(|index| Some((index, declared.ports.get(index)?))) {
            Some((port, found)) if found.role == Role::Output => {
                Ok((Operand::Output { module, task, port }, found.kind.clone(), found.place))
            }
            Some((_, found)) => {
                let problem = Problem {
                    code: code::WRONG_USE,
                    place: name.place,
                    message: format!(
                        "`{}` is {} {} of task `{}`, and only outputs can be seen from outside",
                        name.text,
                        article(found.role),
                        found.role,
                        declared.name
                    ),
                    label: "not an output".to_owned(),
                    help: outputs(declared, name.place, Named::InTask),
                };
                self.reporter.report_with(problem, found.place, "declared here");
                Err(Refused)
            }
            None => {
                let ports = declared
                    .ports
                    .iter()
                    .filter(|port| port.role == Role::Output)
                    .map(|port| port.name.as_str());
                self.refuse(Problem {
                    code: code::UNKNOWN_NAME,
                    place: name.place,
                    message: format!("task `{}` has no output called `{}`", declared.name, name.text),
                    label: "unknown output".to_owned(),
                    help: suggestion::proposal(name, ports, outputs(declared, name.place, Named::InTask)),
                })
            }
        }
    }

    fn imported(&mut self, module: usize, task: &Name, port: &Name) -> Checks<(Operand, Type, Place)> {
        let scope = self.scopes.get(module).ok_or(Refused)?;
        let declared = self.declarations.get(module).ok_or(Refused)?;
        let home = &scope.module.name.text;
        let Some(Entity::Task(index)) = scope.names.get(task.text.as_str()).copied() else {
            self.reporter.count(declared.tasks.len());
            let public = declared.tasks.iter().filter(|task| task.public).map(|task| task.name.as_str());
            return self.refuse(Problem {
                code: code::UNKNOWN_NAME,
                place: task.place,
                message: format!("module `{home}` has no task called `{}`", task.text),
                label: "unknown task".to_owned(),
                help: suggestion::proposal(task, public, "only outputs of public tasks cross modules"),
            });
        };
        match declared.tasks.get(index) {
            Some(found) if !found.public => {
                let begin = scope.module.tasks.get(index).map_or(found.place, |task| task.begin);
                let problem = Problem {
                    code: code::NOT_PUBLIC,
                    place: task.place,
                    message: format!(
                        "task `{}` of module `{home}` isn't public, so its outputs stay in the module",
                        task.text
                    ),
                    label: "not public".to_owned(),
                    help: Help::from(format!("declare it as `public task {}` in `{home}`", task.text))
                        .or(begin.before(), "public "),
                };
                self.reporter.report_with(problem, found.place, "declared here");
                Err(Refused)
            }
            _ => self.output(module, index, port),
        }
    }

    fn is_task(&self, module: usize, name: &Name) -> bool {
        let scope = self.scopes.get(module);
        scope.is_some_and(|scope| matches!(scope.names.get(name.text.as_str()), Some(Entity::Task(_))))
    }

    fn task_alone<T>(&mut self, task: usize, name: &Name, place: Place) -> Checks<T> {
        let declared = self.own().tasks.get(task).ok_or(Refused)?;
        self.refuse(Problem {
            code: code::WRONG_USE,
            place,
            message: format!("`{}` is a task; its values have the form `{}.output`", name.text, name.text),
            label: "not a value".to_owned(),
            help: outputs(declared, place, Named::WithTask),
        })
    }

    fn module_alone<T>(&mut self, name: &Name, place: Place) -> Checks<T> {
        self.refuse(Problem {
            code: code::WRONG_USE,
            place,
            message: format!(
                "`{}` is a module; its values have the form `{}.task.output`",
                name.text, name.text
            ),
            label: "not a value".to_owned(),
            help: "name a public task of it and one of the task's outputs".into(),
        })
    }

    fn no_value<T>(&mut self, entity: Entity, name: &Name, place: Place) -> Checks<T> {
        let text = &name.text;
        let (reason, help): (_, Help<Place>) = match entity {
            Entity::Constant => ("it has no parts", Help::write(place, text)),
            _ => (
                "no value comes from there",
                "take a sensor, a constant, or an output such as `task.output`".into(),
            ),
        };
        self.refuse(Problem {
            code: code::WRONG_USE,
            place,
            message: format!("`{text}` is {}, and {reason}", entity.description()),
            label: "not a value".to_owned(),
            help,
        })
    }

    /// Whether a module may be meant by these names behind its own: a task's output, or a constant.
    fn has(&self, module: usize, rest: &[Name]) -> bool {
        let names = self.scopes.get(module).map(|scope| &scope.names);
        let constant = |name: &Name| names.and_then(|names| names.get(name.text.as_str()));
        match rest {
            [name] => matches!(constant(name), Some(Entity::Constant)),
            _ => rest.len() == 2,
        }
    }

    fn unknown<T>(&mut self, name: &Name, rest: &[Name]) -> Checks<T> {
        let home = &self.scope.module.name.text;
        if let Some(module) = self.scope.modules.get(name.text.as_str())
            && self.has(*module, rest)
        {
            return not_imported(name, rest, self.scope, self.reporter);
        }
        let values = |(name, entity): (&&'a str, &Entity)| match (entity, rest.len()) {
            (Entity::Sensor(_) | Entity::Constant, 0) | (Entity::Task(_), 1) | (Entity::Import(_), 2) => {
                Some(*name)
            }
            _ => None,
        };
        let names: Vec<&str> = self.scope.names.iter().filter_map(values).collect();
        let what = match rest.len() {
            0 => "sensor or constant",
            1 => "task",
            _ => "import",
        };
        self.refuse(Problem {
            code: code::UNKNOWN_NAME,
            place: name.place,
            message: format!("module `{home}` has no {what} called `{}`", name.text),
            label: "unknown name".to_owned(),
            help: suggestion::proposal(
                name,
                names,
                "values are `sensor`, `constant`, `task.output` and `Module.task.output`",
            ),
        })
    }
}

fn article(role: Role) -> &'static str {
    match role {
        Role::State => "a",
        Role::Input | Role::Output => "an",
    }
}

/// Whether an output's name follows its task's, or is alone.
#[derive(Clone, Copy)]
enum Named {
    InTask,
    WithTask,
}

fn outputs(task: &Task, place: Place, named: Named) -> Help<Place> {
    let outputs: Vec<_> = task.ports.iter().filter(|port| port.role == Role::Output).collect();
    let names: Vec<String> = outputs.iter().map(|port| format!("`{}.{}`", task.name, port.name)).collect();
    let words = match names.as_slice() {
        [] => format!("task `{}` has no outputs: declare one", task.name),
        _ => format!("task `{}` offers {}", task.name, names.join(", ")),
    };
    outputs.iter().fold(Help::from(words), |help, port| match named {
        Named::InTask => help.or(place, port.name.as_str()),
        Named::WithTask => help.or(place, format!("{}.{}", task.name, port.name)),
    })
}
