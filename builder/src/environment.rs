//! What a description names as its environment: a crate, a world in C, or a table of sensor values.

use std::path::{Path, PathBuf};

use crate::emit::manifest::Dependency;
use crate::emit::simulation::{MadeOf, World};
use crate::error::BuildError;
use crate::project::Project;
use crate::workshop::package_name;

/// A system's environment.
#[derive(Clone, Debug)]
pub struct Environment {
    /// For the programs that make it.
    pub world: World,
    /// The crate, if it is one: where it is, and its package.
    source: Option<(PathBuf, String)>,
}

impl Environment {
    /// That of a project in `folder`.
    ///
    /// # Errors
    /// The crate isn't there.
    pub fn of(project: &Project, folder: &Path) -> Result<Environment, BuildError> {
        let name = project.description.system.environment.as_ref().map(|name| name.value.as_str());
        let (made_of, source) = match name {
            None => (MadeOf::Nothing, None),
            Some(name) if is_table(name) => (MadeOf::Table(folder.join(name).display().to_string()), None),
            Some(name) if is_in_c(name) => (MadeOf::C, None),
            Some(name) => {
                let path = folder.join(name);
                let package = package_name(&path)?;
                (MadeOf::Crate, Some((path, package)))
            }
        };
        let lines = project.description.lines.clone();
        Ok(Environment { world: World { folder: folder.display().to_string(), made_of, lines }, source })
    }

    /// The crate, for those that call it.
    #[must_use]
    pub fn dependency(&self) -> Option<Dependency<'_>> {
        let (path, package) = self.source.as_ref()?;
        Some(Dependency { name: "environment", package, path, features: &[] })
    }
}

/// Whether a description's environment is a table.
#[must_use]
pub fn is_table(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
}

/// Whether it is a world in C.
#[must_use]
pub fn is_in_c(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "c")
}

/// Whether it is a crate.
#[must_use]
pub fn is_crate(name: &str) -> bool {
    !is_table(name) && !is_in_c(name)
}
