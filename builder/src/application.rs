//! The crate of what a system has in Rust: its own, or, where all of its functions are in C, one that the builder
//! writes, with the records of the timing program and nothing else.

use std::path::{Path, PathBuf, absolute};

use beryl_timing::Record;

use crate::emit::File;
use crate::emit::manifest::{Dependency, package};
use crate::error::BuildError;
use crate::project::Project;
use crate::workshop::{Workshop, package_name};

/// Where the builder writes the crate, in the system's folder.
const PLACE: &str = "application";
/// What its package is called, behind the system's name: no process can be called so, and one may well be `application`.
const PACKAGE: &str = "in-c";

/// The crate.
pub struct Application {
    folder: PathBuf,
    package: String,
    /// Its files, if the builder writes them.
    pub files: Vec<File>,
}

impl Application {
    /// That of a project in `folder`, for the system of a name.
    ///
    /// # Errors
    /// There is no crate where the description has one, or its manifest can't be read.
    pub fn of(
        project: &Project,
        workshop: &Workshop,
        name: &str,
        folder: &Path,
    ) -> Result<Application, BuildError> {
        match &project.description.system.application {
            Some(named) => {
                let folder = folder.join(&named.value);
                Ok(Application { package: package_name(&folder)?, folder, files: Vec::new() })
            }
            None => {
                let package = workshop.package(name, PACKAGE);
                let files = written(&package, project);
                let folder = workshop.folder(name).join(PLACE);
                let folder = absolute(&folder).map_err(|reason| BuildError::file("find", &folder, reason))?;
                Ok(Application { folder, package, files })
            }
        }
    }

    /// As the generated crates name it.
    pub fn dependency(&self) -> Dependency<'_> {
        Dependency { name: "application", package: &self.package, path: &self.folder, features: &[] }
    }
}

fn written(name: &str, project: &Project) -> Vec<File> {
    let records = project.assembly.records.iter().map(|record| structure(record));
    let text = format!(
        "//! All functions are in C. Written by the builder; changes are lost.\n#![no_std]\n#![forbid(unsafe_code)]\n{}",
        records.collect::<String>()
    );
    vec![package(PLACE, name, "", &[]), File { path: format!("{PLACE}/src/lib.rs"), text }]
}

fn structure(record: &Record) -> String {
    let field = |row: &beryl_timing::Field| {
        format!("    pub {}: {},\n", row.name, row.kind.rust_name().replace("application::", ""))
    };
    let fields: String = record.fields.iter().map(field).collect();
    format!("\n#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct {} {{\n{fields}}}\n", record.name)
}
