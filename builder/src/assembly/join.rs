//! Joins timing program and system description; whatever one names and the other lacks is a diagnostic.

use std::collections::{BTreeMap, BTreeSet};

use beryl_kernel::Restart;
use beryl_timing::{self as timing, Model};

use crate::assembly::alternatives::{self, Body};
use crate::assembly::other::Other;
use crate::assembly::{
    Assembly, CellId, Cells, Driver, DriverKind, Frame, Home, Links, Objects, Process, Reaction, Role, Shape,
    Task, Thread, Vote,
};
use crate::description::{Description, OnFault, OnOverrun, Outputs, Refusals};
use crate::quantity::Bytes;

mod asynchronous;
mod bands;
mod conditions;
mod event_outputs;
mod held;
mod lengths;
mod linked;
mod modules;
mod offers;
mod problems;
mod reactions;
mod rhythm;
mod sleeps;
mod synchronous;
mod threads;

use bands::{Slots, bands};
use held::{holds, uses};
pub(super) use problems::Found;
pub use problems::JoinError;
use sleeps::sleeps;

/// Joins a timing program and a system description.
///
/// # Errors
/// All names that have no counterpart, and all limits of the kernel that are exceeded.
pub fn assemble(model: &Model, description: &Description) -> Result<Assembly, JoinError> {
    assemble_all(model, &[], description)
}

/// The same with the other programs that the description names for slots.
///
/// # Errors
/// As [`assemble`], and programs that don't go with the image's.
pub fn assemble_all(
    model: &Model,
    others: &[Other],
    description: &Description,
) -> Result<Assembly, JoinError> {
    assemble_linked(model, others, &Links::default(), description)
}

/// The same of a part of a system that has to do with others.
///
/// # Errors
/// As [`assemble_all`].
pub fn assemble_linked(
    model: &Model,
    others: &[Other],
    links: &Links,
    description: &Description,
) -> Result<Assembly, JoinError> {
    let mut found = Found::default();
    let (united, bodies) = alternatives::unite(model, others, description, &mut found);
    let mut join = Join { found, bodies, ..Join::new(&united, links, description) };
    join.add_tasks();
    join.add_threads();
    join.choose_purses();
    let mut functions = join.add_modules();
    join.add_alternatives(&mut functions);
    join.add_asynchronous(&mut functions);
    join.add_looked_at();
    join.add_reactions(&mut functions);
    join.check_synchronous();
    join.add_driver_threads(functions);
    join.add_idle_thread();
    join.add_objects();
    join.check_offers();
    join.check_descriptions_used();
    join.finish()
}

/// Where the ports of a task are.
struct Ports {
    /// Those of its function, and whether it may change them.
    arguments: Vec<(CellId, bool)>,
    votes: Vec<Vote>,
    inputs: Vec<CellId>,
    /// The driver that publishes its outputs, if it has any.
    publisher: Option<usize>,
}

/// What sensors and outputs of the model became.
#[derive(Default)]
struct Published {
    outputs: BTreeMap<(usize, usize, usize), CellId>,
    /// The same outputs as their tasks write them.
    own: BTreeMap<(usize, usize, usize), CellId>,
    sensors: BTreeMap<(usize, usize), (CellId, usize)>,
    actuators: BTreeMap<(usize, usize), CellId>,
    /// Constants that drivers copy and guards look at, by their bytes.
    constants: BTreeMap<(u32, Vec<u8>), CellId>,
}

struct Join<'a> {
    model: &'a Model,
    links: &'a Links,
    description: &'a Description,
    found: Found,
    assembly: Assembly,
    published: Published,
    /// Input cells of each task's thread, in the order of its input ports.
    inputs: Vec<Vec<CellId>>,
    slots: Slots,
    /// Other programs of modules.
    bodies: Vec<Body>,
    /// Which outputs tasks read at once, by the threads of writer and reader.
    at_once: BTreeMap<(usize, usize), BTreeSet<String>>,
}

impl<'a> Join<'a> {
    fn new(model: &'a Model, links: &'a Links, description: &'a Description) -> Self {
        let processes = description.processes.iter().map(|process| Process {
            name: process.name.value.clone(),
            functions: Vec::new(),
            driver_thread: None,
            stops_thread_only: process.on_fault == OnFault::StopThread,
            restarts: process.restarts.map(|restarts| Restart {
                most: restarts.most,
                within: restarts.within.value.rounded_up(description.board.board.tick),
            }),
            room: process.replaceable.map_or(Bytes::ZERO, |size| size.value),
            memory: process.memory.value,
            devices: process.devices.iter().map(|device| device.value.name.to_owned()).collect(),
            journal: process.journal.unwrap_or(0),
            critical_section: process.critical_section.as_ref().and_then(|name| {
                description.objects.locks.iter().position(|lock| lock.name.value == name.value)
            }),
            is_floating: process.is_floating(),
        });
        let frame = Frame::of(description);
        let assembly = Assembly {
            name: description.system.name.value.clone(),
            processes: processes.collect(),
            sharing: Vec::new(),
            threads: Vec::new(),
            bands: bands(description, &frame, model.modules.len()),
            drivers: Vec::new(),
            modules: Vec::new(),
            asynchronous: Vec::new(),
            ports: Vec::new(),
            alternatives: Vec::new(),
            records: model.records.clone(),
            in_c: description.c.functions.iter().map(|function| function.value.clone()).collect(),
            leaving: Vec::new(),
            arriving: Vec::new(),
            cells: Cells::default(),
            objects: Objects::default(),
            reports: Vec::new(),
            watchdogs: Vec::new(),
            sleeps: sleeps(description),
            frame,
            publishes_at_completion: description.system.outputs == Outputs::Completion,
            crashes: description.system.crashes,
            counts_lacks: description.system.refusals == Refusals::Counted,
            is_called: description.board.board.value.called.is_some(),
            warnings: Vec::new(),
        };
        Join {
            model,
            links,
            description,
            found: Found::default(),
            slots: Slots::new(&assembly.bands),
            assembly,
            published: Published::default(),
            inputs: Vec::new(),
            bodies: Vec::new(),
            at_once: BTreeMap::new(),
        }
    }

    /// A thread, its ports and the driver that publishes its outputs, for each task of the model.
    fn add_tasks(&mut self) {
        for (module_index, module) in self.model.modules.iter().enumerate() {
            for task_index in by_rate(module) {
                let task = &module.tasks[task_index];
                let about =
                    self.description.tasks.iter().filter(|row| row.is_about(&module.name, &task.name));
                let Some(row) = about.max_by_key(|row| row.module.is_some()) else {
                    self.found.undescribed_task(self.model, module, task);
                    continue;
                };
                let Some(lengths) = self.lengths(module, task_index) else { continue };
                let band = row.band.value.index();
                let place = row.priority.unwrap_or_else(|| self.slots.next(band));
                let process = row.process.value.index();
                let Ports { arguments, votes, inputs, publisher } =
                    self.add_ports(module_index, task_index, process);
                let tick = self.description.board.board.tick;
                let deadline = row.deadline.map(|own| own.value.rounded_down(tick));
                self.assembly.threads.push(Thread {
                    name: self.full_name(module_index, &task.name),
                    process,
                    band,
                    place,
                    priorities: None,
                    stack: row.stack.value,
                    role: Role::Task(Task {
                        module: module_index,
                        task: task_index,
                        function: task.function.clone(),
                        arguments,
                        votes,
                        logical: lengths.shortest,
                        deadline,
                        longest: lengths.longest,
                        separation: lengths.separation,
                        outputs: self.outputs(module_index, task_index),
                        publisher,
                        feeds: Vec::new(),
                        reaction: Reaction::default(),
                    }),
                    best: row.best.rounded_down(tick),
                    worst: row.worst.rounded_up(tick),
                    on_overrun: row.on_overrun.map_or(OnOverrun::Counts, |reaction| reaction.value),
                    budget: None,
                    tells: row.tells.as_ref().map(|told| told.value.clone()),
                    uses: uses(&row.uses),
                    holds: holds(&row.holds, tick),
                    argument: None,
                    is_policed: row.on_hold.is_some(),
                    waits: row.waits,
                    rank: 0,
                    level: 0,
                    highest_ceiling: 0,
                });
                self.inputs.push(inputs);
            }
        }
    }

    /// The outputs of a task whose ports are there, with the cells that others see.
    fn outputs(&self, module: usize, task: usize) -> Vec<(String, CellId)> {
        let ports = self.model.modules[module].tasks[task].ports.iter().enumerate();
        let visible = |port| self.published.outputs.get(&(module, task, port)).copied();
        ports.filter_map(|(index, port)| Some((port.name.clone(), visible(index)?))).collect()
    }

    /// What a task, sensor or actuator of a module is called: with its module before it where something of
    /// another module, on this node or another, or a thread, has the same name. So no two are called the same in a
    /// trace.
    fn full_name(&self, module: usize, name: &str) -> String {
        let has = |module: &timing::Module| {
            module.tasks.iter().any(|task| task.name == name)
                || module.sensors.iter().any(|sensor| sensor.name == name)
                || module.actuators.iter().any(|actuator| actuator.name == name)
        };
        let modules = || self.model.modules.iter().enumerate();
        let is_elsewhere = modules().any(|(other, row)| other != module && has(row))
            || self.links.elsewhere.contains(name)
            || self.description.threads.iter().any(|thread| thread.name.value == name);
        match self.model.modules.get(module).filter(|_| is_elsewhere) {
            Some(own) => format!("{}.{name}", own.name),
            None => name.to_owned(),
        }
    }

    /// The cells of a task's ports. Outputs lie together, so that one driver publishes all of them or none.
    fn add_ports(&mut self, module: usize, task: usize, process: usize) -> Ports {
        let model = &self.model.modules[module].tasks[task];
        let thread = self.assembly.threads.len();
        let home = Home::Process(process);
        let mut cells = vec![None; model.ports.len()];
        let mut inputs = Vec::new();
        for (index, port) in
            model.ports.iter().enumerate().filter(|(_, port)| port.role != timing::Role::Output)
        {
            let cell = self.assembly.cells.add(
                home,
                port.kind.clone(),
                port.initial.as_ref().map(timing::Value::bytes),
            );
            cells[index] = Some(cell);
            if port.role == timing::Role::Input {
                inputs.push(cell);
            }
        }
        self.assembly.cells.align(home);
        self.assembly.cells.align(Home::Published);
        let mut pairs = Vec::new();
        for (index, port) in
            model.ports.iter().enumerate().filter(|(_, port)| port.role == timing::Role::Output)
        {
            let initial = port.initial.as_ref().map(timing::Value::bytes);
            let private = self.assembly.cells.add(home, port.kind.clone(), initial.clone());
            let visible = self.assembly.cells.add(Home::Published, port.kind.clone(), initial);
            cells[index] = Some(private);
            self.published.outputs.insert((module, task, index), visible);
            self.published.own.insert((module, task, index), private);
            pairs.push((private, visible));
        }
        self.add_leaving((module, task), thread, process, &cells);
        let publisher = match (pairs.first(), pairs.last()) {
            (Some((from, to)), Some((last, _))) => {
                let length = self.assembly.cells.extent(*from, *last);
                let name = format!("publish {}", self.full_name(module, &model.name));
                self.found.check_length(self.model, model.place, &name, length);
                Some(self.add_driver(Driver {
                    name,
                    kind: DriverKind::Publish,
                    process,
                    task: Some(thread),
                    from: *from,
                    to: *to,
                    length,
                }))
            }
            _ => None,
        };
        let arguments = model.arguments.iter().filter_map(|port| Some((cells[*port]?, model.changes(*port))));
        let votes = model.votes.iter().filter_map(|timing::Vote { kept, outcome, of }| {
            let of = of.iter().map(|port| cells[*port]).collect::<Option<_>>()?;
            let is_remembered = model.ports[*kept].role == timing::Role::Output;
            Some(Vote { kept: cells[*kept]?, is_remembered, outcome: cells[*outcome]?, of })
        });
        Ports { arguments: arguments.collect(), votes: votes.collect(), inputs, publisher }
    }

    /// The objects, when all threads are known: their places, who may name them, and the ranks and levels of all.
    fn add_objects(&mut self) {
        for too_deep in super::uses::add(&mut self.assembly, self.description) {
            self.found.too_deep(self.description, &too_deep);
        }
        super::supervision::add(&mut self.assembly, self.description);
        super::levels::assign(&mut self.assembly);
        super::ranks::assign(&mut self.assembly);
    }

    /// What is described must exist: a misspelled name would otherwise be silently without effect.
    fn check_descriptions_used(&mut self) {
        for row in &self.description.tasks {
            let known = self
                .model
                .modules
                .iter()
                .any(|module| module.tasks.iter().any(|task| row.is_about(&module.name, &task.name)));
            if !known {
                self.found.unknown_task(self.description, self.model, row);
            }
        }
        for row in &self.description.drivers {
            let modules = || self.model.modules.iter();
            let getters = modules().flat_map(|module| module.sensors.iter().map(|sensor| &sensor.getter));
            let setters =
                modules().flat_map(|module| module.actuators.iter().map(|actuator| &actuator.setter));
            let others = self.bodies.iter().map(|other| &other.body);
            let guards = modules().chain(others).flat_map(timing::Module::guards);
            let guards = guards.flat_map(timing::Guard::natives).map(|native| native.function);
            let called = self.description.tasks.iter().filter_map(|task| task.on_miss.call.as_ref());
            let called = called.map(|call| &call.function.value);
            let names: Vec<_> = getters.chain(setters).chain(guards).chain(called).collect();
            if !names.iter().any(|name| **name == row.name.value) {
                self.found.unknown_driver(self.description, row, &names);
            }
        }
        self.check_functions_in_c();
    }

    /// A function in C is one of a task, driver or thread. Without an application all functions are in C, each as if the
    /// first source named it.
    fn check_functions_in_c(&mut self) {
        let drivers = self.assembly.processes.iter().flat_map(|process| &process.functions);
        let drivers = drivers.filter(|function| !matches!(function.shape, Shape::Holds { .. }));
        let names = drivers.map(|function| function.name.as_str());
        let names: Vec<_> = names.chain(self.assembly.threads.iter().filter_map(Thread::function)).collect();
        let named = &self.description.c.functions;
        for function in named.iter().filter(|function| !names.contains(&function.value.as_str())) {
            self.found.unknown_function_in_c(self.description, function, &names);
        }
        let (c, system) = (&self.description.c, &self.description.system);
        if c.place().is_some() && system.application.is_none() {
            let all: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
            self.assembly.in_c.extend(all);
        }
    }

    fn finish(mut self) -> Result<Assembly, JoinError> {
        self.found.check_counts(self.description, &self.assembly);
        self.found.finish().map(|()| self.assembly)
    }
}

/// A module's tasks by their rates, the fastest first: so tasks of one rate, and their drivers, have numbers
/// that follow each other, and system code names them by one instruction.
fn by_rate(module: &timing::Module) -> Vec<usize> {
    let shortest = |task: usize| {
        let lengths = module.modes.iter().flat_map(|mode| {
            let own = mode.activities.iter().filter(move |activity| {
                matches!(activity, timing::Activity::Task { task: invoked, .. } if *invoked == task)
            });
            own.map(|activity| activity.duration(mode.period))
        });
        lengths.min().unwrap_or(timing::Microseconds(u64::MAX))
    };
    let mut tasks: Vec<_> = (0..module.tasks.len()).collect();
    tasks.sort_by_key(|task| shortest(*task));
    tasks
}
