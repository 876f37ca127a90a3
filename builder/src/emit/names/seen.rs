//! What views name beside threads and drivers: modes of modules, ports, and state messages.

use beryl_trace::modes::{ModeName, ModuleModes};
use beryl_trace::ports::{PortName, Writer};
use beryl_trace::states::StateName;

use super::value_type;
use crate::assembly::objects::State;
use crate::assembly::{Assembly, CellId, DriverKind, Home, Role};
use crate::code::Program;

/// The modes of all modules, as their programs have them.
pub(super) fn modes(assembly: &Assembly, programs: &[Program]) -> Vec<ModuleModes> {
    let numbered = (0..=u8::MAX).zip(assembly.modules.iter().zip(programs));
    let module = |(program, (module, code)): (u8, (&crate::assembly::Module, &Program))| ModuleModes {
        program,
        tasks: tasks_of(assembly, usize::from(program)),
        start: module.start,
        modes: code.modes.iter().map(mode).collect(),
    };
    numbered.map(module).collect()
}

/// The same before there are programs: the modes with their names alone.
#[must_use]
pub fn modes_called(assembly: &Assembly) -> Vec<ModuleModes> {
    let numbered = (0..=u8::MAX).zip(&assembly.modules);
    let called = |name: &str| ModeName { name: name.to_owned(), from: 0, asks: Vec::new() };
    let module = |(program, module): (u8, &crate::assembly::Module)| ModuleModes {
        program,
        tasks: tasks_of(assembly, usize::from(program)),
        start: module.start,
        modes: module.modes.iter().map(|mode| called(&mode.name)).collect(),
    };
    numbered.map(module).collect()
}

fn mode(blocks: &crate::code::ModeBlocks) -> ModeName {
    ModeName { name: blocks.name.clone(), from: blocks.from, asks: blocks.asks.clone() }
}

fn tasks_of(assembly: &Assembly, module: usize) -> Vec<u8> {
    let threads = (0..=u8::MAX).zip(&assembly.threads);
    let is_own = |role: &Role| matches!(role, Role::Task(task) if task.module == module);
    threads.filter(|(_, thread)| is_own(&thread.role)).map(|(number, _)| number).collect()
}

/// The outputs of all tasks, with the drivers that write them.
pub(super) fn ports(assembly: &Assembly) -> Vec<PortName> {
    let outputs = assembly.tasks().flat_map(|(thread, task)| {
        task.outputs.iter().map(|(name, cell)| (format!("{}.{name}", thread.name), *cell))
    });
    let port = |(name, cell): (String, CellId)| PortName {
        name,
        value: value_type(&assembly.cells.get(cell).kind),
        writers: writers(assembly, cell),
    };
    outputs.map(port).collect()
}

/// The state messages whose values are told.
pub(super) fn states(assembly: &Assembly) -> Vec<StateName> {
    let traced = assembly.objects.states.iter().filter(|row| row.is_traced);
    let name = |row: &State| {
        Some(StateName { number: row.id?.0, name: row.name.clone(), value: value_type(&row.kind) })
    };
    traced.filter_map(name).collect()
}

/// The drivers whose value has the port in it: that publishes the outputs of its task, or puts back what it began with.
fn writers(assembly: &Assembly, port: CellId) -> Vec<Writer> {
    let place = assembly.cells.get(port);
    let drivers = (0..=u16::MAX).zip(&assembly.drivers);
    let publishes =
        drivers.filter(|(_, driver)| matches!(driver.kind, DriverKind::Publish | DriverKind::Constant));
    let writer = |(driver, row): (u16, &crate::assembly::Driver)| {
        let to = assembly.cells.get(row.to);
        let offset = place.offset.checked_sub(to.offset)?;
        let is_in = (to.home, place.home) == (Home::Published, Home::Published)
            && offset.saturating_add(place.kind.size()) <= row.length;
        is_in.then_some(Writer { driver, offset })
    };
    publishes.filter_map(writer).collect()
}
