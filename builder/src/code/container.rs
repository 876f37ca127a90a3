//! A module's system code in its container, as files and slots hold it.

use beryl_syscode::container::Content;
use beryl_syscode::{Condition, Container, Exception};

use super::program::Program;
use crate::assembly::{Assembly, Role};

/// A program in its container.
#[must_use]
pub fn container(assembly: &Assembly, program: &Program) -> Vec<u8> {
    let tasks: Vec<_> = assembly
        .threads
        .iter()
        .take_while(|thread| matches!(thread.role, Role::Task(_)))
        .map(|thread| thread.name.as_str())
        .collect();
    let drivers: Vec<_> = assembly.drivers.iter().map(|driver| driver.name.as_str()).collect();
    let completions: Vec<_> = program
        .completions
        .iter()
        .filter_map(|(thread, address)| Some((u8::try_from(*thread).ok()?, *address)))
        .collect();
    // Programs of a slot may look at ports, and have all names in common.
    let mut slots = assembly.modules.iter().filter(|module| module.slot.is_some());
    let looks = slots.any(|module| module.name == program.module)
        || program.conditions.iter().any(|condition| matches!(condition, Condition::Changed(_)));
    let ports: Vec<_> = assembly.ports.iter().filter(|_| looks).map(|port| port.name.as_str()).collect();
    let handlers: Vec<_> = program.handler.iter().map(|address| (Exception::Safety, *address)).collect();
    let content = Content {
        module: &program.module,
        start: program.start,
        durations: &program.durations,
        code: &program.code,
        completions: &completions,
        tasks: &tasks,
        drivers: &drivers,
        conditions: &program.conditions,
        ports: &ports,
        thread_places: program.threads,
        certificate: &program.certificate,
        handlers: &handlers,
        ..Content::default()
    };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}
