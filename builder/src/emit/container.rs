//! `<module>.bsc`: a module's system code in its container.

use beryl_syscode::container::Content;
use beryl_syscode::{Condition, Container, Exception};

use crate::Project;
use crate::assembly::{Assembly, Role};
use crate::code::Program;
use crate::emit::identifier;

/// The containers of a project's programs: file names and bytes.
#[must_use]
pub fn containers(project: &Project) -> Vec<(String, Vec<u8>)> {
    let assembly = &project.assembly;
    let own = project.programs.iter().map(|program| (identifier(&program.module), program));
    let others = assembly.alternatives.iter().zip(&project.alternatives);
    let others = others.map(|(row, program)| (stem(&row.file), program));
    let named = |(name, program)| (format!("{name}.bsc"), container(assembly, program));
    own.chain(others).map(named).collect()
}

/// The name of another program's file without its ending.
fn stem(file: &str) -> String {
    let stem = std::path::Path::new(file).file_stem();
    identifier(&stem.map_or_else(|| file.to_owned(), |stem| stem.to_string_lossy().into_owned()))
}

/// A program in its container.
pub(crate) fn container(assembly: &Assembly, program: &Program) -> Vec<u8> {
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
