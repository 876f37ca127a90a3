//! Replicas of a module, and the votes of those who read it.
//!
//! A replica is a copy of the module under a name of its own. Whoever reads an output of the module reads that of each replica at
//! the same instant, and takes what most say; so it has at that instant what it would have of the module alone.
//!
//! What a replica remembers would part from the others' for good if one input were lost. So it isn't kept in the replica: a
//! state becomes an output that all replicas read, and each job begins with what most of them had behind the last one.
//!
//! ```text
//!            +-> replica --+
//!   input ---+-> replica --+--> vote in each reader's job
//!            +-> replica --+
//!                 ^        |
//!                 +- vote -+  of states
//! ```

use std::collections::BTreeMap;

use beryl_timing::{
    Activity, Basic, Model, Module, Operand, Port, Role, Scalar, Task, Trigger, Type, Value, Vote,
};

use super::links::output;
use super::refused;
use crate::description::{Description, Problem, Replicas, code, suggestion};
use crate::error::BuildError;

/// Of each module that has replicas, these: the first one has the module's own number.
type Copies = BTreeMap<usize, Vec<usize>>;

/// Makes modules of all replicas, and lets all who read them vote.
pub(super) fn expand(mut model: Model, description: &Description) -> Result<Model, BuildError> {
    let mut copies = Copies::new();
    for replicas in &description.replicas {
        let number = number(&model, description, replicas)?;
        refuse_unlike(&model, &model.modules[number])?;
        let names =
            replicas.processes.iter().filter_map(|process| description.processes.get(process.value.index()));
        let names: Vec<_> = names.map(|process| replicas.name(&process.name.value)).collect();
        refuse_undescribed(description, replicas, &model.modules[number], &names)?;
        refuse_known(&model, description, replicas, &names)?;
        copies.insert(number, copy(&mut model, number, names));
        take_functions(&mut model, description);
    }
    for module in &model.modules {
        refuse_readers(&model, module, &copies)?;
    }
    let whole = model.clone();
    for (number, module) in model.modules.iter_mut().enumerate() {
        for task in 0..module.tasks.len() {
            Voter { whole: &whole, copies: &copies, module, task }.read();
        }
        let Some(own) = copies.values().find(|own| own.contains(&number)) else { continue };
        for task in 0..module.tasks.len() {
            Voter { whole: &whole, copies: &copies, module, task }.remember(own);
        }
    }
    Ok(model)
}

fn number(model: &Model, description: &Description, replicas: &Replicas) -> Result<usize, BuildError> {
    let named = &replicas.module;
    let found = model.modules.iter().position(|module| module.name == named.value);
    found.ok_or_else(|| {
        let known: Vec<&str> = model.modules.iter().map(|module| module.name.as_str()).collect();
        let message = format!("the timing program has no module `{}`", named.value);
        complain(
            description,
            replicas,
            code::UNKNOWN_NAME,
            message,
            suggestion(&named.value, &known, "modules"),
        )
    })
}

fn complain(
    description: &Description,
    replicas: &Replicas,
    code: &'static str,
    message: String,
    help: String,
) -> BuildError {
    let label = "of this module".to_owned();
    BuildError::Description(description.alone(Problem {
        code,
        place: replicas.module.place,
        message,
        label,
        help: help.into(),
    }))
}

/// Each replica has its tables about tasks from those of the module, which are found by its name.
fn refuse_undescribed(
    description: &Description,
    replicas: &Replicas,
    module: &Module,
    names: &[String],
) -> Result<(), BuildError> {
    let is_described = |task: &&Task| {
        let rows = description.tasks.iter().filter(|row| row.name.value == task.name);
        rows.filter_map(|row| row.module.as_ref()).any(|row| names.contains(row))
    };
    match module.tasks.iter().find(|task| !is_described(task)) {
        None => Ok(()),
        Some(Task { name: task, .. }) => {
            let name = &module.name;
            let message =
                format!("module `{name}` has replicas, and its task `{task}` isn't described with its name");
            let help = format!("describe it as [task.\"{name}.{task}\"], without `process`");
            Err(complain(description, replicas, code::MISSING, message, help))
        }
    }
}

fn refuse_known(
    model: &Model,
    description: &Description,
    replicas: &Replicas,
    names: &[String],
) -> Result<(), BuildError> {
    match model.modules.iter().find(|module| names.contains(&module.name)) {
        None => Ok(()),
        Some(Module { name, .. }) => Err(complain(
            description,
            replicas,
            code::DUPLICATE_NAME,
            format!("a replica would be called `{name}`, and a module is"),
            "give the module or the process another name".to_owned(),
        )),
    }
}

/// What would be done several times, or would part: only what is computed from values by tasks that run in each period can be voted.
fn refuse_unlike(model: &Model, module: &Module) -> Result<(), BuildError> {
    let refuse = |place, what: &str, why: &str, label: &str, help: &str| {
        Err(refused(
            model,
            place,
            format!("module `{}` has replicas, and {what}: {why}", module.name),
            label,
            help,
        ))
    };
    if let Some(actuator) = module.actuators.first() {
        let why = "each replica would write it";
        let help = "write it in another module, which imports this one and takes what most replicas say";
        return refuse(actuator.place, "it has an actuator", why, "written several times", help);
    }
    if let Some(sensor) = module.sensors.first() {
        let why = "each replica would read another value, so no two need agree";
        let help = "read it in another module, whose task hands it on to all replicas";
        return refuse(sensor.place, "it has a sensor", why, "read several times", help);
    }
    if let Some(mode) = module.modes.iter().find(|mode| module.modes.len() > 1 || !mode.switches.is_empty()) {
        let why = "a replica that misses a switch would stay in another mode than the others";
        let help = "leave one mode, and let a task decide from its inputs what it computes";
        return refuse(mode.place, "its modes change", why, "a mode of several, or one that is left", help);
    }
    if let Some(guard) = module.guards().next() {
        let why = "a replica whose guard says otherwise would leave out a job";
        let help = "let the task decide from its inputs what it computes";
        return refuse(guard.place, "it has a guard", why, "asked by each replica", help);
    }
    if let Some(activity) = module.asynchronous.first() {
        let why = "nobody knows when it counts";
        let help = "release the task by time";
        return refuse(
            activity.place,
            "a task of it isn't released by time",
            why,
            "without a logical execution time",
            help,
        );
    }
    Ok(())
}

/// A vote is a part of a job: whatever else reads an output has none.
fn refuse_readers(model: &Model, module: &Module, copies: &Copies) -> Result<(), BuildError> {
    let is_voted =
        |operand: &Operand| output(operand).is_some_and(|(module, ..)| copies.contains_key(&module));
    let refuse = |place, what: &str| {
        let message =
            format!("{what} reads a module with replicas, and only a task can take what most of them say");
        let help = "let a task read it, and read that task's output here";
        Err(refused(model, place, message, "read without a vote", help))
    };
    let mut guards = module.guards();
    if let Some(guard) =
        guards.find(|guard| guard.arguments.iter().any(|argument| is_voted(&argument.operand)))
    {
        return refuse(guard.place, "a guard");
    }
    for mode in &module.modes {
        let updates =
            mode.activities.iter().zip(&mode.places).filter_map(|(activity, place)| match activity {
                Activity::Actuator { source, .. } => Some((source, *place)),
                Activity::Task { .. } => None,
            });
        let entering = mode.entering.iter().map(|entering| (&entering.source, mode.place));
        if let Some((_, place)) = updates.chain(entering).find(|(source, _)| is_voted(source)) {
            return refuse(place, "an actuator");
        }
    }
    for activity in &module.asynchronous {
        let is_released = match &activity.trigger {
            Trigger::Port { module, .. } => copies.contains_key(module),
            Trigger::Interrupt(_) => false,
        };
        if is_released {
            return refuse(activity.place, "a release");
        }
    }
    Ok(())
}

/// Copies of a module under these names; the first one is the module itself.
fn copy(model: &mut Model, number: usize, names: Vec<String>) -> Vec<usize> {
    let mut copies = Vec::new();
    let mut names = names.into_iter();
    let Some((module, first)) = model.modules.get_mut(number).zip(names.next()) else { return copies };
    module.name = first;
    let module = module.clone();
    copies.push(number);
    for name in names {
        copies.push(model.modules.len());
        model.modules.push(Module { name, ..module.clone() });
    }
    copies
}

/// A replica may have another function than the others.
fn take_functions(model: &mut Model, description: &Description) {
    for module in &mut model.modules {
        let rows = description.tasks.iter().filter(|row| row.module.as_ref() == Some(&module.name));
        for (row, function) in rows.filter_map(|row| Some((row, row.function.as_ref()?))) {
            let own = module.tasks.iter_mut().find(|task| task.name == row.name.value);
            own.into_iter().for_each(|task| task.function.clone_from(&function.value));
        }
    }
}

/// A task that is given votes.
struct Voter<'a> {
    whole: &'a Model,
    copies: &'a Copies,
    module: &'a mut Module,
    task: usize,
}

impl Voter<'_> {
    /// Lets it vote for each input that comes from a module with replicas.
    fn read(&mut self) {
        let ports = self.ports_of(Role::Input);
        for (position, port) in ports.iter().enumerate() {
            let sources = self.operands().filter_map(|inputs| inputs.get(position));
            let voted =
                sources.filter(|source| self.replicas_of(source).is_some()).cloned().collect::<Vec<_>>();
            let Some(source) = voted.first() else { continue };
            let Some(count) = self.replicas_of(source).map(<[usize]>::len) else { continue };
            let initial = initial(self.whole, source);
            let mut of = vec![*port];
            for replica in 1..count {
                of.push(self.add_input(*port, replica));
                let (copies, copied) = (self.copies, position);
                self.each_inputs(|inputs| {
                    let source = inputs.get(copied).cloned();
                    inputs.extend(source.map(|source| of_replica(copies, source, replica)));
                });
            }
            let kept = self.keep(*port, initial);
            self.add_vote(kept, kept, of);
            let arguments = self.task_mut().map(|task| &mut task.arguments);
            arguments
                .into_iter()
                .flatten()
                .filter(|argument| **argument == *port)
                .for_each(|argument| *argument = kept);
        }
    }

    /// Makes an output of each state, for which it votes with all replicas of its module: these.
    fn remember(&mut self, replicas: &[usize]) {
        for port in self.ports_of(Role::State) {
            let is_own = self.task_mut().is_some_and(|task| {
                task.arguments.contains(&port) && !task.votes.iter().any(|vote| vote.kept == port)
            });
            if !is_own {
                continue;
            }
            let task = self.task;
            let mut of = Vec::new();
            for (replica, module) in replicas.iter().enumerate() {
                of.push(self.add_input(port, replica));
                let source = Operand::Output { module: *module, task, port };
                self.each_inputs(|inputs| inputs.push(source.clone()));
            }
            if let Some(state) = self.task_mut().and_then(|task| task.ports.get_mut(port)) {
                state.role = Role::Output;
            }
            self.add_vote(port, port, of);
        }
    }

    fn ports_of(&self, role: Role) -> Vec<usize> {
        let ports = self.module.tasks.get(self.task).map(|task| &task.ports);
        let ports = ports.into_iter().flatten().enumerate();
        ports.filter(|(_, port)| port.role == role).map(|(number, _)| number).collect()
    }

    /// What each of its releases reads.
    fn operands(&self) -> impl Iterator<Item = &Vec<Operand>> {
        let own = self.task;
        let periodic =
            self.module.modes.iter().flat_map(|mode| &mode.activities).filter_map(move |activity| {
                match activity {
                    Activity::Task { task, inputs, .. } if *task == own => Some(inputs),
                    _ => None,
                }
            });
        let asynchronous = self.module.asynchronous.iter().filter(move |activity| activity.task == own);
        periodic.chain(asynchronous.map(|activity| &activity.inputs))
    }

    /// Changes what each of its releases reads.
    fn each_inputs(&mut self, mut change: impl FnMut(&mut Vec<Operand>)) {
        for activity in self.module.modes.iter_mut().flat_map(|mode| &mut mode.activities) {
            match activity {
                Activity::Task { task, inputs, .. } if *task == self.task => change(inputs),
                _ => {}
            }
        }
        let own = self.module.asynchronous.iter_mut().filter(|activity| activity.task == self.task);
        own.for_each(|activity| change(&mut activity.inputs));
    }

    fn replicas_of(&self, operand: &Operand) -> Option<&[usize]> {
        self.copies.get(&output(operand)?.0).map(Vec::as_slice)
    }

    fn task_mut(&mut self) -> Option<&mut Task> {
        self.module.tasks.get_mut(self.task)
    }

    /// An input like a port, for what a replica says.
    fn add_input(&mut self, like: usize, replica: usize) -> usize {
        self.add(like, &replica.to_string(), |port| Port { role: Role::Input, initial: None, ..port })
    }

    /// A state of an input's name, for what most say. The input is what the first one says.
    fn keep(&mut self, input: usize, initial: Option<Value>) -> usize {
        let name = self.task_mut().and_then(|task| task.ports.get(input)).map(|port| port.name.clone());
        let kept = self.add(input, "0", |port| Port { role: Role::State, initial, ..port });
        let Some((task, name)) = self.task_mut().zip(name) else { return kept };
        if input < kept && kept < task.ports.len() {
            let given = std::mem::replace(&mut task.ports[kept].name, name);
            task.ports[input].name = given;
        }
        kept
    }

    /// A port like another one but for its name and what is changed.
    fn add(&mut self, like: usize, name: &str, change: impl FnOnce(Port) -> Port) -> usize {
        let Some(task) = self.task_mut() else { return like };
        let Some(port) = task.ports.get(like).cloned() else { return like };
        let name = format!("{}_{name}", port.name);
        task.ports.push(change(Port { name, ..port }));
        task.ports.len() - 1
    }

    fn add_vote(&mut self, port: usize, kept: usize, of: Vec<usize>) {
        let nothing = Value::Scalar(Scalar::Int(0));
        let outcome = self.add(port, "outcome", |port| Port {
            role: Role::State,
            kind: Type::basic(Basic::Int),
            initial: Some(nothing),
            ..port
        });
        self.task_mut().into_iter().for_each(|task| task.votes.push(Vote { kept, outcome, of: of.clone() }));
    }
}

/// The same of another replica, if it is of a module that has some.
fn of_replica(copies: &Copies, operand: Operand, replica: usize) -> Operand {
    match operand {
        Operand::Output { module, task, port } => {
            let copy = copies.get(&module).and_then(|own| own.get(replica)).copied();
            Operand::Output { module: copy.unwrap_or(module), task, port }
        }
        Operand::Field { of, path, offset } => {
            Operand::Field { of: Box::new(of_replica(copies, *of, replica)), path, offset }
        }
        Operand::Sensor(_) | Operand::Constant(_) => operand,
    }
}

/// What an output has at the start, or a field of it.
fn initial(model: &Model, operand: &Operand) -> Option<Value> {
    match operand {
        Operand::Constant(value) => Some(value.clone()),
        Operand::Sensor(_) => None,
        Operand::Output { module, task, port } => {
            model.modules.get(*module)?.tasks.get(*task)?.ports.get(*port)?.initial.clone()
        }
        Operand::Field { of, path, .. } => {
            let (module, task, port) = output(of)?;
            let mut kind = model.modules.get(module)?.tasks.get(task)?.ports.get(port)?.kind.clone();
            let mut value = initial(model, of)?;
            for name in path.split('.') {
                let beryl_timing::Element::Record(record) = &kind.element else { return None };
                let number = record.fields.iter().position(|field| field.name == name)?;
                let Value::List(fields) = &value else { return None };
                value = fields.get(number)?.clone();
                kind = record.fields.get(number)?.kind.clone();
            }
            Some(value)
        }
    }
}
