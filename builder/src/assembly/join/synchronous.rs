//! Synchronous values: which inputs are fed, and what can't have any.
//!
//! A task that reads another one's output without a delay gets what the writer's last activation comes to. Its input is
//! copied out of the writer's own output: at its release if that job is done, otherwise when it is. With a delay it reads
//! what all others see, which changes at the ends of logical execution times. See `kernel/src/machine/fed.rs`, and decision 0151
//! for what is refused.

use std::collections::BTreeSet;

use beryl_analysis::Ticks;
use beryl_analysis::synchronous::{Graph, Link, Node, Refused};
use beryl_timing::{self as timing, Operand};

use super::Join;
use super::problems::Apart;
use crate::assembly::{CellId, Driver, DriverKind, Policy, Role, Waits};
use crate::description::{Outputs, Task};

impl Join<'_> {
    /// The driver that fetches an input of a task (its number in its module, its thread and its process), if the input is an
    /// output that it reads at once.
    pub(super) fn fetched(
        &mut self,
        index: usize,
        (task, thread, process): (usize, usize, usize),
        operand: &Operand,
        to: CellId,
    ) -> Option<usize> {
        if self.description.system.outputs != Outputs::Synchronous {
            return None;
        }
        let (module, number, port) = output(operand)?;
        if self.is_delayed(index, task, operand) {
            return None;
        }
        let (writer, _) = self.thread_of(module, number)?;
        let own = *self.published.own.get(&(module, number, port))?;
        let from = self.field(own, operand, to);
        let output = self.operand_name(index, whole(operand));
        self.at_once.entry((writer, thread)).or_default().insert(output);
        let same =
            |row: &Driver| matches!(row.kind, DriverKind::Fetch { .. }) && (row.from, row.to) == (from, to);
        if let Some(known) = self.assembly.drivers.iter().position(same) {
            return Some(known);
        }
        let link = self.assembly.links();
        let length = self.assembly.cells.extent(to, to);
        let source = self.operand_name(index, operand);
        let reader = &self.assembly.threads[thread].name;
        let (fetch, feed) = (format!("{source} to {reader}"), format!("{source} fed to {reader}"));
        let row = |name, kind, task| Driver { name, kind, process, task: Some(task), from, to, length };
        let (fetch, feed) = (
            row(fetch, DriverKind::Fetch { writer, link }, thread),
            row(feed, DriverKind::Feed { link }, writer),
        );
        let (fetch, feed) = (self.add_driver(fetch), self.add_driver(feed));
        if let Role::Task(row) = &mut self.assembly.threads[writer].role {
            row.feeds.push(feed);
        }
        Some(fetch)
    }

    /// An output, or the field of it that is read.
    fn field(&mut self, whole: CellId, operand: &Operand, to: CellId) -> CellId {
        let Operand::Field { of, offset, .. } = operand else { return whole };
        let kind = self.assembly.cells.get(to).kind.clone();
        let whole = self.field(whole, of, to);
        self.assembly.cells.part(whole, *offset, &kind)
    }

    /// Whether the description says that a task reads something with a delay.
    fn is_delayed(&self, module: usize, task: usize, operand: &Operand) -> bool {
        let row = &self.model.modules[module];
        let described = self.described(row, &row.tasks[task]);
        let name = self.operand_name(module, whole(operand));
        described.is_some_and(|row| row.delayed.iter().any(|delayed| delayed.value == name))
    }

    /// Refuses links whose values would have no meaning, or depend on execution times; and delays of nothing.
    pub(super) fn check_synchronous(&mut self) {
        self.check_delays();
        let at_once = std::mem::take(&mut self.at_once);
        let mut links: Vec<_> = at_once.keys().copied().collect();
        let outputs = |writer, reader| at_once.get(&(writer, reader)).cloned().unwrap_or_default();
        if let Some(nodes) = self.cycle(&links)
            && let Some((first, next)) = nodes.first().zip(nodes.get(1).or(nodes.first()))
        {
            let names: Vec<_> = nodes.iter().map(|thread| self.name_of(*thread)).collect();
            self.found.goes_round(self.description, &names, &outputs(*next, *first));
            links.retain(|(writer, reader)| !(nodes.contains(writer) && nodes.contains(reader)));
        }
        for (writer, reader) in links {
            if let Some(apart) = self.apart(writer, reader) {
                let names = [writer, reader].map(|thread| self.name_of(thread));
                self.found.not_at_once(self.description, &names, &outputs(writer, reader), apart);
            }
        }
    }

    fn name_of(&self, thread: usize) -> String {
        self.assembly.threads[thread].name.clone()
    }

    /// Tasks each of which reads the next one's output at once, and the last the first one's.
    fn cycle(&self, links: &[(usize, usize)]) -> Option<Vec<usize>> {
        let node = Node { period: Ticks::new(1), offset: Ticks::ZERO, urgency: 0 };
        let graph = Graph {
            nodes: vec![node; self.assembly.threads.len()],
            links: links
                .iter()
                .map(|(writer, reader)| Link { writer: *writer, reader: *reader, delayed: false })
                .collect(),
        };
        match graph.check() {
            Err(Refused::Cycle { nodes }) => Some(nodes),
            _ => None,
        }
    }

    /// Why a task can't read another one's output at once.
    fn apart(&self, writer: usize, reader: usize) -> Option<Apart> {
        let [from, to] = [writer, reader].map(|thread| &self.assembly.threads[thread]);
        let (Role::Task(writes), Role::Task(reads)) = (&from.role, &to.role) else { return None };
        let has_slot = self.assembly.modules.get(writes.module).is_some_and(|module| module.slot.is_some());
        let is_fixed = |band: usize| self.assembly.bands[band].policy == Policy::Fixed;
        let found = [
            (self.assembly.is_asynchronous(writer), Apart::Asynchronous { is_writer: true }),
            (self.assembly.is_asynchronous(reader), Apart::Asynchronous { is_writer: false }),
            (writes.module != reads.module, Apart::Modules),
            (has_slot, Apart::Slot),
            (from.band != to.band, Apart::Bands),
            (!is_fixed(from.band), Apart::NoPriorities),
            (from.place == to.place, Apart::SameUrgency),
            (from.place < to.place, Apart::ReaderFirst),
            (writes.reaction.goes_on, Apart::GoesOn { is_writer: true }),
            (reads.reaction.goes_on, Apart::GoesOn { is_writer: false }),
            (self.has_values_instead(writes.module, writes.task), Apart::ValuesInstead),
            (from.waits != Waits::Never, Apart::Waits),
        ];
        found.into_iter().find(|(is_so, _)| *is_so).map(|(_, apart)| apart)
    }

    /// Whether other values take the place of a stopped job's outputs.
    fn has_values_instead(&self, module: usize, task: usize) -> bool {
        let row = &self.model.modules[module];
        self.described(row, &row.tasks[task]).is_some_and(|row| row.on_miss.outputs.is_some())
    }

    /// A delay is one of an output that the task reads.
    fn check_delays(&mut self) {
        for row in &self.description.tasks {
            let known = self.read_by(row);
            for delayed in row.delayed.iter().filter(|delayed| !known.contains(&delayed.value)) {
                self.found.delays_nothing(self.description, &row.name, delayed, &known);
            }
        }
    }

    /// The outputs that the tasks read of which a section of the description is.
    fn read_by(&self, row: &Task) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for (index, module) in self.model.modules.iter().enumerate() {
            let own = |task: usize| {
                module.tasks.get(task).is_some_and(|task| row.is_about(&module.name, &task.name))
            };
            let activities = module.modes.iter().flat_map(|mode| &mode.activities);
            let invoked = activities.filter_map(|activity| match activity {
                timing::Activity::Task { task, inputs, .. } => Some((*task, inputs)),
                timing::Activity::Actuator { .. } => None,
            });
            let released = module.asynchronous.iter().map(|activity| (activity.task, &activity.inputs));
            let inputs =
                invoked.chain(released).filter(|(task, _)| own(*task)).flat_map(|(_, inputs)| inputs);
            let outputs = inputs.filter(|operand| output(operand).is_some());
            names.extend(outputs.map(|operand| self.operand_name(index, whole(operand))));
        }
        names
    }
}

/// The output that an operand is, or is a field of: its module, task and port.
fn output(operand: &Operand) -> Option<(usize, usize, usize)> {
    match whole(operand) {
        Operand::Output { module, task, port } => Some((*module, *task, *port)),
        _ => None,
    }
}

/// What an operand is a field of, or itself.
fn whole(operand: &Operand) -> &Operand {
    match operand {
        Operand::Field { of, .. } => whole(of),
        _ => operand,
    }
}
