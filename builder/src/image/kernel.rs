//! The kernel: what it is made of, how large it is, and whether its variables leave its stack alone.

use std::path::Path;

use object::{Object, ObjectSymbol};

use crate::board::{Image, Processor};
use crate::emit::kernel::{Entries, kernel};
use crate::emit::manifest::{Dependency, package};
use crate::emit::{File, tables};
use crate::error::BuildError;
use crate::footprint::{self, Tables};
use crate::image::process::loads;
use crate::image::switches;
use crate::kernel_cache::{self, CRATES, PACKAGE};
use crate::plan::Plan;
use crate::project::Project;
use crate::quantity::Bytes;
use crate::toolchain::Toolchain;

/// The sources of the kernel behind the tables of this plan.
///
/// # Errors
/// A region that the protection unit can't express: a mistake of the plan.
pub(super) fn sources(project: &Project, plan: &Plan, entries: &Entries) -> Result<Vec<File>, BuildError> {
    let [board, folder] = plan.board.package;
    let [port, port_folder] = plan.board.processor.package;
    let crates =
        [("beryl-abi", "kernel/abi"), ("beryl-kernel", "kernel"), (port, port_folder), (board, folder)]
            .map(|(name, path)| (name, Path::new(CRATES).join(path)));
    let dependencies: Vec<_> =
        crates.iter().map(|(name, path)| Dependency { name, package: name, path, features: &[] }).collect();
    let mut files = kernel(&project.assembly, plan, entries)?;
    files.push(package(PACKAGE, PACKAGE, "", &dependencies));
    files.push(File { path: format!("{PACKAGE}/src/tables.rs"), ..tables::tables(project) });
    Ok(files)
}

/// What a kernel would know about processes that aren't there. It is made up, and all values differ, so that the compiler
/// can conclude nothing from them.
pub(super) fn without_processes(project: &Project) -> Entries {
    let (assembly, plan) = (&project.assembly, &project.plan);
    let rows = |count: usize| (0..count).filter_map(|row| u32::try_from(row).ok());
    let (text, memory) = (plan.text.region.interval.base, plan.kernel.ram.limit);
    let thread = |row: u32| text.saturating_add(row.saturating_mul(20) | 1);
    let image = |row: u32| Image {
        load: text.saturating_add(row.saturating_mul(24)),
        address: memory.saturating_add(row.saturating_mul(40)),
        length: row.saturating_mul(8),
        zeros: row.saturating_mul(12).saturating_add(4),
    };
    let threads = rows(assembly.threads.len()).map(thread).collect();
    Entries { threads, images: rows(Tables::of(assembly).images()).map(image).collect() }
}

/// The linked kernel of these sources.
///
/// # Errors
/// What the compiler says, or that it did what a kernel can't bear.
pub(super) fn linked(
    processor: &Processor,
    toolchain: &Toolchain,
    sources: &[File],
) -> Result<Vec<u8>, BuildError> {
    let kernel = kernel_cache::compiled(toolchain, processor.target, sources)?;
    switches::check(&kernel)?;
    Ok(kernel)
}

/// The first address behind everything that a kernel has in flash.
///
/// # Errors
/// It is no linked program.
pub(super) fn end(elf: &[u8]) -> Result<u32, BuildError> {
    let ends = loads(elf)?.into_iter().map(|(address, bytes)| {
        let length = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        address.saturating_add(length)
    });
    Ok(ends.max().unwrap_or(0))
}

/// Checks that the kernel's variables leave room for its stack in the RAM that is planned for both.
///
/// # Errors
/// They don't: they have grown since they were measured.
pub(super) fn check_variables(elf: &[u8], plan: &Plan) -> Result<(), BuildError> {
    let unreadable = |output: String| BuildError::Step { what: "reading the kernel".to_owned(), output };
    let file = object::File::parse(elf).map_err(|reason| unreadable(reason.to_string()))?;
    let end = file.symbols().find(|symbol| symbol.name() == Ok("__ebss")).map(|symbol| symbol.address());
    let end = end.ok_or_else(|| unreadable("it has no symbol `__ebss`".to_owned()))?;
    let ram = plan.kernel.ram;
    let variables = end.saturating_sub(ram.base.into());
    let needed = variables.saturating_add(footprint::stack(plan.board.processor));
    if needed <= ram.length().get().into() {
        return Ok(());
    }
    let planned = Bytes::new(ram.length().get()).get();
    Err(BuildError::Limit {
        message: format!("the kernel's variables and stack take {needed} bytes, {planned} are planned"),
        proposal: "this kernel isn't the one that was measured: write its measures again with \
                   `./x bench fits --record`"
            .to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{loads, sources as sources_of, without_processes};
    use crate::board::Board;
    use crate::kernel_cache::tests::{empty, root};
    use crate::kernel_cache::{Cache, MOST_KEPT, compiled};
    use crate::parsed::Variant;
    use crate::project::Project;
    use crate::toolchain::Toolchain;

    #[test]
    fn a_kernel_is_the_same_wherever_it_is_compiled_and_compiled_once() {
        let project = Project::load(&root().join("bench/objects"), Variant::default()).expect("it is right");
        let target = project.plan.board.processor.target;
        let toolchain = Toolchain::find(target).expect("a compiler");
        let sources = sources_of(&project, &project.plan, &without_processes(&project)).expect("sources");
        let usual = compiled(&toolchain, target, &sources).expect("it compiles");
        let elsewhere = Cache { folder: empty("somewhere else/as deep as nobody else"), most: MOST_KEPT };
        // One of another processor needs other libraries, and was there before.
        let others = Variant { board: Board::named("virt"), ..Variant::default() };
        let others = Project::load(&root().join("examples/helicopter"), others).expect("it is right");
        let other = sources_of(&others, &others.plan, &without_processes(&others)).expect("sources");
        let others = others.plan.board.processor.target;
        elsewhere
            .compiled(&Toolchain::find(others).expect("a compiler"), others, &other)
            .expect("it compiles");
        let other = elsewhere.compiled(&toolchain, target, &sources).expect("it compiles there");
        assert_eq!(loads(&usual).expect("a kernel"), loads(&other).expect("a kernel"));
        // Who compiled once more would need a place.
        fs::remove_dir_all(elsewhere.folder.join("place-0")).expect("removed");
        assert_eq!(elsewhere.compiled(&toolchain, target, &sources).expect("it is kept"), other);
        assert!(!elsewhere.folder.join("place-0").exists());
    }
}
