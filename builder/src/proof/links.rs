//! Who reads whose values: sensors, outputs of tasks and actuators, and the ways from the first to the last.

use std::collections::{BTreeMap, BTreeSet};

use crate::assembly::{Activity, Assembly, CellId, DriverKind, Home, Input};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// A sensor, by its getter.
    Sensor(usize),
    /// A task, by its thread.
    Task(usize),
}

/// Who takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sink {
    Task(usize),
    /// An actuator, by its cell.
    Actuator(CellId),
}

/// A chain, without its times.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// The getter of its sensor.
    sensor: usize,
    /// The threads of its tasks; each at most once.
    pub tasks: Vec<usize>,
    /// The cell of its actuator.
    actuator: CellId,
    /// The actuator's module.
    pub module: usize,
}

impl Link {
    /// What a stage reads, or the actuator behind the last.
    pub(super) fn before(&self, stage: usize) -> Source {
        match stage.checked_sub(1).and_then(|before| self.tasks.get(before)) {
            Some(task) => Source::Task(*task),
            None => Source::Sensor(self.sensor),
        }
    }
}

/// All of a system.
pub(super) struct Links<'a> {
    assembly: &'a Assembly,
    /// Who takes what from where, in whatever mode.
    sinks: BTreeMap<Source, BTreeSet<Sink>>,
    /// The setter and module of each actuator.
    actuators: BTreeMap<CellId, (usize, usize)>,
    /// The module of each sensor.
    sensors: BTreeMap<usize, usize>,
    /// Whose output lies where among the published values: bytes from the start.
    outputs: BTreeMap<u32, (u32, usize)>,
}

impl<'a> Links<'a> {
    pub(super) fn of(assembly: &'a Assembly) -> Self {
        let outputs = assembly.drivers.iter().filter(|row| row.kind == DriverKind::Publish);
        let outputs = outputs.filter_map(|row| {
            let start = assembly.cells.get(row.to).offset;
            Some((start, (start.saturating_add(row.length), row.task?)))
        });
        let mut links = Links {
            assembly,
            sinks: BTreeMap::new(),
            actuators: BTreeMap::new(),
            sensors: BTreeMap::new(),
            outputs: outputs.collect(),
        };
        for (index, module) in assembly.modules.iter().enumerate() {
            module.modes.iter().flat_map(|mode| &mode.activities).for_each(|one| links.add(index, one));
            let entering = module.modes.iter().flat_map(|mode| &mode.entering);
            entering.for_each(|one| links.updated(index, &one.update));
        }
        links
    }

    fn add(&mut self, module: usize, activity: &Activity) {
        match activity {
            Activity::Release { task, inputs, .. } => {
                inputs.iter().for_each(|input| self.link(module, input, Sink::Task(*task)));
            }
            Activity::Actuate { update, .. } => self.updated(module, update),
        }
    }

    fn updated(&mut self, module: usize, update: &Input) {
        let cell = self.assembly.drivers[update.driver].to;
        self.actuators.insert(cell, (update.driver, module));
        self.link(module, update, Sink::Actuator(cell));
    }

    fn link(&mut self, module: usize, input: &Input, sink: Sink) {
        let Some(source) = self.source(input) else { return };
        if let Source::Sensor(getter) = source {
            self.sensors.insert(getter, module);
        }
        self.sinks.entry(source).or_default().insert(sink);
    }

    /// Where an input comes from; nothing if it is a constant.
    pub(super) fn source(&self, input: &Input) -> Option<Source> {
        if let Some(getter) = input.getter {
            // When outputs count is nothing that anybody senses.
            if matches!(self.assembly.drivers[getter].kind, DriverKind::Ahead { .. }) {
                return None;
            }
            return Some(Source::Sensor(getter));
        }
        let driver = &self.assembly.drivers[input.driver];
        if let DriverKind::Fetch { writer, .. } = driver.kind {
            return Some(Source::Task(writer));
        }
        let cell = self.assembly.cells.get(driver.from);
        if cell.home != Home::Published {
            return None;
        }
        let (_, (end, task)) = self.outputs.range(..=cell.offset).next_back()?;
        (cell.offset < *end).then_some(Source::Task(*task))
    }

    /// Whether an input is what its writer's last activation comes to, rather than what is visible.
    pub(super) fn is_at_once(&self, input: &Input) -> bool {
        matches!(self.assembly.drivers[input.driver].kind, DriverKind::Fetch { .. })
    }

    /// Whether an update is one of a chain's actuator.
    pub(super) fn is_of(&self, update: &Input, link: &Link) -> bool {
        self.assembly.drivers[update.driver].to == link.actuator
    }

    /// Every way from a sensor to an actuator that meets no task twice, and whether there are more than are looked at.
    pub(super) fn chains(&self) -> (Vec<Link>, bool) {
        const MOST: usize = 200;
        let leads = self.leads();
        let mut found = Vec::new();
        for sensor in self.sensors.keys() {
            let mut open = vec![(Source::Sensor(*sensor), Vec::new())];
            while let Some((source, tasks)) = open.pop() {
                for sink in self.sinks.get(&source).into_iter().flatten().rev() {
                    match sink {
                        Sink::Task(task) if leads.contains(task) && !tasks.contains(task) => {
                            open.push((Source::Task(*task), [tasks.as_slice(), &[*task]].concat()));
                        }
                        Sink::Task(_) => {}
                        Sink::Actuator(cell) => {
                            let module = self.actuators.get(cell).map_or(0, |(_, module)| *module);
                            let tasks = tasks.clone();
                            found.push(Link { sensor: *sensor, tasks, actuator: *cell, module });
                        }
                    }
                }
                // Ways that meet a task twice are given up late, so these count, too.
                if found.len() >= MOST || open.len() >= MOST * MOST {
                    found.truncate(MOST);
                    return (found, true);
                }
            }
        }
        (found, false)
    }

    /// Tasks from which a way leads to an actuator.
    fn leads(&self) -> BTreeSet<usize> {
        let mut leads = BTreeSet::new();
        loop {
            let reaches = |sink: &Sink| match sink {
                Sink::Task(task) => leads.contains(task),
                Sink::Actuator(_) => true,
            };
            let more = self.sinks.iter().filter(|(_, sinks)| sinks.iter().any(reaches));
            let more: BTreeSet<_> = more
                .filter_map(|(source, _)| match source {
                    Source::Task(task) => Some(*task),
                    Source::Sensor(_) => None,
                })
                .collect();
            if more.len() == leads.len() {
                return leads;
            }
            leads = more;
        }
    }

    /// Sensor, tasks and actuator; with their modules where a name isn't the only one.
    pub(super) fn names(&self, link: &Link) -> Vec<String> {
        let assembly = self.assembly;
        let name = |driver: usize| assembly.drivers[driver].name.clone();
        let sensor = self.sensors.contains_key(&link.sensor).then(|| name(link.sensor));
        let actuator = self.actuators.get(&link.actuator).map(|(driver, _)| name(*driver));
        let tasks = link.tasks.iter().filter_map(|task| assembly.threads.get(*task));
        let tasks = tasks.map(|thread| thread.name.clone());
        sensor.into_iter().chain(tasks).chain(actuator).collect()
    }
}
