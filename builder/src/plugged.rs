//! From a project to the plugin with its environment, in which the plant answers while an emulated board runs.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::PathBuf;

use crate::alone::Alone;
use crate::emit::manifest::{Dependency, package, patches, workspace};
use crate::emit::plugged::plugged;
use crate::environment::Environment;
use crate::error::BuildError;
use crate::functions::refused;
use crate::project::Project;
use crate::toolchain::{crates, host_cargo};
use crate::workshop::{Workshop, lock_versions};

/// Generates and builds the plugin of a project; answers its path.
///
/// # Errors
/// Files that can't be written, and what the compiler says about the environment.
pub fn build(project: &Project, workshop: &Workshop) -> Result<PathBuf, BuildError> {
    let system = &project.assembly.name;
    let folder = workshop.folder(system);
    let _alone = Alone::in_folder(&folder)?;
    let own =
        project.folder.canonicalize().map_err(|reason| BuildError::file("find", &project.folder, reason))?;
    let environment = Environment::of(project, &own)?;
    let (root, name) = (crates()?, workshop.package(system, "plugged"));
    let (sim, abi) = (root.join("sim"), root.join("kernel/abi"));
    let mut dependencies = vec![
        Dependency { name: "beryl-sim", package: "beryl-sim", path: &sim, features: &[] },
        // Lines that are others on another board.
        Dependency { name: "beryl-abi", package: "beryl-abi", path: &abi, features: &[] },
    ];
    dependencies.extend(environment.dependency());
    let library = "[lib]\ncrate-type = [\"cdylib\"]\n\n";
    let mut manifest = package("plugged", &name, library, &dependencies);
    manifest.text += &workspace("plugged", &[], &patches(&root, &own)).text;
    workshop.write(system, &[manifest, plugged(system, &environment.world)])?;
    let place = folder.join("plugged");
    lock_versions(&place)?;
    // What both need has been compiled for the simulation.
    let target = workshop.target().join("simulation");
    let mut cargo = host_cargo();
    cargo.args(["--profile", "simulation", "--manifest-path"]).arg(place.join("Cargo.toml"));
    cargo.arg("--target-dir").arg(&target);
    refused::cargo("building the environment for the emulator", cargo, project, &place)?;
    Ok(target.join("simulation").join(format!("{DLL_PREFIX}{}{DLL_SUFFIX}", name.replace('-', "_"))))
}
