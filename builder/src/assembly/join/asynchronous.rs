//! Tasks that something else than time releases: what releases them, how often at most, and which threads they must not
//! delay.

use beryl_abi::Duration;
use beryl_timing::{self as timing, Trigger as Source, Type};

use super::lengths::Lengths;
use super::modules::Functions;
use super::rhythm::Rhythm;
use super::{Join, Role};
use crate::assembly::{Asynchronous, CellId, Policy, Port, Trigger};
use crate::description::Use;

/// The longest value that the kernel compares, in bytes.
pub(super) const LONGEST: u32 = 64;

/// Whether the kernel can compare values of a type.
pub(super) fn is_comparable(kind: &Type) -> bool {
    kind.size() <= LONGEST
}

impl Join<'_> {
    /// The least time from one release to the next, and the deadline of a job. If they aren't known, that is reported.
    pub(super) fn asynchronous_lengths(
        &mut self,
        module: &timing::Module,
        activity: &timing::Asynchronous,
    ) -> Option<Lengths> {
        if self.is_invoked_later(module, activity.task) {
            self.found.released_twice(self.model, activity.place, &module.tasks[activity.task].name);
            return None;
        }
        let separation = match &activity.trigger {
            Source::Interrupt(name) => self.interrupt(name, activity)?.1,
            Source::Port { .. } => self.changes(module, activity)?,
        };
        let task = &module.tasks[activity.task];
        let described = self.described(module, task)?.deadline;
        let deadline = self.due(module, task, separation)?;
        if let Some(described) = described
            && deadline > separation
        {
            self.found.beyond_separation(self.description, task, described);
            return None;
        }
        Some(Lengths { shortest: deadline, longest: deadline, separation })
    }

    /// The programs of asynchronous activities.
    pub(super) fn add_asynchronous(&mut self, functions: &mut Functions) {
        let mut used = Vec::new();
        for (index, module) in self.model.modules.iter().enumerate() {
            let fixed = super::modules::fixed_inputs(module, index, &[]);
            for activity in &module.asynchronous {
                // What is missing was reported with the task.
                let Some((task, process)) = self.thread_of(index, activity.task) else { continue };
                let Some(trigger) = self.trigger(activity, &mut used) else { continue };
                let Role::Task(row) = &self.assembly.threads[task].role else { continue };
                let separation = row.separation;
                let Some(guard) = self.guard(index, activity.guard.as_ref(), functions) else { continue };
                let to = (activity.task, task, process);
                let Some(inputs) = self.copies(index, to, &activity.inputs, &fixed) else { continue };
                let name = format!("{} {}", module.name, module.tasks[activity.task].name);
                let row = Asynchronous { name, task, trigger, separation, guard, inputs };
                self.assembly.asynchronous.push(row);
            }
        }
        self.check_served(&used);
        self.check_urgencies();
    }

    /// What releases a task; of an interrupt its index among the described ones is noted.
    fn trigger(&mut self, activity: &timing::Asynchronous, used: &mut Vec<usize>) -> Option<Trigger> {
        match &activity.trigger {
            Source::Interrupt(name) => {
                let (index, _) = self.interrupt(name, activity)?;
                if used.contains(&index) {
                    self.found.releases_two(self.model, activity.place, name);
                    return None;
                }
                used.push(index);
                Some(Trigger::Interrupt(self.description.objects.interrupts[index].line.value))
            }
            Source::Port { module, task, port, part } => {
                let whole = *self.published.outputs.get(&(*module, *task, *port))?;
                let source = &self.model.modules[*module].tasks[*task];
                let name = format!("{}.{}", source.name, source.ports[*port].name);
                let (name, cell) = match part {
                    None => (name, whole),
                    Some(part) => (
                        format!("{name}.{}", part.path),
                        self.assembly.cells.part(whole, part.offset, &part.kind),
                    ),
                };
                Some(Trigger::Change(self.look_at(name, cell)))
            }
        }
    }

    /// A port at which triggers look, by its number.
    pub(super) fn look_at(&mut self, name: String, cell: CellId) -> usize {
        let ports = &mut self.assembly.ports;
        let known = ports.iter().position(|known| known.cell == cell);
        known.unwrap_or_else(|| {
            ports.push(Port { name, cell });
            ports.len() - 1
        })
    }

    /// A described interrupt that no thread serves, and how soon it is looked at again.
    fn interrupt(&mut self, name: &str, activity: &timing::Asynchronous) -> Option<(usize, Duration)> {
        let interrupts = &self.description.objects.interrupts;
        let Some(index) = interrupts.iter().position(|row| row.name.value == name) else {
            let known: Vec<_> = interrupts.iter().map(|row| row.name.value.as_str()).collect();
            self.found.unknown_interrupt(self.model, activity.place, name, &known);
            return None;
        };
        let uses = self.description.tasks.iter().flat_map(|task| &task.uses);
        let uses = uses.chain(self.description.threads.iter().flat_map(|thread| &thread.uses));
        let serves = uses.filter(|used| used.value == Use::Interrupt(index)).count() > 0;
        match interrupts[index].separation {
            Some(separation) if !serves => {
                Some((index, separation.value.rounded_down(self.description.board.board.tick)))
            }
            _ => {
                self.found.served(self.model, activity.place, name);
                None
            }
        }
    }

    /// The least time after which the output that a task waits for may change again.
    fn changes(&mut self, module: &timing::Module, activity: &timing::Asynchronous) -> Option<Duration> {
        let Source::Port { module: from, task, port, ref part } = activity.trigger else { return None };
        let source = &self.model.modules[from].tasks[task];
        let port = &source.ports[port];
        let (name, kind) = match part {
            None => (format!("{}.{}", source.name, port.name), &port.kind),
            Some(part) => (format!("{}.{}.{}", source.name, port.name, part.path), &part.kind),
        };
        if !is_comparable(kind) {
            self.found.too_long_to_compare(self.model, activity.place, &name, kind);
            return None;
        }
        let own = self.model.modules.iter().position(|known| known.name == module.name)?;
        match self.rhythm((from, task), &mut vec![(own, activity.task)]) {
            Rhythm::Known(least) if least > Duration::ZERO => return Some(least),
            Rhythm::Known(_) => self.found.whole_separation(self.model, activity.place, &source.name),
            Rhythm::Round => self.found.release_each_other(self.model, activity.place, &source.name),
            Rhythm::Elsewhere => self.found.no_rhythm(self.model, activity.place, &source.name),
            Rhythm::Unknown => {}
        }
        None
    }

    /// An interrupt with a separation is there for a task or a thread.
    fn check_served(&mut self, used: &[usize]) {
        for (index, row) in self.description.objects.interrupts.iter().enumerate() {
            let uses = self.description.threads.iter().flat_map(|thread| &thread.uses);
            let is_served = uses.filter(|own| own.value == Use::Interrupt(index)).count() > 0;
            if row.separation.is_some() && !used.contains(&index) && !is_served {
                self.found.unused_separation(self.description, &row.name);
            }
        }
    }

    /// Asynchronous tasks run under all others, and among them as the timing program says.
    fn check_urgencies(&mut self) {
        let urgency = |thread: usize| {
            let row = &self.assembly.threads[thread];
            (std::cmp::Reverse(row.band), row.place)
        };
        let tasks = 0..self.assembly.tasks().count();
        let mut wrong = Vec::new();
        for row in &self.assembly.asynchronous {
            let thread = &self.assembly.threads[row.task];
            if self.assembly.bands[thread.band].policy != Policy::Fixed {
                wrong.push((row.task, None));
                continue;
            }
            let above = tasks
                .clone()
                .find(|other| !self.assembly.is_asynchronous(*other) && urgency(*other) <= urgency(row.task));
            wrong.extend(above.map(|other| (row.task, Some(other))));
        }
        for (task, above) in wrong {
            let name = |thread: usize| self.assembly.threads[thread].name.clone();
            self.found.too_urgent(self.description, &name(task), above.map(name).as_deref());
        }
        self.check_order();
    }

    /// The description's order of asynchronous tasks is that of their priorities in the timing program.
    fn check_order(&mut self) {
        let rows =
            self.model.modules.iter().enumerate().flat_map(|(index, module)| {
                module.asynchronous.iter().map(move |activity| (index, activity))
            });
        let placed = rows.filter_map(|(index, activity)| {
            let (thread, _) = self.thread_of(index, activity.task)?;
            let row = &self.assembly.threads[thread];
            Some((activity.priority, (std::cmp::Reverse(row.band), row.place), thread))
        });
        let mut placed: Vec<_> = placed.collect();
        placed.sort_by_key(|(priority, urgency, _)| (*priority, *urgency));
        let mut wrong = Vec::new();
        for pair in placed.windows(2) {
            let [(low, below, less), (high, above, more)] = pair else { continue };
            if low < high && below >= above {
                wrong.push((*less, *more));
            }
        }
        for (less, more) in wrong {
            let [less, more] = [less, more].map(|thread| self.assembly.threads[thread].name.clone());
            self.found.other_order(self.description, &less, &more);
        }
    }
}
