//! What becomes of the `on_miss` of tasks: drivers that handlers carry out, and switches that are taken when a task
//! was late.

use beryl_abi::Duration;
use beryl_timing as timing;

use super::Join;
use super::modules::Functions;
use crate::assembly::{Activity, CatchUp, Driver, DriverKind, Home, Mode, Reaction, Role, Shape, Switch};
use crate::description::{CallOnMiss, Fate, OnMiss, Placed, Task};

impl<'a> Join<'a> {
    /// The reactions of all tasks.
    pub(super) fn add_reactions(&mut self, functions: &mut Functions) {
        let model = self.model;
        for (index, module) in model.modules.iter().enumerate() {
            for (task, row) in module.tasks.iter().enumerate() {
                let Some((thread, _)) = self.thread_of(index, task) else { continue };
                let Some(described) = self.described(module, row) else { continue };
                if described.on_miss == OnMiss::default() {
                    continue;
                }
                let is_asynchronous = module.asynchronous.iter().any(|activity| activity.task == task);
                let drivers = self.drivers_instead((index, task), &described.on_miss, functions);
                match &described.on_miss.mode {
                    Some(mode) if is_asynchronous => {
                        self.found.mode_of_asynchronous(self.description, &described.name, mode.place);
                    }
                    Some(mode) => self.add_switches(index, thread, mode),
                    None => {}
                }
                let catch_up = described.on_miss.catch_up.and_then(|most| {
                    let catch_up = self.catch_up(index, thread, most.value);
                    if catch_up.is_none() {
                        self.found.differs_between_releases(self.description, &described.name, most.place);
                    }
                    catch_up
                });
                let goes_on = described.on_miss.fate == Fate::GoesOn;
                let switches = described.on_miss.mode.is_some();
                let most = described.on_miss.most.map(|most| most.value);
                if let Role::Task(row) = &mut self.assembly.threads[thread].role {
                    row.reaction = Reaction { goes_on, drivers, switches, most, catch_up };
                }
            }
        }
    }

    /// What the description says of a task.
    pub(super) fn described(&self, module: &timing::Module, task: &timing::Task) -> Option<&'a Task> {
        let about = self.description.tasks.iter().filter(|row| row.is_about(&module.name, &task.name));
        about.max_by_key(|row| row.module.is_some())
    }

    /// The drivers that are carried out instead of a task's outputs.
    fn drivers_instead(
        &mut self,
        (module, task): (usize, usize),
        on_miss: &OnMiss,
        functions: &mut Functions,
    ) -> Vec<usize> {
        let mut drivers = Vec::new();
        if let Some(call) = &on_miss.call {
            drivers.extend(self.called(module, call, functions));
        }
        if on_miss.outputs.is_some() {
            drivers.extend(self.initial_outputs(module, task));
        }
        if let Some(set) = &on_miss.set {
            drivers.extend(self.initial_actuator(module, set, functions));
        }
        drivers
    }

    /// The driver that calls a function with what an output of the module is then.
    fn called(&mut self, module: usize, call: &CallOnMiss, functions: &mut Functions) -> Option<usize> {
        let row = &self.model.modules[module];
        let outputs = row.tasks.iter().enumerate().flat_map(|(task, row)| {
            let ports = row.ports.iter().enumerate();
            let outputs = ports.filter(|(_, port)| port.role == timing::Role::Output);
            outputs.map(move |(port, output)| ((task, port), (row.name.as_str(), output)))
        });
        let (task, output) = &call.with.value;
        let is_meant = |(name, port): (&str, &timing::Port)| name == task && port.name == *output;
        let Some(((task, port), (_, output))) = outputs.clone().find(|(_, names)| is_meant(*names)) else {
            let known: Vec<_> = outputs.map(|(_, (task, port))| format!("{task}.{}", port.name)).collect();
            let known: Vec<_> = known.iter().map(String::as_str).collect();
            let with = Placed::new(format!("{task}.{output}"), call.with.place);
            self.found.unknown_of_module(self.description, &with, ("output", "outputs"), row, &known);
            return None;
        };
        let from = *self.published.outputs.get(&(module, task, port))?;
        let shape = Shape::Takes(output.kind.clone());
        let (process, function) = self.called_function(&call.function, shape, functions)?;
        let (name, kind) = (call.function.value.clone(), DriverKind::Setter { function });
        let is_same = |row: &Driver| (&row.name, row.kind, row.from) == (&name, kind, from);
        if let Some(known) =
            self.assembly.drivers.iter().position(|row| row.process == process && is_same(row))
        {
            return Some(known);
        }
        let to = self.assembly.cells.add(Home::Process(process), output.kind.clone(), None);
        let length = self.assembly.cells.extent(to, to);
        self.found.check_length(self.model, output.place, &output.name, length);
        Some(self.add_driver(Driver { name, kind, process, task: None, from, to, length }))
    }

    /// The process of a function that handlers call, and its number there: it must be described, and is given
    /// one kind of value.
    fn called_function(
        &mut self,
        name: &Placed<String>,
        shape: Shape,
        functions: &mut Functions,
    ) -> Option<(usize, usize)> {
        let Some(row) = self.description.drivers.iter().find(|row| row.name.value == name.value) else {
            self.found.undescribed_call(self.description, name);
            return None;
        };
        let mut known = functions.iter().flatten();
        if known.any(|function| function.name == name.value && function.shape != shape) {
            self.found.called_with_something_else(self.description, name);
            return None;
        }
        Some(self.native(row, shape, functions))
    }

    /// Drivers that give a task's outputs their initial values.
    fn initial_outputs(&mut self, module: usize, task: usize) -> Vec<usize> {
        let row = &self.model.modules[module].tasks[task];
        let Some((thread, process)) = self.thread_of(module, task) else { return Vec::new() };
        let name = self.assembly.threads[thread].name.clone();
        let ports = row.ports.iter().enumerate().filter(|(_, port)| port.role == timing::Role::Output);
        let ports = ports.filter_map(|(port, row)| {
            let to = *self.published.outputs.get(&(module, task, port))?;
            let zero = || vec![0; usize::try_from(row.kind.size()).unwrap_or(0)];
            let bytes = row.initial.as_ref().map_or_else(zero, timing::Value::bytes);
            let from = self.constant(&row.kind, bytes);
            let length = self.assembly.cells.extent(to, to);
            let name = format!("initial {name}.{}", row.name);
            let kind = DriverKind::Constant;
            Some(self.add_driver(Driver { name, kind, process, task: None, from, to, length }))
        });
        ports.collect()
    }

    /// The driver that gives an actuator its initial value.
    fn initial_actuator(
        &mut self,
        module: usize,
        set: &Placed<String>,
        functions: &mut Functions,
    ) -> Option<usize> {
        let row = &self.model.modules[module];
        let Some(number) = row.actuators.iter().position(|actuator| actuator.name == set.value) else {
            let known: Vec<_> = row.actuators.iter().map(|actuator| actuator.name.as_str()).collect();
            self.found.unknown_of_module(self.description, set, ("actuator", "actuators"), row, &known);
            return None;
        };
        let actuator = &row.actuators[number];
        let shape = Shape::Takes(actuator.kind.clone());
        let (process, function) = self.function(&actuator.setter, shape, actuator.place, functions)?;
        let from = self.constant(&actuator.kind, actuator.initial.bytes());
        let to = self.actuator_cell(module, number, process, actuator);
        let length = self.assembly.cells.extent(to, to);
        let (name, kind) = (self.full_name(module, &actuator.name), DriverKind::Setter { function });
        Some(self.add_driver(Driver { name, kind, process, task: None, from, to, length }))
    }

    /// How a task's releases are made up for: nothing if they differ, or if its outputs become visible when
    /// it completes.
    fn catch_up(&self, module: usize, thread: usize, most: u8) -> Option<CatchUp> {
        let Role::Task(task) = &self.assembly.threads[thread].role else { return None };
        if let Some(row) = self.assembly.asynchronous.iter().find(|row| row.task == thread) {
            let inputs = row.inputs.iter().map(|input| input.driver).collect();
            return Some(CatchUp { most, inputs, due: task.due(task.logical) });
        }
        // What is sent counts from an instant on that a release which is made up for has missed.
        if self.assembly.leaving.iter().any(|row| row.task == thread) {
            return None;
        }
        let others =
            self.assembly.alternatives.iter().filter(|row| row.module == module).map(|row| &row.body);
        let bodies = self.assembly.modules.get(module).into_iter().chain(others);
        let releases = bodies.flat_map(|body| &body.modes).flat_map(|mode| &mode.activities);
        let mut releases = releases.filter(|activity| releases_task(activity, thread));
        let first = releases.next()?;
        let Activity::Release { every, slots, guard: None, inputs, .. } = first else { return None };
        // Another program that takes over wouldn't know where completions enter this one.
        let has_slot = self.assembly.modules.get(module).is_some_and(|body| body.slot.is_some());
        if has_slot
            || !slots.is_empty()
            || self.assembly.publishes_at_completion
            || releases.any(|other| other != first)
        {
            return None;
        }
        let inputs = inputs.iter().map(|input| input.driver).collect();
        Some(CatchUp { most, inputs, due: task.due(*every) })
    }

    /// A switch to a mode in each other mode of the module that releases the task, in all of its programs.
    fn add_switches(&mut self, module: usize, thread: usize, mode: &Placed<String>) {
        let others = self.assembly.alternatives.iter_mut().filter(|row| row.module == module);
        let bodies = others.map(|row| &mut row.body);
        let own = self.assembly.modules.get_mut(module);
        for body in own.into_iter().chain(bodies) {
            let Some(target) = body.modes.iter().position(|row| row.name == mode.value) else {
                let known: Vec<_> = body.modes.iter().map(|row| row.name.as_str()).collect();
                let row = &self.model.modules[module];
                self.found.unknown_of_module(self.description, mode, ("mode", "modes"), row, &known);
                return;
            };
            for (index, row) in body.modes.iter_mut().enumerate() {
                let is_released = row.activities.iter().any(|activity| releases_task(activity, thread));
                if index != target && is_released {
                    let every = between_all_jobs(row);
                    row.switches.insert(
                        0,
                        Switch { every, slots: Vec::new(), guard: None, late: Some(thread), target },
                    );
                }
            }
        }
    }
}

fn releases_task(activity: &Activity, thread: usize) -> bool {
    matches!(activity, Activity::Release { task, .. } if *task == thread)
}

/// The shortest time at whose multiples no task of a mode is within a logical execution time. It divides the mode's
/// period.
fn between_all_jobs(mode: &Mode) -> Duration {
    let tasks = || mode.activities.iter().filter(|activity| matches!(activity, Activity::Release { .. }));
    let parts = |activity: &Activity| mode.period.ticks() / activity.every().ticks().max(1);
    let common = tasks().map(parts).fold(0, common_divisor).max(1);
    let every = Duration::from_ticks(mode.period.ticks() / common);
    let tears = |activity: &Activity| {
        activity.windows(mode.period).any(|window| {
            let next = (window.start.ticks() / every.ticks().max(1) + 1) * every.ticks();
            next < window.end.ticks()
        })
    };
    if tasks().any(tears) { mode.period } else { every }
}

/// The greatest common divisor.
fn common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use super::{Activity, Duration, Mode, between_all_jobs};
    use beryl_timing::Slots;

    fn mode(period: u64, tasks: &[(u64, &[(u32, u32)])]) -> Mode {
        let release = |(every, slots): &(u64, &[(u32, u32)])| Activity::Release {
            task: 0,
            every: Duration::from_ticks(*every),
            slots: slots.iter().map(|(first, last)| Slots { first: *first, last: *last }).collect(),
            guard: None,
            inputs: Vec::new(),
        };
        Mode {
            name: "mode".to_owned(),
            period: Duration::from_ticks(period),
            activities: tasks.iter().map(release).collect(),
            switches: Vec::new(),
            entering: Vec::new(),
        }
    }

    #[test]
    fn a_switch_by_lateness_tears_no_task() {
        let every = |period, tasks: &[(u64, &[(u32, u32)])]| between_all_jobs(&mode(period, tasks)).ticks();
        assert_eq!(every(200, &[(25, &[]), (40, &[])]), 200);
        assert_eq!(every(200, &[(25, &[]), (50, &[])]), 50);
        assert_eq!(every(200, &[]), 200);
        // One logical execution time over the first two of four slots.
        assert_eq!(every(40, &[(10, &[(1, 2)])]), 40);
        assert_eq!(every(40, &[(10, &[(2, 2), (4, 4)])]), 10);
    }
}
