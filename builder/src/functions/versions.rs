//! Crates of Beryl that a system's crates ask for: in the version that this program carries, or in another one.

use std::fs;
use std::path::Path;

use miette::SourceSpan;
use semver::{Version, VersionReq};

use crate::description::Problem;
use crate::emit::manifest::is_published;
use crate::error::BuildError;
use crate::project::Project;

/// The version of this program and of all crates that it carries.
pub const OWN: &str = env!("CARGO_PKG_VERSION");

/// Checks that a crate of a system, which `place` names in its description, asks for no crate of Beryl in a version that
/// isn't carried.
///
/// # Errors
/// It does. What can't be read is cargo's to tell.
pub(super) fn check(project: &Project, name: &str, place: SourceSpan) -> Result<(), BuildError> {
    let Some((asked, wanted)) = other_version(&project.folder.join(name)) else { return Ok(()) };
    let crates = |version: &str| format!("`{asked} = \"{version}\"`");
    Err(BuildError::Description(
        project.description.alone(Problem {
            code: "beryl::builder::version",
            place,
            message: format!("crate `{name}` asks for {}, and this is Beryl {OWN}", crates(&wanted)),
            label: "is for another version".to_owned(),
            help: format!(
                "write {} in {name}/Cargo.toml, or use the `beryl` that it was written for",
                crates(OWN)
            )
            .into(),
        }),
    ))
}

/// The first crate of Beryl that the manifest in a folder asks for in another version, and in which.
fn other_version(folder: &Path) -> Option<(String, String)> {
    let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml")).ok()?.parse().ok()?;
    let own = Version::parse(OWN).ok()?;
    manifest.get("dependencies")?.as_table()?.iter().find_map(|(name, asked)| {
        let text = |key| asked.get(key).and_then(toml::Value::as_str);
        let wanted = asked.as_str().or_else(|| text("version"))?;
        let is_own = VersionReq::parse(wanted).ok()?.matches(&own);
        (is_published(text("package").unwrap_or(name)) && !is_own).then(|| (name.clone(), wanted.to_owned()))
    })
}
