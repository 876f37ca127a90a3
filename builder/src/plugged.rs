//! From a project to the plugin with its environment, in which the plant answers while an emulated board runs, and from
//! several nodes to the one that joins them by their bus, and to the one by which cores take turns.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::{Path, PathBuf};

use crate::alone::Alone;
use crate::c::world;
use crate::emit::File;
use crate::emit::manifest::{Dependency, package, patches, workspace};
use crate::emit::plugged::{coupled, plugged, turns};
use crate::environment::Environment;
use crate::error::BuildError;
use crate::functions::refused;
use crate::nodes::Nodes;
use crate::project::Project;
use crate::simulate::link_c;
use crate::toolchain::{crates, host_cargo};
use crate::workshop::{Workshop, lock_versions};

/// Generates and builds the plugin of a project; answers its path.
///
/// # Errors
/// Files that can't be written, and what the compiler says about the environment.
pub fn build(project: &Project, workshop: &Workshop) -> Result<PathBuf, BuildError> {
    let environment = Environment::of(project, &folder_of(project)?)?;
    let system = &project.assembly.name;
    let source = plugged(system, &environment.world);
    let world = world::library(project, workshop, system)?;
    compile(project, workshop, (system, "plugged"), source, environment.dependency(), world.as_deref())
}

/// Generates and builds the plugin with the bus controllers of all nodes; answers its path.
///
/// # Errors
/// Files that can't be written.
pub fn build_bus(nodes: &Nodes, workshop: &Workshop) -> Result<PathBuf, BuildError> {
    let Some(first) = nodes.parts.first() else { return Err(nodes.without_nodes()) };
    compile(&first.project, workshop, (&nodes.name, "coupled"), coupled(nodes), None, None)
}

/// Generates and builds the plugin that ends the turns of the cores of a system; answers its path.
///
/// # Errors
/// Files that can't be written.
pub fn build_turns(nodes: &Nodes, workshop: &Workshop) -> Result<PathBuf, BuildError> {
    let Some(first) = nodes.parts.first() else { return Err(nodes.without_nodes()) };
    turns_called(&nodes.name, &first.project, workshop)
}

/// The same for a system whose kernel has a core of its own.
///
/// # Errors
/// Files that can't be written.
pub fn build_turns_of_both(project: &Project, workshop: &Workshop) -> Result<PathBuf, BuildError> {
    turns_called(&project.assembly.name, project, workshop)
}

fn turns_called(name: &str, project: &Project, workshop: &Workshop) -> Result<PathBuf, BuildError> {
    compile(project, workshop, (name, "turns"), turns(name), None, None)
}

fn folder_of(project: &Project) -> Result<PathBuf, BuildError> {
    project.folder.canonicalize().map_err(|reason| BuildError::file("find", &project.folder, reason))
}

/// Compiles a plugin of a system, whose source is in the folder `kind` of that.
fn compile(
    project: &Project,
    workshop: &Workshop,
    (system, kind): (&str, &str),
    source: File,
    environment: Option<Dependency<'_>>,
    world: Option<&Path>,
) -> Result<PathBuf, BuildError> {
    let folder = workshop.folder(system);
    let _alone = Alone::in_folder(&folder)?;
    let (root, name) = (crates()?, workshop.package(system, kind));
    let (sim, abi, user) = (root.join("sim"), root.join("kernel/abi"), root.join("user"));
    let mut dependencies = vec![
        Dependency { name: "beryl-sim", package: "beryl-sim", path: &sim, features: &[] },
        // Lines that are others on another board.
        Dependency { name: "beryl-abi", package: "beryl-abi", path: &abi, features: &[] },
        // Mathematics, for a world in C.
        Dependency { name: "beryl-user", package: "beryl-user", path: &user, features: &[] },
    ];
    let what = match environment.is_some() || world.is_some() {
        true => "building the environment for the emulator",
        false => "building the plugin for the emulator",
    };
    dependencies.extend(environment);
    let library = "[lib]\ncrate-type = [\"cdylib\"]\n\n";
    let mut manifest = package(kind, &name, library, &dependencies);
    manifest.text += &workspace(kind, &[], &patches(&root, &folder_of(project)?)).text;
    workshop.write(system, &[manifest, source])?;
    let place = folder.join(kind);
    link_c(&place, &world.map(|folder| (folder, world::LIBRARY)).into_iter().collect::<Vec<_>>())?;
    lock_versions(&place)?;
    // What both need has been compiled for the simulation.
    let target = workshop.target().join("simulation");
    let mut cargo = host_cargo("build");
    cargo.args(["--profile", "simulation", "--manifest-path"]).arg(place.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(&target);
    refused::cargo(what, cargo, project, &place)?;
    Ok(target.join("simulation").join(format!("{DLL_PREFIX}{}{DLL_SUFFIX}", name.replace('-', "_"))))
}
