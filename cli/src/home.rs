//! Beryl's own folder on this machine: the crates that systems link, as this program carries them.

use std::env;
use std::path::{Path, PathBuf};

use beryl_builder::BuildError;

/// `BERYL_HOME`, or `beryl` in the folder of caches.
fn folder() -> PathBuf {
    let given = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let caches = || given("XDG_CACHE_HOME").or_else(|| given("HOME").map(|home| home.join(".cache")));
    given("BERYL_HOME")
        .or_else(|| Some(caches()?.join("beryl")))
        .unwrap_or_else(|| env::temp_dir().join("beryl"))
}

/// The crates that this program carries, unpacked.
///
/// # Errors
/// The folder that can't be written.
pub fn crates() -> Result<PathBuf, BuildError> {
    beryl_carried::unpacked(&folder()).map_err(|failed| BuildError::File {
        action: "unpack the crates that systems link into",
        path: failed.path,
        reason: failed.reason,
        proposal: "let BERYL_HOME name a folder that can be written".to_owned(),
    })
}

/// The first line of a file of ours, which `beryl` may therefore replace.
const OURS: &str = "# Where Beryl's crates are on this machine. Written by `beryl`; changes are lost.\n";

/// Tells cargo where Beryl's crates are, for whoever calls it in a project by itself: a test, or an editor. A file that
/// somebody else wrote stays.
///
/// # Errors
/// The file that can't be written.
pub fn tell_cargo(project: &Path) -> Result<(), BuildError> {
    let crates = beryl_builder::toolchain::crates()?;
    let place = project.canonicalize().map_err(|reason| BuildError::file("find", project, reason))?;
    let patches = beryl_builder::emit::manifest::patches(&crates, &place);
    let path = project.join(".cargo/config.toml");
    let is_theirs = std::fs::read_to_string(&path).is_ok_and(|text| !text.starts_with(OURS));
    if patches.is_empty() || is_theirs {
        return Ok(());
    }
    beryl_builder::workshop::replace(&path, format!("{OURS}{patches}").as_bytes())
}
