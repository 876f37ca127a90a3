//! `<module>.bsc`: the containers of all programs of a system.

use crate::code::container;
use crate::emit::identifier;
use crate::project::Project;

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
