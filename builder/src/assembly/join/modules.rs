//! The modules: their sensors, the activities and switches of their modes, and the drivers of all.

use std::collections::BTreeMap;

use beryl_abi::Duration;
use beryl_timing::{self as timing, Operand, Type, Value};

use super::Join;
use crate::assembly::alternatives::{self, Body};
use crate::assembly::{
    Activity, Alternative, CellId, Driver, DriverKind, Entering, Function, Guard, Home, Input, Mode, Module,
    Policy, Role, Shape, Switch,
};
use crate::description;

/// The native functions of each process.
pub(super) type Functions = Vec<Vec<Function>>;

/// Inputs that have one constant in all modes, by task and number of the input; the others map to nothing.
pub(super) type Fixed<'a> = BTreeMap<(usize, usize), Option<&'a Value>>;

impl Join<'_> {
    /// The native functions of each process, and the modules' activities.
    pub(super) fn add_modules(&mut self) -> Functions {
        let mut functions = vec![Vec::new(); self.assembly.processes.len()];
        let model = self.model;
        for (index, module) in model.modules.iter().enumerate() {
            self.add_sensors(index, module, &mut functions);
        }
        let bodies = std::mem::take(&mut self.bodies);
        for (index, module) in model.modules.iter().enumerate() {
            let fixed = fixed_inputs(module, index, &bodies);
            let row = self.module(index, module, &fixed, &mut functions);
            self.assembly.modules.push(row);
        }
        self.bodies = bodies;
        functions
    }

    /// The other programs of modules, with the drivers that only they need.
    pub(super) fn add_alternatives(&mut self, functions: &mut Functions) {
        for (index, slot) in self.description.objects.slots.iter().enumerate() {
            match alternatives::module_of(self.model, slot) {
                Some(module) => {
                    self.assembly.modules[module].slot = Some(index);
                    self.refuse_equals(module);
                }
                None => self.found.unknown_module(self.description, self.model, slot),
            }
        }
        let bodies = std::mem::take(&mut self.bodies);
        for Body { slot, file, module, body } in &bodies {
            let fixed = fixed_inputs(&self.model.modules[*module], *module, &bodies);
            let row = Module { slot: Some(*slot), ..self.module(*module, body, &fixed, functions) };
            let alternative = Alternative { file: file.clone(), module: *module, body: row };
            self.assembly.alternatives.push(alternative);
        }
        self.bodies = bodies;
    }

    /// The checks of arriving programs need one order of tasks. Among tasks of equal priority, nobody knows it before
    /// they run.
    fn refuse_equals(&mut self, module: usize) {
        let own = self.assembly.tasks().filter(|(_, task)| task.module == module);
        let is_fixed = |band: usize| self.assembly.bands[band].policy == Policy::Fixed;
        let mut placed: Vec<_> = own
            .filter(|(thread, _)| is_fixed(thread.band))
            .map(|(thread, _)| (thread.band, thread.place, thread.name.clone()))
            .collect();
        placed.sort();
        for pair in placed.windows(2) {
            let [(band, place, one), (other_band, other_place, other)] = pair else { continue };
            if (band, place) == (other_band, other_place) {
                self.found.equal_priorities(self.description, one, other);
            }
        }
    }

    fn module(
        &mut self,
        index: usize,
        module: &timing::Module,
        fixed: &Fixed<'_>,
        functions: &mut Functions,
    ) -> Module {
        let modes = module.modes.iter();
        let modes = modes.filter_map(|mode| self.mode(index, module, mode, fixed, functions)).collect();
        Module { name: module.name.clone(), modes, start: module.start, slot: None }
    }

    fn add_sensors(&mut self, index: usize, module: &timing::Module, functions: &mut Functions) {
        for (sensor_index, sensor) in module.sensors.iter().enumerate() {
            if let Some(arrival) = self.arrival(index, sensor_index, sensor) {
                self.published.sensors.insert((index, sensor_index), arrival);
                continue;
            }
            let shape = Shape::Fills(sensor.kind.clone());
            let Some((process, function)) = self.function(&sensor.getter, shape, sensor.place, functions)
            else {
                continue;
            };
            let from = self.assembly.cells.add(Home::Process(process), sensor.kind.clone(), None);
            let to = self.assembly.cells.add(Home::Published, sensor.kind.clone(), None);
            let length = self.assembly.cells.extent(to, to);
            self.found.check_length(self.model, sensor.place, &sensor.name, length);
            let name = self.full_name(index, &sensor.name);
            let kind = DriverKind::Getter { function };
            let getter = self.add_driver(Driver { name, kind, process, task: None, from, to, length });
            self.published.sensors.insert((index, sensor_index), (to, getter));
        }
    }

    fn mode(
        &mut self,
        index: usize,
        module: &timing::Module,
        mode: &timing::Mode,
        fixed: &Fixed<'_>,
        functions: &mut Functions,
    ) -> Option<Mode> {
        let period = self.ticks(mode, mode.period)?;
        // Drivers get their numbers in the order of the tasks that they serve, those of actuators behind them.
        let mut activities: Vec<_> = mode.activities.iter().enumerate().collect();
        activities.sort_by_key(|(_, activity)| match activity {
            timing::Activity::Task { task, .. } => {
                self.thread_of(index, *task).map_or(usize::MAX, |(thread, _)| thread)
            }
            timing::Activity::Actuator { .. } => usize::MAX,
        });
        let activities = activities.into_iter().filter_map(|(place, activity)| {
            let row = match activity {
                timing::Activity::Task { .. } => self.release(index, mode, activity, fixed, functions),
                timing::Activity::Actuator { .. } => self.update(index, module, mode, activity, functions),
            };
            Some((place, row?))
        });
        // Things are carried out in the order of the text.
        let activities: BTreeMap<_, _> = activities.collect();
        let activities = activities.into_values().collect();
        let mut switches = Vec::new();
        for switch in &mode.switches {
            let every = timing::Microseconds(mode.period.0 / u64::from(switch.frequency));
            let every = self.ticks(mode, every)?;
            let guard = self.guard(index, switch.guard.as_ref(), functions)?;
            let (slots, target) = (switch.slots.clone(), switch.target);
            switches.push(Switch { every, slots, guard, late: None, target });
        }
        let mut entering = Vec::new();
        for row in &mode.entering {
            let timing::Entering { actuator, guard, source } = row;
            let (guard, update) =
                self.written(index, module, *actuator, guard.as_ref(), source, functions)?;
            entering.push(Entering { guard, update });
        }
        Some(Mode { name: mode.name.clone(), period, activities, switches, entering })
    }

    pub(super) fn ticks(&mut self, mode: &timing::Mode, time: timing::Microseconds) -> Option<Duration> {
        let tick = self.description.board.board.tick.get().max(1);
        let nanoseconds = time.0.checked_mul(1000)?;
        if nanoseconds % tick != 0 {
            self.found.uneven_period(self.model, mode, nanoseconds, tick);
            return None;
        }
        Some(Duration::from_ticks(nanoseconds / tick))
    }

    fn release(
        &mut self,
        index: usize,
        mode: &timing::Mode,
        activity: &timing::Activity,
        fixed: &Fixed<'_>,
        functions: &mut Functions,
    ) -> Option<Activity> {
        let timing::Activity::Task { task, slots, guard, inputs, .. } = activity else { return None };
        let every = self.ticks(mode, activity.duration(mode.period))?;
        let (thread, process) = self.thread_of(index, *task)?;
        let guard = self.guard(index, guard.as_ref(), functions)?;
        let mut inputs = self.copies(index, (*task, thread, process), inputs, fixed)?;
        inputs.extend(self.stamps((thread, process), mode, activity)?);
        Some(Activity::Release { task: thread, every, slots: slots.clone(), guard, inputs })
    }

    /// The drivers that copy a task's inputs: of its number in its module, its thread and its process.
    pub(super) fn copies(
        &mut self,
        index: usize,
        (task, thread, process): (usize, usize, usize),
        inputs: &[Operand],
        fixed: &Fixed<'_>,
    ) -> Option<Vec<Input>> {
        let cells = self.inputs.get(thread)?.clone();
        let mut drivers = Vec::new();
        for (number, (operand, to)) in inputs.iter().zip(cells).enumerate() {
            if let Some(Some(value)) = fixed.get(&(task, number)) {
                self.assembly.cells.set_initial(to, value.bytes());
                continue;
            }
            if let Some(fetch) = self.fetched(index, (task, thread, process), operand, to) {
                drivers.push(Input { driver: fetch, getter: None });
                continue;
            }
            let kind = self.assembly.cells.get(to).kind.clone();
            let (from, getter) = self.source(index, operand, &kind)?;
            let length = self.assembly.cells.extent(to, to);
            let source = self.operand_name(index, operand);
            let name = format!("{source} to {}", self.assembly.threads[thread].name);
            let kind = DriverKind::Input;
            let driver =
                self.add_driver(Driver { name, kind, process, task: Some(thread), from, to, length });
            drivers.push(Input { driver, getter });
        }
        Some(drivers)
    }

    fn update(
        &mut self,
        index: usize,
        module: &timing::Module,
        mode: &timing::Mode,
        activity: &timing::Activity,
        functions: &mut Functions,
    ) -> Option<Activity> {
        let timing::Activity::Actuator { actuator, slots, guard, source, .. } = activity else { return None };
        let every = self.ticks(mode, activity.duration(mode.period))?;
        let (guard, update) = self.written(index, module, *actuator, guard.as_ref(), source, functions)?;
        Some(Activity::Actuate { every, slots: slots.clone(), guard, update })
    }

    /// The guard and the driver of an actuator's update.
    fn written(
        &mut self,
        index: usize,
        module: &timing::Module,
        number: usize,
        guard: Option<&timing::Guard>,
        source: &Operand,
        functions: &mut Functions,
    ) -> Option<(Option<Guard>, Input)> {
        let actuator = &module.actuators[number];
        let shape = Shape::Takes(actuator.kind.clone());
        let (process, function) = self.function(&actuator.setter, shape, actuator.place, functions)?;
        let guard = self.guard(index, guard, functions)?;
        let (from, getter) = self.source(index, source, &actuator.kind)?;
        let to = self.actuator_cell(index, number, process, actuator);
        let length = self.assembly.cells.extent(to, to);
        self.found.check_length(self.model, actuator.place, &actuator.name, length);
        let name = self.full_name(index, &actuator.name);
        let kind = DriverKind::Setter { function };
        let driver = self.add_driver(Driver { name, kind, process, task: None, from, to, length });
        Some((guard, Input { driver, getter }))
    }

    /// An actuator has one cell, whatever mode updates it.
    pub(super) fn actuator_cell(
        &mut self,
        module: usize,
        number: usize,
        process: usize,
        actuator: &timing::Actuator,
    ) -> CellId {
        if let Some(cell) = self.published.actuators.get(&(module, number)) {
            return *cell;
        }
        let initial = Some(actuator.initial.bytes());
        let cell = self.assembly.cells.add(Home::Process(process), actuator.kind.clone(), initial);
        self.published.actuators.insert((module, number), cell);
        cell
    }

    /// A guard's driver. The outer `None` is a guard of which it isn't known where it runs.
    #[expect(clippy::option_option, reason = "a guard may be missing from the text or from the description")]
    pub(super) fn guard(
        &mut self,
        index: usize,
        guard: Option<&timing::Guard>,
        functions: &mut Functions,
    ) -> Option<Option<Guard>> {
        let Some(guard) = guard else { return Some(None) };
        let mut cells = Vec::new();
        let mut getters = Vec::new();
        for argument in &guard.arguments {
            let (cell, getter) = self.source(index, &argument.operand, &argument.kind)?;
            cells.push(cell);
            getters.extend(getter);
        }
        let from = cells.first().copied().unwrap_or_else(|| self.constant(&INT, vec![0; 4]));
        let (process, function) = match &guard.condition {
            Some(condition) => self.condition(guard, condition, &cells, &getters, functions)?,
            None => self.function(&guard.function, Shape::Decides(cells), guard.place, functions)?,
        };
        let (name, kind) = (guard.function.clone(), DriverKind::Guard { function });
        let driver = Driver { name, kind, process, task: None, from, to: from, length: 0 };
        Some(Some(Guard { driver: self.add_driver(driver), getters }))
    }

    /// A driver's row. Equal drivers share one.
    pub(super) fn add_driver(&mut self, driver: Driver) -> usize {
        let drivers = &mut self.assembly.drivers;
        drivers.iter().position(|known| *known == driver).unwrap_or_else(|| {
            drivers.push(driver);
            drivers.len() - 1
        })
    }

    pub(super) fn thread_of(&self, module: usize, task: usize) -> Option<(usize, usize)> {
        self.assembly.threads.iter().enumerate().find_map(|(index, thread)| match &thread.role {
            Role::Task(row) if row.module == module && row.task == task => Some((index, thread.process)),
            _ => None,
        })
    }

    /// The published cell of an operand, and the getter that fills it, if it is a sensor's.
    fn source(&mut self, module: usize, operand: &Operand, kind: &Type) -> Option<(CellId, Option<usize>)> {
        match operand {
            Operand::Output { module, task, port } => {
                Some((*self.published.outputs.get(&(*module, *task, *port))?, None))
            }
            Operand::Sensor(sensor) => {
                let (cell, getter) = *self.published.sensors.get(&(module, *sensor))?;
                Some((cell, Some(getter)))
            }
            Operand::Constant(value) => Some((self.constant(kind, value.bytes()), None)),
            Operand::Field { of, offset, .. } => {
                let (whole, getter) = self.source(module, of, kind)?;
                Some((self.assembly.cells.part(whole, *offset, kind), getter))
            }
        }
    }

    /// A published cell that nobody writes.
    pub(super) fn constant(&mut self, kind: &Type, bytes: Vec<u8>) -> CellId {
        let key = (kind.alignment(), bytes.clone());
        if let Some(cell) = self.published.constants.get(&key) {
            return *cell;
        }
        let cell = self.assembly.cells.add(Home::Published, kind.clone(), Some(bytes));
        self.published.constants.insert(key, cell);
        cell
    }

    pub(super) fn operand_name(&self, own: usize, operand: &Operand) -> String {
        match operand {
            Operand::Output { module, task, port } => {
                let task = &self.model.modules[*module].tasks[*task];
                format!("{}.{}", self.full_name(*module, &task.name), task.ports[*port].name)
            }
            Operand::Sensor(sensor) => self.full_name(own, &self.model.modules[own].sensors[*sensor].name),
            Operand::Constant(value) => value.to_string(),
            Operand::Field { of, path, .. } => format!("{}.{path}", self.operand_name(own, of)),
        }
    }

    /// The process of a native function and its number there; a new number at its first use with a shape.
    pub(super) fn function(
        &mut self,
        name: &str,
        shape: Shape,
        place: timing::Place,
        functions: &mut Functions,
    ) -> Option<(usize, usize)> {
        let Some(row) = self.description.drivers.iter().find(|row| row.name.value == name) else {
            self.found.undescribed_driver(self.model, place, name);
            return None;
        };
        Some(self.native(row, shape, functions))
    }

    /// The same of a described one.
    pub(super) fn native(
        &mut self,
        row: &description::Driver,
        shape: Shape,
        functions: &mut Functions,
    ) -> (usize, usize) {
        let tick = self.description.board.board.tick;
        let (best, worst) = (row.best.rounded_down(tick), row.worst.rounded_up(tick));
        let function = Function { name: row.name.value.clone(), shape, best, worst };
        let process = row.process.value.index();
        (process, number(&mut functions[process], function))
    }
}

/// The function's number among those of its process; a new one at its first use.
pub(super) fn number(functions: &mut Vec<Function>, function: Function) -> usize {
    functions.iter().position(|known| *known == function).unwrap_or_else(|| {
        functions.push(function);
        functions.len() - 1
    })
}

const INT: Type = Type::basic(timing::Basic::Int);

/// What each input gets in all modes that invoke its task, also those of other programs, if that is one constant.
pub(super) fn fixed_inputs<'m>(module: &'m timing::Module, index: usize, bodies: &'m [Body]) -> Fixed<'m> {
    let mut fixed = Fixed::new();
    let others = bodies.iter().filter(|body| body.module == index).flat_map(|body| &body.body.modes);
    let activities = module.modes.iter().chain(others).flat_map(|mode| &mode.activities);
    let activities = activities.filter_map(|activity| match activity {
        timing::Activity::Task { task, inputs, .. } => Some((task, inputs)),
        timing::Activity::Actuator { .. } => None,
    });
    let others = module.asynchronous.iter().map(|activity| (&activity.task, &activity.inputs));
    for (task, inputs) in activities.chain(others) {
        for (number, operand) in inputs.iter().enumerate() {
            let value = if let Operand::Constant(value) = operand { Some(value) } else { None };
            let known = fixed.entry((*task, number)).or_insert(value);
            if *known != value {
                *known = None;
            }
        }
    }
    fixed
}
