//! The drivers and cells of links: what a part of a system has to do with other nodes.

use std::collections::BTreeSet;

use beryl_abi::Duration;
use beryl_timing::{self as timing, Value};

use super::Join;
use crate::assembly::linked::INSTANT;
use crate::assembly::{Arriving, CellId, Driver, DriverKind, Home, Input, Leaving};
use crate::quantity::Nanoseconds;

impl Join<'_> {
    /// The cells of what leaves of a task's outputs; `cells` are those of its ports.
    pub(super) fn add_leaving(
        &mut self,
        (module, task): (usize, usize),
        thread: usize,
        process: usize,
        cells: &[Option<CellId>],
    ) {
        let own = self.links.departures.iter().filter(|row| (row.module, row.task) == (module, task));
        let home = Home::Process(process);
        let mut stamp = None;
        for row in own {
            let Some(from) = cells.get(row.port).copied().flatten() else { continue };
            let stamp = *stamp.get_or_insert_with(|| self.assembly.cells.add(home, INSTANT, None));
            let length = self.assembly.cells.extent(from, from);
            let port =
                self.model.modules.get(module).and_then(|module| module.tasks.get(task)?.ports.get(row.port));
            let initial = port.and_then(|port| port.initial.as_ref()).map(Value::bytes).unwrap_or_default();
            let cell = self.assembly.cells.add_link(home, length, &initial);
            self.assembly.leaving.push(Leaving { link: row.link, task: thread, from, stamp, cell, length });
        }
    }

    /// Tells jobs that are released from when on their outputs count, if others wait for them: an input for each length
    /// that a logical execution time has.
    pub(super) fn stamps(
        &mut self,
        (thread, process): (usize, usize),
        mode: &timing::Mode,
        activity: &timing::Activity,
    ) -> Option<Vec<Input>> {
        let Some(leaving) = self.assembly.leaving.iter().find(|row| row.task == thread) else {
            return Some(Vec::new());
        };
        let stamp = leaving.stamp;
        let slot = activity.duration(mode.period);
        let lengths: BTreeSet<u64> = match activity.slots() {
            [] => [1].into(),
            slots => slots.iter().map(|slots| u64::from(slots.last - slots.first + 1)).collect(),
        };
        let mut inputs = Vec::new();
        for length in lengths {
            let length = self.ticks(mode, timing::Microseconds(slot.0.checked_mul(length)?))?;
            inputs.extend(self.stamp((thread, process), stamp, length));
        }
        Some(inputs)
    }

    fn stamp(&mut self, (thread, process): (usize, usize), stamp: CellId, length: Duration) -> Option<Input> {
        let kind = DriverKind::Ahead { by: length };
        let known = self.assembly.drivers.iter().position(|driver| driver.kind == kind);
        let ahead = known.unwrap_or_else(|| {
            let nanoseconds = length.ticks().saturating_mul(self.description.board.nanoseconds().into());
            let name = format!("in {}", Nanoseconds::new(nanoseconds));
            let to = self.assembly.cells.add(Home::Published, INSTANT, None);
            self.add_driver(Driver { name, kind, process, task: None, from: to, to, length: 8 })
        });
        let from = self.assembly.drivers.get(ahead)?.to;
        let name = format!("when {} counts", self.assembly.threads.get(thread)?.name);
        let kind = DriverKind::Input;
        let driver =
            self.add_driver(Driver { name, kind, process, task: Some(thread), from, to: stamp, length: 8 });
        Some(Input { driver, getter: Some(ahead) })
    }

    /// The sensor of what arrives, if it is one: its cell, and the driver that fills it.
    pub(super) fn arrival(
        &mut self,
        module: usize,
        index: usize,
        sensor: &timing::Sensor,
    ) -> Option<(CellId, usize)> {
        let row = self.links.arrivals.iter().find(|row| (row.module, row.sensor) == (module, index))?;
        let to = self.assembly.cells.add(Home::Published, sensor.kind.clone(), Some(row.initial.clone()));
        let length = self.assembly.cells.extent(to, to);
        let from = self.assembly.cells.add_link(Home::Published, length, &row.initial);
        self.assembly.arriving.push(Arriving { link: row.link, cell: from, length });
        self.found.check_length(self.model, sensor.place, &sensor.name, length);
        let (name, kind) = (sensor.name.clone(), DriverKind::Arrival);
        let process = self.process_of(module)?;
        Some((to, self.add_driver(Driver { name, kind, process, task: None, from, to, length })))
    }

    /// A process of a module.
    fn process_of(&self, module: usize) -> Option<usize> {
        let tasks =
            self.assembly.tasks().find(|(_, task)| task.module == module).map(|(thread, _)| thread.process);
        tasks.or_else(|| (!self.assembly.processes.is_empty()).then_some(0))
    }
}
