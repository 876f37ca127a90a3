//! Outputs for which programs of slots may wait: the kernel has a row for each.

use beryl_timing::{self as timing, Model};

use super::Join;
use super::asynchronous::is_comparable;
use crate::assembly::CellId;
use crate::description::Placed;

/// An output of a task: module, task, port.
type Output = (usize, usize, usize);

impl Join<'_> {
    /// Gives each output that a slot names a row, behind those that release tasks.
    pub(super) fn add_looked_at(&mut self) {
        for slot in &self.description.objects.slots {
            let own = self.model.modules.iter().position(|module| module.name == slot.name.value);
            for name in &slot.ports {
                if let Some((name, cell)) = self.looked_at(own, name) {
                    self.look_at(name, cell);
                }
            }
        }
    }

    /// The output of a name, as the kernel's table and the programs call it.
    fn looked_at(&mut self, own: Option<usize>, name: &Placed<String>) -> Option<(String, CellId)> {
        let known: Vec<_> = outputs(self.model, own).collect();
        let is_it = |output: &&Output| {
            let [short, long] = names(self.model, **output);
            name.value == short || name.value == long
        };
        let (module, task, port) = match known.iter().filter(is_it).copied().collect::<Vec<_>>()[..] {
            [one] => one,
            [] => {
                let names: Vec<_> =
                    known.iter().map(|output| names(self.model, *output)[0].clone()).collect();
                self.found.unknown_output(self.description, name, &names);
                return None;
            }
            [one, other, ..] => {
                let [one, other] = [one, other].map(|output| names(self.model, output)[1].clone());
                self.found.two_outputs(self.description, name, [&one, &other]);
                return None;
            }
        };
        let row: &timing::Port = &self.model.modules[module].tasks[task].ports[port];
        if !is_comparable(&row.kind) {
            self.found.long_output(self.description, name, row);
            return None;
        }
        let cell = *self.published.outputs.get(&(module, task, port))?;
        let [short, _] = names(self.model, (module, task, port));
        Some((short, cell))
    }
}

/// The outputs that programs of a module may read: its own, and those of public tasks.
fn outputs(model: &Model, own: Option<usize>) -> impl Iterator<Item = Output> {
    model.modules.iter().enumerate().flat_map(move |(module, row)| {
        let readable = move |task: &timing::Task| task.public || own == Some(module);
        let tasks = row.tasks.iter().enumerate().filter(move |(_, task)| readable(task));
        tasks.flat_map(move |(task, row)| {
            let ports = row.ports.iter().enumerate();
            let outputs = ports.filter(|(_, port)| port.role == timing::Role::Output);
            outputs.map(move |(port, _)| (module, task, port))
        })
    })
}

/// An output's name without and with its module.
fn names(model: &Model, (module, task, port): Output) -> [String; 2] {
    let module = &model.modules[module];
    let task = &module.tasks[task];
    let short = format!("{}.{}", task.name, task.ports[port].name);
    let long = format!("{}.{short}", module.name);
    [short, long]
}
