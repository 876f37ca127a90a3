//! Which processes have nothing to do with each other: what one does can't change the other's values.

use std::collections::BTreeSet;

use beryl_builder::Project;
use beryl_builder::assembly::{Activity, Assembly, Cell, Entering, Guard, Input, Module, Role, Use};

/// Groups of processes, each linked by modules, objects or the environment.
pub struct Linked {
    group: Vec<usize>,
}

impl Linked {
    /// The groups of a system.
    pub fn of(project: &Project) -> Linked {
        let assembly = &project.assembly;
        let mut linked = Linked { group: (0..assembly.processes.len()).collect() };
        modules(assembly).iter().for_each(|module| linked.join(module));
        objects(assembly).iter().for_each(|users| linked.join(users));
        if project.description.system.environment.is_some() {
            linked.join(&outside(assembly));
        }
        linked
    }

    /// Whether what `process` does may change the values of `other`.
    pub fn are(&self, process: usize, other: usize) -> bool {
        self.group.get(process) == self.group.get(other)
    }

    fn join(&mut self, processes: &BTreeSet<usize>) {
        let groups: BTreeSet<usize> =
            processes.iter().filter_map(|process| self.group.get(*process).copied()).collect();
        let Some(first) = groups.first() else { return };
        self.group.iter_mut().filter(|group| groups.contains(group)).for_each(|group| *group = *first);
    }
}

/// The processes of each module, and of those that take inputs from it.
fn modules(assembly: &Assembly) -> Vec<BTreeSet<usize>> {
    let rows = assembly.modules.iter().enumerate();
    let others = assembly.alternatives.iter().map(|other| (other.module, &other.body));
    rows.chain(others).map(|(index, module)| of_module(assembly, index, module)).collect()
}

fn of_module(assembly: &Assembly, index: usize, module: &Module) -> BTreeSet<usize> {
    let tasks = assembly.tasks().filter(|(_, task)| task.module == index).map(|(thread, _)| thread.process);
    let tasks: Vec<_> = tasks.collect();
    let inputs = module.modes.iter().flat_map(|mode| &mode.activities).flat_map(drivers_of);
    let switches = module.modes.iter().flat_map(|mode| &mode.switches);
    let guards = switches.filter_map(|switch| switch.guard.as_ref());
    let guards = guards.flat_map(Guard::drivers);
    let entering = module.modes.iter().flat_map(|mode| &mode.entering).flat_map(Entering::drivers);
    let is_its = |task: &usize| match assembly.threads.get(*task).map(|thread| &thread.role) {
        Some(Role::Task(task)) => task.module == index,
        _ => false,
    };
    let events = assembly.asynchronous.iter().filter(|row| is_its(&row.task));
    let events = events.flat_map(|row| row.drivers().collect::<Vec<_>>());
    let drivers: Vec<usize> = inputs.chain(guards).chain(entering).chain(events).collect();
    let rows = drivers.iter().filter_map(|driver| assembly.drivers.get(*driver));
    let own = rows.clone().map(|driver| driver.process);
    let writers = rows.flat_map(|driver| writers(assembly, assembly.cells.get(driver.from)));
    tasks.into_iter().chain(own).chain(writers).collect()
}

fn drivers_of(activity: &Activity) -> Vec<usize> {
    let guard = activity.guard().into_iter().flat_map(Guard::drivers);
    let inputs: &[Input] = match activity {
        Activity::Release { inputs, .. } => inputs,
        Activity::Actuate { update, .. } => std::slice::from_ref(update),
    };
    guard.chain(inputs.iter().flat_map(Input::drivers)).collect()
}

/// The processes of the tasks that write to a cell.
fn writers(assembly: &Assembly, read: &Cell) -> Vec<usize> {
    let is_part = |output: &Cell| {
        let end = output.offset.saturating_add(output.kind.size());
        output.home == read.home && (output.offset..end).contains(&read.offset)
    };
    let writes = |task: &beryl_builder::assembly::Task| {
        task.outputs.iter().any(|(_, cell)| is_part(assembly.cells.get(*cell)))
    };
    assembly.tasks().filter(|(_, task)| writes(task)).map(|(thread, _)| thread.process).collect()
}

/// The processes that use each object.
fn objects(assembly: &Assembly) -> Vec<BTreeSet<usize>> {
    let keys: BTreeSet<_> = assembly.threads.iter().flat_map(|thread| &thread.uses).map(key).collect();
    let users = |wanted: &(u8, usize)| {
        let threads = assembly.threads.iter();
        let using = threads.filter(|thread| thread.uses.iter().any(|used| key(used) == *wanted));
        using.map(|thread| thread.process).collect()
    };
    keys.iter().map(users).collect()
}

/// The same for the same object, however it is used.
fn key(used: &Use) -> (u8, usize) {
    match *used {
        Use::Lock(index) => (0, index),
        Use::Semaphore(index) => (1, index),
        Use::Condition(index) => (2, index),
        Use::Send(index) | Use::Receive(index) => (3, index),
        Use::Call(index) | Use::Serve(index) => (4, index),
        Use::Set(index) | Use::AwaitBits(index) => (5, index),
        Use::Notify(index) | Use::Await(index) => (6, index),
        Use::Interrupt(index) => (7, index),
        Use::Write(index) | Use::Read(index) | Use::ReadSlow(index) => (8, index),
        Use::Region(index) => (9, index),
        Use::Slot(index) => (10, index),
        Use::Trace => (11, 0),
        Use::Priority(index) => (12, index),
        Use::Replace(index) => (13, index),
    }
}

/// The processes that meet the environment, which may answer one with what another has done.
fn outside(assembly: &Assembly) -> BTreeSet<usize> {
    let meets = |process: &usize| {
        let row = assembly.processes.get(*process);
        let has_device = row.is_some_and(|row| row.devices.iter().any(|device| device == "environment"));
        let is_interrupted = |used: &Use| matches!(used, Use::Interrupt(_));
        has_device || assembly.threads_of(*process).any(|thread| thread.uses.iter().any(is_interrupted))
    };
    (0..assembly.processes.len()).filter(meets).collect()
}
