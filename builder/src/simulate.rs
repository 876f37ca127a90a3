//! From a project to its simulation program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use beryl_trace::Tick;

use crate::alone::Alone;
use crate::application::Application;
use crate::board::code::{Frame, Lines};
use crate::c::{LIBRARY, library, world};
use crate::emit::manifest::{Dependency, package, patches, workspace};
use crate::emit::simulation::{module, simulation, simulation_of};
use crate::emit::{File, names, tables};
use crate::environment::Environment;
use crate::error::BuildError;
use crate::faulted;
use crate::functions::refused;
use crate::identity::Identity;
use crate::nodes::Nodes;
use crate::project::Project;
use crate::statements;
use crate::toolchain::{crates, host_cargo};
use crate::workshop::{Workshop, lock_versions, replace};

/// Generates and builds the simulation program of a project; answers its path.
///
/// # Errors
/// Files that can't be written, and what the compiler says about the application.
pub fn build(project: &Project, workshop: &Workshop) -> Result<PathBuf, BuildError> {
    let folder = workshop.folder(&project.assembly.name);
    let _alone = Alone::in_folder(&folder)?;
    let mut files = sources(project, workshop)?;
    files.extend(listings(project)?);
    workshop.write(&project.assembly.name, &files)?;
    link_all(&folder.join("simulation"), [project; 2], workshop, &project.assembly.name)?;
    compile(project, workshop, &project.assembly.name)
}

/// Compiles the simulation program of a name that has been written.
fn compile(project: &Project, workshop: &Workshop, name: &str) -> Result<PathBuf, BuildError> {
    let workspace = workshop.folder(name).join("simulation");
    lock_versions(&workspace)?;
    let target = workshop.target().join("simulation");
    let mut cargo = host_cargo("rustc");
    cargo
        .args(["--profile", "simulation", "--manifest-path"])
        .arg(workspace.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target);
    let options = statements::in_simulation(&workspace)?;
    refused::rustc("building the simulation", cargo, &options, project, &workspace)?;
    Ok(target.join("simulation").join(workshop.package(name, "simulation")))
}

fn folder_of(project: &Project) -> Result<PathBuf, BuildError> {
    project.folder.canonicalize().map_err(|reason| BuildError::file("find", &project.folder, reason))
}

/// Compiles the functions in C of a project and the world of another, and links those that there are.
fn link_all(
    simulation: &Path,
    [in_c, outside]: [&Project; 2],
    workshop: &Workshop,
    name: &str,
) -> Result<(), BuildError> {
    let (functions, world) = (library(in_c, workshop)?, world::library(outside, workshop, name)?);
    let both = [(functions.as_deref(), LIBRARY), (world.as_deref(), world::LIBRARY)];
    link_c(
        simulation,
        &both.into_iter().filter_map(|(folder, name)| Some((folder?, name))).collect::<Vec<_>>(),
    )
}

/// Writes what tells cargo where libraries in C are: the folder and the name of each. Nothing if there are none.
pub(crate) fn link_c(package: &Path, libraries: &[(&Path, &str)]) -> Result<(), BuildError> {
    let path = package.join("build.rs");
    if libraries.is_empty() {
        return match path.exists() {
            true => fs::remove_file(&path).map_err(|reason| BuildError::file("remove", &path, reason)),
            false => Ok(()),
        };
    }
    let mut text =
        "//! Where functions in C are. Written by the builder; changes are lost.\n\nfn main() {\n".to_owned();
    for (folder, name) in libraries {
        let folder = folder.canonicalize().map_err(|reason| BuildError::file("find", folder, reason))?;
        let file = folder.join(format!("lib{name}.a"));
        text += &format!(
            "    println!(\"cargo::rustc-link-search=native={{}}\", {:?});\n    \
             println!(\"cargo::rustc-link-lib=static={name}\");\n    \
             println!(\"cargo::rerun-if-changed={{}}\", {:?});\n",
            folder.display().to_string(),
            file.display().to_string(),
        );
    }
    replace(&path, (text + "}\n").as_bytes())
}

/// A simulation program, ready to be run with its options.
#[must_use]
pub fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Where an instruction of a simulation program comes from: the innermost function in the user's own files.
#[must_use]
pub fn place(program: &Path, distance: u64) -> Option<Frame> {
    let bytes = fs::read(program).ok()?;
    let lines = Lines::new(&object::File::parse(bytes.as_slice()).ok()?).ok()?;
    let frames = lines.frames(u32::try_from(distance).ok()?);
    frames.into_iter().find(faulted::is_own)
}

/// The identity of a project in the simulator.
#[must_use]
pub fn identity(project: &Project) -> Identity {
    Identity::of_tables(&tables::tables(project).text)
}

/// Generates and builds the simulation program of several nodes; answers its path.
///
/// # Errors
/// As [`build`].
pub fn build_nodes(nodes: &Nodes, workshop: &Workshop) -> Result<PathBuf, BuildError> {
    let first = nodes.parts.first().map(|node| &node.project);
    let first = first.ok_or_else(|| nodes.without_nodes())?;
    let folder = workshop.folder(&nodes.name);
    let workspace = folder.join("simulation");
    let _alone = Alone::in_folder(&folder)?;
    let tables: Vec<_> = nodes.parts.iter().map(|node| tables::tables(&node.project)).collect();
    let identities: Vec<_> = tables.iter().map(|table| Identity::of_tables(&table.text)).collect();
    let system = folder_of(first)?;
    let environment = Environment::of(first, &system)?;
    let mut files = simulation_of(nodes, &identities, &environment.world);
    for (node, table) in nodes.parts.iter().zip(tables) {
        files.push(File { path: format!("simulation/src/{}/tables.rs", module(&node.name)), ..table });
    }
    files.extend(manifest(first, workshop, &nodes.name, &system, &environment)?);
    workshop.write(&nodes.name, &files)?;
    let in_c = nodes.parts.iter().map(|node| &node.project).find(|part| !part.assembly.in_c.is_empty());
    link_all(&workspace, [in_c.unwrap_or(first), first], workshop, &nodes.name)?;
    compile(first, workshop, &nodes.name)
}

fn sources(project: &Project, workshop: &Workshop) -> Result<Vec<File>, BuildError> {
    let folder = folder_of(project)?;
    let board = project.description.board.board.value;
    let environment = Environment::of(project, &folder)?;
    let ram = project.description.board.ram.value.get();
    let table = tables::tables(project);
    let mut files = simulation(project, board, ram, &environment.world, Identity::of_tables(&table.text));
    files.push(File { path: "simulation/src/tables.rs".to_owned(), ..table });

    files.extend(manifest(project, workshop, &project.assembly.name, &folder, &environment)?);
    Ok(files)
}

/// The manifest of the simulation program of a name, whose system is in `folder`, and the application if that is written.
fn manifest(
    project: &Project,
    workshop: &Workshop,
    name: &str,
    folder: &Path,
    environment: &Environment,
) -> Result<Vec<File>, BuildError> {
    let application = Application::of(project, workshop, name, folder)?;
    let root = crates()?;
    let crates = ["kernel/abi", "kernel", "sim", "user"].map(|folder| {
        let name = folder.rsplit('/').next().unwrap_or(folder);
        (format!("beryl-{name}"), root.join(folder))
    });
    let mut dependencies: Vec<_> =
        crates.iter().map(|(name, path)| Dependency { name, package: name, path, features: &[] }).collect();
    dependencies.push(application.dependency());
    dependencies.extend(environment.dependency());
    let mut manifest = package("simulation", &workshop.package(name, "simulation"), "", &dependencies);
    // The program is a workspace of its own, wherever it is generated.
    manifest.text += &workspace("simulation", &[], &patches(&root, folder)).text;
    let mut files = application.files;
    files.push(manifest);
    Ok(files)
}

/// What people and tools read beside the generated sources.
///
/// # Errors
/// None that a well-formed project causes.
pub fn listings(project: &Project) -> Result<Vec<File>, BuildError> {
    let code = project.programs.iter().map(|program| {
        let listing = tables::listing(&project.assembly, program, project.tick());
        format!("module {}\n{listing}\n", program.module)
    });
    let tick = Tick::new(project.tick(), 1);
    let names = tick.map(|tick| names::names_of(project, tick).to_json()).transpose();
    let names = names.map_err(|reason| BuildError::Step {
        what: "writing names".to_owned(),
        output: reason.to_string(),
    })?;
    Ok(vec![
        File { path: "system-code.txt".to_owned(), text: code.collect() },
        File { path: "names.json".to_owned(), text: names.unwrap_or_default() },
        File { path: "regions.txt".to_owned(), text: project.plan.to_string() },
    ])
}
