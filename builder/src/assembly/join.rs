//! Joins timing program and system description; whatever one names and the other lacks is a diagnostic.

use std::collections::BTreeMap;

use beryl_abi::Duration;
use beryl_timing::{self as timing, Model, Operand, Type};

use crate::assembly::alternatives::{self, Body, Other};
use crate::assembly::{
    Activity, Alternative, Assembly, CellId, Cells, Driver, DriverKind, Function, Home, Input, Module,
    Objects, Process, Role, Task, Thread,
};
use crate::description::{Description, OnFault, Outputs};

mod bands;
mod problems;
mod threads;

use bands::{Slots, bands};
pub(super) use problems::Found;
pub use problems::JoinError;
use threads::uses;

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
    let mut found = Found::default();
    let (united, bodies) = alternatives::unite(model, others, description, &mut found);
    let mut join = Join { found, bodies, ..Join::new(&united, description) };
    join.add_tasks();
    join.add_threads();
    let mut functions = join.add_modules();
    join.add_alternatives(&mut functions);
    join.add_driver_threads(functions);
    join.add_idle_thread();
    join.add_objects();
    join.check_descriptions_used();
    join.finish()
}

/// What sensors and outputs of the model became.
#[derive(Default)]
struct Published {
    outputs: BTreeMap<(usize, usize, usize), CellId>,
    sensors: BTreeMap<(usize, usize), (CellId, usize)>,
    /// What actuators are set to.
    actuators: BTreeMap<(usize, usize), CellId>,
}

/// The activity by which a mode invokes a task.
fn invocation(mode: &timing::Mode, task: usize) -> Option<&timing::Activity> {
    mode.activities
        .iter()
        .find(|activity| matches!(activity, timing::Activity::Task { task: invoked, .. } if *invoked == task))
}

struct Join<'a> {
    model: &'a Model,
    description: &'a Description,
    found: Found,
    assembly: Assembly,
    published: Published,
    /// Input cells of each task's thread, in the order of its input ports.
    inputs: Vec<Vec<CellId>>,
    slots: Slots,
    /// Other programs of modules.
    bodies: Vec<Body>,
}

impl<'a> Join<'a> {
    fn new(model: &'a Model, description: &'a Description) -> Self {
        let processes = description.processes.iter().map(|process| Process {
            name: process.name.value.clone(),
            functions: Vec::new(),
            driver_thread: None,
            stops_thread_only: process.on_fault == OnFault::StopThread,
            memory: process.memory.value,
            devices: process.devices.iter().map(|device| device.value.name.to_owned()).collect(),
        });
        let assembly = Assembly {
            name: description.system.name.value.clone(),
            processes: processes.collect(),
            threads: Vec::new(),
            bands: bands(description, model.modules.len()),
            drivers: Vec::new(),
            modules: Vec::new(),
            alternatives: Vec::new(),
            cells: Cells::default(),
            objects: Objects::default(),
            publishes_at_completion: description.system.outputs == Outputs::Completion,
        };
        Join {
            model,
            description,
            found: Found::default(),
            slots: Slots::new(&assembly.bands),
            assembly,
            published: Published::default(),
            inputs: Vec::new(),
            bodies: Vec::new(),
        }
    }

    /// A thread, its ports and the driver that publishes its outputs, for each task of the model.
    fn add_tasks(&mut self) {
        for (module_index, module) in self.model.modules.iter().enumerate() {
            for (task_index, task) in module.tasks.iter().enumerate() {
                let about =
                    self.description.tasks.iter().filter(|row| row.is_about(&module.name, &task.name));
                let Some(row) = about.max_by_key(|row| row.module.is_some()) else {
                    self.found.undescribed_task(self.model, module, task);
                    continue;
                };
                let Some(logical) = self.logical(module, task_index) else { continue };
                let band = row.band.value.index();
                let place = row.priority.unwrap_or_else(|| self.slots.next(band));
                let process = row.process.value.index();
                let (arguments, inputs, publisher) = self.add_ports(module_index, task_index, process);
                let tick = self.description.board.board.tick;
                self.assembly.threads.push(Thread {
                    name: self.task_name(module, task),
                    process,
                    band,
                    place,
                    stack: row.stack.value,
                    role: Role::Task(Task {
                        module: module_index,
                        task: task_index,
                        function: task.function.clone(),
                        arguments,
                        logical,
                        publisher,
                    }),
                    best: row.best.rounded_down(tick),
                    worst: row.worst.rounded_up(tick),
                    uses: uses(&row.uses),
                    rank: 0,
                    level: 0,
                    highest_ceiling: 0,
                });
                self.inputs.push(inputs);
            }
        }
    }

    /// A task's name where it is unique in the system, with its module where it isn't.
    fn task_name(&self, module: &timing::Module, task: &timing::Task) -> String {
        let tasks = self.model.modules.iter().flat_map(|module| &module.tasks);
        match tasks.filter(|other| other.name == task.name).count() {
            1 => task.name.clone(),
            _ => format!("{}.{}", module.name, task.name),
        }
    }

    /// The logical execution time of a task; nothing if no mode invokes it. Where only another program
    /// does, it is [`Duration::FOREVER`]: the image's never releases it.
    fn logical(&mut self, module: &timing::Module, task: usize) -> Option<Duration> {
        match invocation(&module.mode, task) {
            Some(activity) => self.ticks(module, activity.duration(module.mode.period)),
            None if self.is_invoked_later(module, task) => Some(Duration::FOREVER),
            None => {
                self.found.uninvoked_task(self.model, module, &module.tasks[task]);
                None
            }
        }
    }

    fn is_invoked_later(&self, module: &timing::Module, task: usize) -> bool {
        let bodies = self.bodies.iter().filter(|body| body.body.name == module.name);
        bodies.into_iter().any(|body| invocation(&body.body.mode, task).is_some())
    }

    fn ticks(&mut self, module: &timing::Module, time: timing::Microseconds) -> Option<Duration> {
        let tick = self.description.board.board.tick.get().max(1);
        let nanoseconds = time.0.checked_mul(1000)?;
        if nanoseconds % tick != 0 {
            self.found.uneven_period(self.model, module, nanoseconds, tick);
            return None;
        }
        Some(Duration::from_ticks(nanoseconds / tick))
    }

    /// The cells of a task's ports. Outputs lie together, so that one driver publishes all of them or none.
    fn add_ports(
        &mut self,
        module: usize,
        task: usize,
        process: usize,
    ) -> (Vec<(CellId, bool)>, Vec<CellId>, Option<usize>) {
        let model = &self.model.modules[module].tasks[task];
        let thread = self.assembly.threads.len();
        let home = Home::Process(process);
        let mut cells = vec![None; model.ports.len()];
        let mut inputs = Vec::new();
        for (index, port) in
            model.ports.iter().enumerate().filter(|(_, port)| port.role != timing::Role::Output)
        {
            let cell =
                self.assembly.cells.add(home, port.kind, port.initial.as_ref().map(timing::Value::bytes));
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
            let private = self.assembly.cells.add(home, port.kind, initial.clone());
            let visible = self.assembly.cells.add(Home::Published, port.kind, initial);
            cells[index] = Some(private);
            self.published.outputs.insert((module, task, index), visible);
            pairs.push((private, visible));
        }
        let publisher = match (pairs.first(), pairs.last()) {
            (Some((from, to)), Some((last, _))) => {
                let length = self.assembly.cells.extent(*from, *last);
                let name = format!("publish {}", model.name);
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
        let arguments = model.arguments.iter().filter_map(|port| {
            let changes = model.ports[*port].role != timing::Role::Input;
            Some((cells[*port]?, changes))
        });
        (arguments.collect(), inputs, publisher)
    }

    /// A driver's index; a new one, unless there is one that does the same.
    fn add_driver(&mut self, driver: Driver) -> usize {
        if let Some(known) = self.assembly.drivers.iter().position(|known| *known == driver) {
            return known;
        }
        self.assembly.drivers.push(driver);
        self.assembly.drivers.len() - 1
    }

    /// The other programs of modules, with the drivers that only they need.
    fn add_alternatives(&mut self, functions: &mut [Vec<Function>]) {
        for (index, slot) in self.description.objects.slots.iter().enumerate() {
            match alternatives::module_of(self.model, slot) {
                Some(module) if module < self.assembly.modules.len() => {
                    self.assembly.modules[module].slot = Some(index);
                }
                Some(_) => {}
                None => self.found.unknown_module(self.description, self.model, slot),
            }
        }
        for Body { slot, file, module, body } in std::mem::take(&mut self.bodies) {
            let Some(row) = self.module(module, &body, functions) else { continue };
            let row = Module { slot: Some(slot), ..row };
            self.assembly.alternatives.push(Alternative { file, module, body: row });
        }
    }

    /// The objects, when all threads are known: their places, who may name them, and the ranks and levels of all.
    fn add_objects(&mut self) {
        for too_deep in super::uses::add(&mut self.assembly, self.description) {
            self.found.too_deep(self.description, &too_deep);
        }
        super::levels::assign(&mut self.assembly);
        super::ranks::assign(&mut self.assembly);
    }

    /// The native functions of each process, and the modules' activities.
    fn add_modules(&mut self) -> Vec<Vec<Function>> {
        let mut functions = vec![Vec::new(); self.assembly.processes.len()];
        for (index, module) in self.model.modules.iter().enumerate() {
            self.add_sensors(index, module, &mut functions);
        }
        for (index, module) in self.model.modules.iter().enumerate() {
            let row = self.module(index, module, &mut functions);
            self.assembly.modules.extend(row);
        }
        functions
    }

    fn module(
        &mut self,
        index: usize,
        module: &timing::Module,
        functions: &mut [Vec<Function>],
    ) -> Option<Module> {
        let period = self.ticks(module, module.mode.period)?;
        let activities = module.mode.activities.iter();
        let activities = activities.filter_map(|activity| self.activity(index, module, activity, functions));
        let activities = activities.collect();
        Some(Module { name: module.name.clone(), period, activities, slot: None })
    }

    fn add_sensors(&mut self, index: usize, module: &timing::Module, functions: &mut [Vec<Function>]) {
        for (sensor_index, sensor) in module.sensors.iter().enumerate() {
            let Some((process, function)) =
                self.function(&sensor.getter, sensor.kind, true, sensor.place, functions)
            else {
                continue;
            };
            let from = self.assembly.cells.add(Home::Process(process), sensor.kind, None);
            let to = self.assembly.cells.add(Home::Published, sensor.kind, None);
            let length = self.assembly.cells.extent(to, to);
            self.found.check_length(self.model, sensor.place, &sensor.name, length);
            let name = sensor.name.clone();
            let kind = DriverKind::Getter { function };
            let getter = self.add_driver(Driver { name, kind, process, task: None, from, to, length });
            self.published.sensors.insert((index, sensor_index), (to, getter));
        }
    }

    fn activity(
        &mut self,
        index: usize,
        module: &timing::Module,
        activity: &timing::Activity,
        functions: &mut [Vec<Function>],
    ) -> Option<Activity> {
        let every = self.ticks(module, activity.duration(module.mode.period))?;
        match activity {
            timing::Activity::Task { task, inputs, .. } => {
                let (thread, process) = self.thread_of(index, *task)?;
                let cells = self.inputs.get(thread)?.clone();
                let mut drivers = Vec::new();
                for (operand, to) in inputs.iter().zip(cells) {
                    if let Operand::Constant(value) = operand {
                        self.assembly.cells.set_initial(to, value.bytes());
                        continue;
                    }
                    let (from, getter) = self.source(index, operand)?;
                    let length = self.assembly.cells.extent(to, to);
                    let name = format!(
                        "{} to {}",
                        self.operand_name(index, operand),
                        self.assembly.threads[thread].name
                    );
                    let kind = DriverKind::Input;
                    let driver =
                        self.add_driver(Driver { name, kind, process, task: Some(thread), from, to, length });
                    drivers.push(Input { driver, getter });
                }
                Some(Activity::Release { task: thread, every, inputs: drivers })
            }
            timing::Activity::Actuator { actuator: number, source, .. } => {
                let actuator = &module.actuators[*number];
                let (process, function) =
                    self.function(&actuator.setter, actuator.kind, false, actuator.place, functions)?;
                let (from, getter) = self.source(index, source)?;
                let known = self.published.actuators.get(&(index, *number)).copied();
                let to = known.unwrap_or_else(|| {
                    let initial = Some(actuator.initial.bytes());
                    self.assembly.cells.add(Home::Process(process), actuator.kind, initial)
                });
                self.published.actuators.insert((index, *number), to);
                let length = self.assembly.cells.extent(to, to);
                self.found.check_length(self.model, actuator.place, &actuator.name, length);
                let name = actuator.name.clone();
                let kind = DriverKind::Setter { function };
                let driver = self.add_driver(Driver { name, kind, process, task: None, from, to, length });
                Some(Activity::Actuate { every, update: Input { driver, getter } })
            }
        }
    }

    fn thread_of(&self, module: usize, task: usize) -> Option<(usize, usize)> {
        self.assembly.threads.iter().enumerate().find_map(|(index, thread)| match &thread.role {
            Role::Task(row) if row.module == module && row.task == task => Some((index, thread.process)),
            _ => None,
        })
    }

    /// The published cell of an operand, and the getter that fills it, if it is a sensor's.
    fn source(&self, module: usize, operand: &Operand) -> Option<(CellId, Option<usize>)> {
        match operand {
            Operand::Output { module, task, port } => {
                Some((*self.published.outputs.get(&(*module, *task, *port))?, None))
            }
            Operand::Sensor(sensor) => {
                let (cell, getter) = *self.published.sensors.get(&(module, *sensor))?;
                Some((cell, Some(getter)))
            }
            Operand::Constant(_) => None,
        }
    }

    fn operand_name(&self, own: usize, operand: &Operand) -> String {
        match operand {
            Operand::Output { module, task, port } => {
                let task = &self.model.modules[*module].tasks[*task];
                format!("{}.{}", task.name, task.ports[*port].name)
            }
            Operand::Sensor(sensor) => self.model.modules[own].sensors[*sensor].name.clone(),
            Operand::Constant(_) => "constant".to_owned(),
        }
    }

    /// The process of a native function and its number there; a new number at its first use with a type.
    fn function(
        &mut self,
        name: &str,
        kind: Type,
        fills: bool,
        place: timing::Place,
        functions: &mut [Vec<Function>],
    ) -> Option<(usize, usize)> {
        let Some(row) = self.description.drivers.iter().find(|row| row.name.value == name) else {
            self.found.undescribed_driver(self.model, place, name);
            return None;
        };
        let tick = self.description.board.board.tick;
        let function = Function {
            name: name.to_owned(),
            kind,
            fills,
            best: row.best.rounded_down(tick),
            worst: row.worst.rounded_up(tick),
        };
        let process = row.process.value.index();
        let list = &mut functions[process];
        let number = list.iter().position(|known| *known == function).unwrap_or_else(|| {
            list.push(function);
            list.len() - 1
        });
        Some((process, number))
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
            let names: Vec<_> = getters.chain(setters).collect();
            if !names.iter().any(|name| **name == row.name.value) {
                self.found.unknown_driver(self.description, row, &names);
            }
        }
    }

    fn finish(mut self) -> Result<Assembly, JoinError> {
        self.found.check_counts(self.description, &self.assembly);
        self.found.finish().map(|()| self.assembly)
    }
}
