//! Other programs of modules with slots. Whatever they need becomes part of the image, too.
//!
//! A program that arrives later can only rearrange what is there. So all tasks, sensors and actuators of the
//! programs that the description names for a slot join the module, and every driver that they need gets a row.

use std::collections::BTreeMap;

use beryl_timing::{self as timing, Model, Operand};

use super::join::Found;
use super::other::Other;
use crate::description::{self, Description};

/// A program of a slot in terms of the united model.
pub(super) struct Body {
    pub slot: usize,
    pub file: String,
    pub module: usize,
    /// The united module with this program's modes.
    pub body: timing::Module,
}

/// The model with everything in it that other programs need, and those programs in its terms.
pub(super) fn unite(
    model: &Model,
    others: &[Other],
    description: &Description,
    found: &mut Found,
) -> (Model, Vec<Body>) {
    let mut united = model.clone();
    for other in others {
        let name = &description.objects.slots[other.slot].name.value;
        let (Some(known), Some(module)) = (index_of(&united, name), index_of(&other.model, name)) else {
            found.foreign_program(description, other);
            continue;
        };
        let added = other.model.modules[module].clone();
        join(&mut united.modules[known], &added, &other.model, found);
    }
    let bodies = others.iter().filter_map(|other| {
        let name = &description.objects.slots[other.slot].name.value;
        let (module, own) = (index_of(&united, name)?, index_of(&other.model, name)?);
        let names = Names::new(&united, &other.model, module, own);
        let own = &other.model.modules[own];
        let modes = own.modes.iter().map(|mode| names.mode(mode)).collect::<Option<_>>()?;
        let body = timing::Module { modes, start: own.start, ..united.modules[module].clone() };
        Some(Body { slot: other.slot, file: other.file.clone(), module, body })
    });
    let bodies = bodies.collect();
    (united, bodies)
}

/// The module of a slot.
pub(super) fn module_of(model: &Model, slot: &description::Slot) -> Option<usize> {
    index_of(model, &slot.name.value)
}

fn index_of(model: &Model, name: &str) -> Option<usize> {
    model.modules.iter().position(|module| module.name == name)
}

/// Adds to a module what it lacks. What both have must be the same.
fn join(module: &mut timing::Module, other: &timing::Module, model: &Model, found: &mut Found) {
    for task in &other.tasks {
        match module.tasks.iter().find(|known| known.name == task.name) {
            Some(known) if is_same_task(known, task) => {}
            Some(_) => found.other_than_the_images(model, "task", &task.name, task.place),
            None => module.tasks.push(timing::Task { place: module.place, ..task.clone() }),
        }
    }
    for sensor in &other.sensors {
        match module.sensors.iter().find(|known| known.name == sensor.name) {
            Some(known) if known.kind == sensor.kind && known.getter == sensor.getter => {}
            Some(_) => found.other_than_the_images(model, "sensor", &sensor.name, sensor.place),
            None => module.sensors.push(timing::Sensor { place: module.place, ..sensor.clone() }),
        }
    }
    for actuator in &other.actuators {
        let is_same = |known: &timing::Actuator| {
            known.kind == actuator.kind
                && known.setter == actuator.setter
                && known.initial == actuator.initial
        };
        match module.actuators.iter().find(|known| known.name == actuator.name) {
            Some(known) if is_same(known) => {}
            Some(_) => found.other_than_the_images(model, "actuator", &actuator.name, actuator.place),
            None => module.actuators.push(timing::Actuator { place: module.place, ..actuator.clone() }),
        }
    }
}

fn is_same_task(one: &timing::Task, other: &timing::Task) -> bool {
    let port = |port: &timing::Port| (port.name.clone(), port.role, port.kind.clone(), port.initial.clone());
    let ports = |task: &timing::Task| task.ports.iter().map(port).collect::<Vec<_>>();
    one.function == other.function && one.arguments == other.arguments && ports(one) == ports(other)
}

/// From numbers in another model to those in the united one.
struct Names {
    /// The module with the slot, in the other model.
    own: usize,
    tasks: BTreeMap<(usize, usize), (usize, usize)>,
    sensors: Vec<Option<usize>>,
    actuators: Vec<Option<usize>>,
}

impl Names {
    fn new(united: &Model, other: &Model, module: usize, own: usize) -> Names {
        let mut tasks = BTreeMap::new();
        for (index, row) in other.modules.iter().enumerate() {
            let Some(home) = index_of(united, &row.name) else { continue };
            for (task_index, task) in row.tasks.iter().enumerate() {
                let known = united.modules[home].tasks.iter().position(|known| known.name == task.name);
                known.into_iter().for_each(|known| {
                    tasks.insert((index, task_index), (home, known));
                });
            }
        }
        let target = &united.modules[module];
        let module = &other.modules[own];
        Names {
            own,
            tasks,
            sensors: module
                .sensors
                .iter()
                .map(|sensor| target.sensors.iter().position(|known| known.name == sensor.name))
                .collect(),
            actuators: module
                .actuators
                .iter()
                .map(|actuator| target.actuators.iter().position(|known| known.name == actuator.name))
                .collect(),
        }
    }

    /// A mode of the other model. Nothing if something in it has no counterpart, which has been reported.
    fn mode(&self, own: &timing::Mode) -> Option<timing::Mode> {
        let activities = own.activities.iter().map(|activity| self.activity(activity));
        let switches = own.switches.iter().map(|switch| {
            Some(timing::Switch { guard: self.guard(switch.guard.as_ref())?, ..switch.clone() })
        });
        let entering = own.entering.iter().map(|entering| {
            Some(timing::Entering {
                actuator: (*self.actuators.get(entering.actuator)?)?,
                guard: self.guard(entering.guard.as_ref())?,
                source: self.operand(&entering.source)?,
            })
        });
        Some(timing::Mode {
            activities: activities.collect::<Option<_>>()?,
            switches: switches.collect::<Option<_>>()?,
            entering: entering.collect::<Option<_>>()?,
            ..own.clone()
        })
    }

    fn activity(&self, activity: &timing::Activity) -> Option<timing::Activity> {
        Some(match activity {
            timing::Activity::Task { task, frequency, slots, guard, inputs } => {
                let (_, known) = *self.tasks.get(&(self.own, *task))?;
                let inputs = inputs.iter().map(|operand| self.operand(operand)).collect::<Option<_>>()?;
                let guard = self.guard(guard.as_ref())?;
                let (frequency, slots) = (*frequency, slots.clone());
                timing::Activity::Task { task: known, frequency, slots, guard, inputs }
            }
            timing::Activity::Actuator { actuator, frequency, slots, guard, source } => {
                timing::Activity::Actuator {
                    actuator: (*self.actuators.get(*actuator)?)?,
                    frequency: *frequency,
                    slots: slots.clone(),
                    guard: self.guard(guard.as_ref())?,
                    source: self.operand(source)?,
                }
            }
        })
    }

    /// A guard, if there is one. The outer `None` is a guard with something that has no counterpart.
    #[expect(clippy::option_option, reason = "a guard may be missing from the text, or from the image")]
    fn guard(&self, guard: Option<&timing::Guard>) -> Option<Option<timing::Guard>> {
        let Some(guard) = guard else { return Some(None) };
        let arguments = guard.arguments.iter().map(|argument| {
            let operand = self.operand(&argument.operand)?;
            Some(timing::Argument { operand, kind: argument.kind.clone() })
        });
        Some(Some(timing::Guard { arguments: arguments.collect::<Option<_>>()?, ..guard.clone() }))
    }

    fn operand(&self, operand: &Operand) -> Option<Operand> {
        Some(match operand {
            Operand::Output { module, task, port } => {
                let (module, task) = *self.tasks.get(&(*module, *task))?;
                Operand::Output { module, task, port: *port }
            }
            Operand::Sensor(sensor) => Operand::Sensor((*self.sensors.get(*sensor)?)?),
            Operand::Constant(value) => Operand::Constant(value.clone()),
            Operand::Field { of, path, offset } => {
                let (of, path) = (Box::new(self.operand(of)?), path.clone());
                Operand::Field { of, path, offset: *offset }
            }
        })
    }
}
