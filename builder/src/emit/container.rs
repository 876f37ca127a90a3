//! `<module>.bsc`: a module's system code in its container.

use beryl_syscode::Container;
use beryl_syscode::container::Content;

use crate::Project;
use crate::assembly::Role;
use crate::code::Program;
use crate::emit::identifier;

/// The containers of a project's programs: file names and bytes.
#[must_use]
pub fn containers(project: &Project) -> Vec<(String, Vec<u8>)> {
    project
        .programs
        .iter()
        .map(|program| (format!("{}.bsc", identifier(&program.module)), container(project, program)))
        .collect()
}

/// A program in its container.
pub(crate) fn container(project: &Project, program: &Program) -> Vec<u8> {
    let assembly = &project.assembly;
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
    let content = Content {
        module: &program.module,
        start: program.start,
        durations: &program.durations,
        code: &program.code,
        completions: &completions,
        tasks: &tasks,
        drivers: &drivers,
        conditions: &program.conditions,
        thread_places: program.threads,
        ..Content::default()
    };
    let mut bytes = Vec::new();
    Container::write(&content, &mut bytes);
    bytes
}
