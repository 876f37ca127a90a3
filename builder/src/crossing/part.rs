//! The part of a timing program that is on a node: its modules, with sensors for what they read of others.

use std::collections::BTreeSet;

use beryl_timing::{Activity, Guard, Model, Module, Operand, Sensor, Trigger};

use super::links::Link;
use crate::assembly::{Arrival, Departure, Links};
use crate::description::Description;

/// A part of a model.
pub(super) struct Cut {
    pub(super) model: Model,
    pub(super) links: Links,
    /// The numbers of its modules in the whole.
    pub(super) modules: Vec<usize>,
}

/// The part of `node`; `places` are the nodes of the modules.
pub(super) fn cut(whole: &Model, places: &[usize], links: &[Link], node: usize) -> Cut {
    let modules: Vec<usize> =
        (0..whole.modules.len()).filter(|module| places.get(*module) == Some(&node)).collect();
    let mut cut = Cutter { whole, links, modules: &modules, arrivals: Vec::new() };
    let own = modules
        .iter()
        .enumerate()
        .filter_map(|(index, module)| Some(cut.module(index, whole.modules.get(*module)?)));
    let own: Vec<Module> = own.collect();
    let departures = links.iter().enumerate().filter_map(|(link, row)| {
        let module = modules.iter().position(|module| *module == row.module)?;
        Some(Departure { module, task: row.task, port: row.port, link })
    });
    let others = whole.modules.iter().zip(places).filter(|(_, place)| **place != node);
    let elsewhere = others.flat_map(|(module, _)| names(module)).cloned().collect();
    let links = Links { departures: departures.collect(), arrivals: cut.arrivals, elsewhere };
    let mut model = whole.clone();
    model.modules = own;
    Cut { model, links, modules }
}

/// What tasks, sensors and actuators of a module are called.
fn names(module: &Module) -> impl Iterator<Item = &String> {
    let tasks = module.tasks.iter().map(|task| &task.name);
    let sensors = module.sensors.iter().map(|sensor| &sensor.name);
    tasks.chain(sensors).chain(module.actuators.iter().map(|actuator| &actuator.name))
}

/// The interrupts that release tasks of a part.
pub(super) fn triggers(model: &Model) -> BTreeSet<String> {
    let activities = model.modules.iter().flat_map(|module| &module.asynchronous);
    let names = activities.filter_map(|activity| match &activity.trigger {
        Trigger::Interrupt(name) => Some(name.clone()),
        Trigger::Port { .. } => None,
    });
    names.collect()
}

/// The native functions of a part.
pub(super) fn functions(model: &Model, description: &Description) -> BTreeSet<String> {
    let tasks = model.modules.iter().flat_map(|module| &module.tasks).map(|task| task.function.clone());
    let drivers = description.drivers.iter().map(|row| row.name.value.clone());
    let threads = description.threads.iter().map(|row| row.entry.value.clone());
    tasks.chain(drivers).chain(threads).collect()
}

/// Cuts modules out of a whole.
struct Cutter<'a> {
    whole: &'a Model,
    links: &'a [Link],
    /// The numbers in the whole of those that are kept.
    modules: &'a [usize],
    arrivals: Vec<Arrival>,
}

impl Cutter<'_> {
    /// A module that will have this number in the part.
    fn module(&mut self, index: usize, module: &Module) -> Module {
        let mut own = module.clone();
        own.imports = module.imports.iter().filter_map(|module| self.number(*module)).collect();
        for activity in &mut own.asynchronous {
            if let Trigger::Port { module, .. } = &mut activity.trigger {
                *module = self.number(*module).unwrap_or(*module);
            }
        }
        let mut sensors = own.sensors.clone();
        let mut read = |operand: &mut Operand| self.operand(index, operand, &mut sensors);
        for mode in &mut own.modes {
            for activity in &mut mode.activities {
                match activity {
                    Activity::Task { guard, inputs, .. } => {
                        in_guard(guard, &mut read);
                        inputs.iter_mut().for_each(&mut read);
                    }
                    Activity::Actuator { guard, source, .. } => {
                        in_guard(guard, &mut read);
                        read(source);
                    }
                }
            }
            mode.switches.iter_mut().for_each(|switch| in_guard(&mut switch.guard, &mut read));
            for entering in &mut mode.entering {
                in_guard(&mut entering.guard, &mut read);
                read(&mut entering.source);
            }
        }
        for activity in &mut own.asynchronous {
            in_guard(&mut activity.guard, &mut read);
            activity.inputs.iter_mut().for_each(&mut read);
        }
        own.sensors = sensors;
        own
    }

    /// The number in the part of a module of the whole.
    fn number(&self, module: usize) -> Option<usize> {
        self.modules.iter().position(|kept| *kept == module)
    }

    /// What a module of the part reads instead of an operand of the whole.
    fn operand(&mut self, reader: usize, operand: &mut Operand, sensors: &mut Vec<Sensor>) {
        match operand {
            Operand::Sensor(_) | Operand::Constant(_) => {}
            Operand::Field { of, .. } => self.operand(reader, of, sensors),
            Operand::Output { module, task, port } => match self.number(*module) {
                Some(number) => *module = number,
                None => {
                    if let Some(sensor) = self.sensor(reader, (*module, *task, *port), sensors) {
                        *operand = Operand::Sensor(sensor);
                    }
                }
            },
        }
    }

    /// The sensor that a module has for an output of another node, a new one at its first use.
    fn sensor(
        &mut self,
        reader: usize,
        output: (usize, usize, usize),
        sensors: &mut Vec<Sensor>,
    ) -> Option<usize> {
        let link = self.links.iter().position(|link| (link.module, link.task, link.port) == output)?;
        if let Some(known) = self.arrivals.iter().find(|row| row.module == reader && row.link == link) {
            return Some(known.sensor);
        }
        let port = self.whole.modules.get(output.0)?.tasks.get(output.1)?.ports.get(output.2)?;
        let initial = port.initial.as_ref().map(beryl_timing::Value::bytes).unwrap_or_default();
        sensors.push(Sensor {
            name: self.links.get(link)?.name.clone(),
            kind: port.kind.clone(),
            getter: String::new(),
            uses: port.place,
            place: port.place,
        });
        let sensor = sensors.len() - 1;
        self.arrivals.push(Arrival { module: reader, sensor, link, initial });
        Some(sensor)
    }
}

fn in_guard(guard: &mut Option<Guard>, read: &mut impl FnMut(&mut Operand)) {
    guard.iter_mut().flat_map(|guard| &mut guard.arguments).for_each(|argument| read(&mut argument.operand));
}
