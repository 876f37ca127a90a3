//! Which values cross between nodes: outputs that modules on other nodes read.

use std::collections::BTreeMap;

use beryl_abi::ProcessId;
use beryl_timing::{Activity, Argument, Model, Module, Operand, Trigger};

use super::refused;
use crate::description::{Description, Node};
use crate::error::BuildError;

/// A value that crosses: an output, by its numbers in the whole model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The module, task and port, as other modules name them.
    pub name: String,
    /// The module.
    pub module: usize,
    /// The task in it.
    pub task: usize,
    /// The port of that.
    pub port: usize,
    /// Its bytes, in whole words.
    pub length: u32,
    /// The node that sends it.
    pub from: usize,
    /// The nodes that read it.
    pub to: Vec<usize>,
}

impl Link {
    /// The same, with those readers only that are on other machines.
    pub(super) fn far(&self, nodes: &[Node]) -> Link {
        let to = self.to.iter().copied().filter(|reader| !self.is_near(*reader, nodes));
        Link { to: to.collect(), ..self.clone() }
    }

    /// Whether a reader is on the machine that it comes from.
    fn is_near(&self, reader: usize, nodes: &[Node]) -> bool {
        let machine = |node: usize| nodes.get(node).map(|node| node.machine);
        machine(reader) == machine(self.from)
    }
}

/// The node of each module: that of all of its tasks and drivers; `word` is what has kernels.
pub(super) fn places(model: &Model, description: &Description, word: &str) -> Result<Vec<usize>, BuildError> {
    model.modules.iter().map(|module| place(model, module, description, word)).collect()
}

fn place(model: &Model, module: &Module, description: &Description, word: &str) -> Result<usize, BuildError> {
    let node = |process: ProcessId| Some(description.processes.get(process.index())?.node?.value);
    let tasks = module.tasks.iter().filter_map(|task| {
        let rows = description.tasks.iter().filter(|row| row.is_about(&module.name, &task.name));
        let row = rows.max_by_key(|row| row.module.is_some())?;
        Some((node(row.process.value)?, format!("task `{}`", task.name)))
    });
    let natives = module.sensors.iter().map(|sensor| &sensor.getter);
    let natives = natives.chain(module.actuators.iter().map(|actuator| &actuator.setter));
    let guards = module.guards().flat_map(|guard| guard.natives()).map(|native| native.function);
    let drivers = natives.chain(guards).filter_map(|function| {
        let row = description.drivers.iter().find(|row| row.name.value == *function)?;
        Some((node(row.process.value)?, format!("driver `{function}`")))
    });
    let mut all = tasks.chain(drivers);
    let refuse =
        |message, label: String, help: String| Err(refused(model, module.place, message, &label, &help));
    let Some((first, what)) = all.next() else {
        return refuse(
            format!("nothing says on which {word} module `{}` is", module.name),
            "without a described task or driver".to_owned(),
            "describe one of its tasks, sensors, actuators or guards: it is where they are".to_owned(),
        );
    };
    let name = |node: usize| description.nodes.get(node).map(|node| node.name.as_str()).unwrap_or_default();
    match all.find(|(node, _)| *node != first) {
        None => Ok(first),
        Some((other, elsewhere)) => refuse(
            format!(
                "module `{}` is on two {word}s: {what} is on `{}`, and {elsewhere} is on `{}`",
                module.name,
                name(first),
                name(other)
            ),
            format!("a module is on one {word}"),
            format!(
                "put its tasks and drivers into processes of one {word}, or make two modules of it, one of which imports the other"
            ),
        ),
    }
}

/// The outputs that modules on other nodes read, in the order of the text.
pub(super) fn links(model: &Model, places: &[usize], word: &str) -> Result<Vec<Link>, BuildError> {
    let mut readers: BTreeMap<(usize, usize, usize), Vec<usize>> = BTreeMap::new();
    for (module, place) in model.modules.iter().zip(places) {
        for (module, task, port) in read_by(module) {
            let is_elsewhere = places.get(module).is_some_and(|from| from != place);
            let nodes = readers.entry((module, task, port)).or_default();
            if is_elsewhere && !nodes.contains(place) {
                nodes.push(*place);
            }
        }
        refuse_triggers(model, module, *place, places, word)?;
    }
    let crossing = readers.into_iter().filter(|(_, to)| !to.is_empty());
    let link = |((module, task, port), to): ((usize, usize, usize), Vec<usize>)| {
        let row = model.modules.get(module)?;
        let sender = row.tasks.get(task)?;
        let output = sender.ports.get(port)?;
        Some(Link {
            name: format!("{}.{}.{}", row.name, sender.name, output.name),
            module,
            task,
            port,
            length: output.kind.size().next_multiple_of(4),
            from: *places.get(module)?,
            to,
        })
    };
    let links: Vec<Link> = crossing.filter_map(link).collect();
    links.iter().try_for_each(|link| refuse_asynchronous(model, link, word))?;
    Ok(links)
}

/// The outputs that a module reads, its own among them.
pub(super) fn read_by(module: &Module) -> Vec<(usize, usize, usize)> {
    let arguments =
        module.guards().flat_map(|guard| &guard.arguments).map(|Argument { operand, .. }| operand);
    let activities =
        module.modes.iter().flat_map(|mode| &mode.activities).flat_map(|activity| match activity {
            Activity::Task { inputs, .. } => inputs.iter().collect::<Vec<_>>(),
            Activity::Actuator { source, .. } => vec![source],
        });
    let entering = module.modes.iter().flat_map(|mode| &mode.entering).map(|entering| &entering.source);
    let asynchronous = module.asynchronous.iter().flat_map(|activity| &activity.inputs);
    arguments.chain(activities).chain(entering).chain(asynchronous).filter_map(output).collect()
}

/// The output that an operand is, or is a part of.
pub(super) fn output(operand: &Operand) -> Option<(usize, usize, usize)> {
    match operand {
        Operand::Output { module, task, port } => Some((*module, *task, *port)),
        Operand::Field { of, .. } => output(of),
        Operand::Sensor(_) | Operand::Constant(_) => None,
    }
}

/// Nothing happens on a node because a value changes on another: that would come at no logical instant.
fn refuse_triggers(
    model: &Model,
    module: &Module,
    place: usize,
    places: &[usize],
    word: &str,
) -> Result<(), BuildError> {
    for activity in &module.asynchronous {
        let Trigger::Port { module: from, .. } = &activity.trigger else { continue };
        if places.get(*from).is_some_and(|from| *from != place) {
            return Err(refused(
                model,
                activity.place,
                format!("an output of another {word} can't release a task: it arrives before it counts"),
                &format!("released from another {word}"),
                &format!("put both modules on one {word}, or look at the output periodically"),
            ));
        }
    }
    Ok(())
}

/// What is sent counts from an instant on that is known before: the end of a logical execution time.
fn refuse_asynchronous(model: &Model, link: &Link, word: &str) -> Result<(), BuildError> {
    let Some(module) = model.modules.get(link.module) else { return Ok(()) };
    let Some(activity) = module.asynchronous.iter().find(|activity| activity.task == link.task) else {
        return Ok(());
    };
    Err(refused(
        model,
        activity.place,
        format!(
            "`{}` is read on another {word}, and its task isn't released by time: nobody knows when it counts",
            link.name
        ),
        "without a logical execution time",
        &format!("put its readers on its own {word}, or copy it by a periodic task"),
    ))
}
