//! The workshop: the folders in which systems are generated and built.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sha2::{Digest, Sha256};

use crate::emit::File;
use crate::error::BuildError;
use crate::toolchain::crates;

/// Where generated sources and build products go.
#[derive(Clone, Debug)]
pub struct Workshop {
    build: PathBuf,
    target: PathBuf,
    /// What the names of generated crates end with, where the workshops of several folders share what compilers leave:
    /// to cargo, crates of one name at one place of their workspaces are the same crate.
    ending: String,
}

impl Workshop {
    /// The workshop in a folder: `build/` for what people read, `target/` for everything else.
    #[must_use]
    pub fn new(folder: &Path) -> Workshop {
        let target = folder.join("target").join("beryl");
        Workshop { build: folder.join("build"), target, ending: String::new() }
    }

    /// The workshop in a folder that shares what compilers leave with those of other folders: what they all depend on is
    /// compiled once.
    #[must_use]
    pub fn sharing(folder: &Path, target: &Path) -> Workshop {
        let own = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
        let digest = Sha256::digest(own.as_os_str().as_encoded_bytes());
        let ending = digest.iter().take(4).map(|byte| format!("{byte:02x}")).collect::<String>();
        Workshop { build: folder.join("build"), target: target.to_path_buf(), ending: format!("-{ending}") }
    }

    /// The name of a generated crate.
    #[must_use]
    pub fn package(&self, system: &str, part: &str) -> String {
        format!("{system}-{part}{}", self.ending)
    }

    /// The folder of a system's generated files.
    #[must_use]
    pub fn folder(&self, system: &str) -> PathBuf {
        self.build.join(system)
    }

    /// Where compilers leave their products.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Writes generated files. Files that are right already aren't touched, so that nothing is compiled again without
    /// need. All others are replaced as a whole.
    ///
    /// # Errors
    /// The file that can't be written.
    pub fn write(&self, system: &str, files: &[File]) -> Result<(), BuildError> {
        files.iter().try_for_each(|file| replace(&self.folder(system).join(&file.path), file.text.as_bytes()))
    }
}

/// Gives a generated workspace the versions of libraries with which Beryl is tested.
///
/// # Errors
/// The file that can't be copied.
pub fn lock_versions(workspace: &Path) -> Result<(), BuildError> {
    match workspace.join("Cargo.lock").exists() {
        true => Ok(()),
        false => lock_versions_anew(workspace),
    }
}

/// The same where other libraries may have been needed before: cargo forgets the versions of those that aren't needed any
/// more, and would take the newest ones the next time.
///
/// # Errors
/// As [`lock_versions`].
pub fn lock_versions_anew(workspace: &Path) -> Result<(), BuildError> {
    let (from, to) = (crates()?.join("Cargo.lock"), workspace.join("Cargo.lock"));
    if !from.exists() {
        return Ok(());
    }
    let lock = fs::read(&from).map_err(|reason| BuildError::file("read", &from, reason))?;
    replace(&to, &lock)
}

/// Replaces a file's content in one step, if it isn't the same already.
///
/// # Errors
/// The file that can't be written.
pub fn replace(path: &Path, content: &[u8]) -> Result<(), BuildError> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let failed = |reason| BuildError::file("write", path, reason);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    fs::write(&partial, content).map_err(failed)?;
    fs::rename(&partial, path).map_err(failed)
}

/// Runs a tool to its end; what it says is shown only if it fails.
///
/// # Errors
/// The tool isn't there, or it failed.
pub fn finish(what: &str, mut command: Command) -> Result<Vec<u8>, BuildError> {
    let output = started(&mut command)?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = [output.stdout, output.stderr].concat();
    Err(BuildError::Step { what: what.to_owned(), output: String::from_utf8_lossy(&said).into_owned() })
}

/// Runs a tool, whether it fails or not.
///
/// # Errors
/// The tool isn't there.
pub fn started(command: &mut Command) -> Result<Output, BuildError> {
    command.output().map_err(|reason| BuildError::Tool {
        missing: format!("{}: {reason}", command.get_program().display()),
        proposal:
            "run `./x setup`, which installs what is missing; elsewhere `beryl doctor` says how to get it"
                .to_owned(),
    })
}

/// The name of the crate in a folder.
///
/// # Errors
/// There is no crate there, or its manifest can't be read.
pub fn package_name(folder: &Path) -> Result<String, BuildError> {
    let path = folder.join("Cargo.toml");
    let unreadable = |reason: io::Error| BuildError::File {
        action: "read",
        path: path.clone(),
        reason,
        proposal: "`application` and `environment` in [system] name the folders of crates, each with a \
                   Cargo.toml that names its package"
            .to_owned(),
    };
    let text = fs::read_to_string(&path).map_err(unreadable)?;
    let malformed = |reason: String| unreadable(io::Error::new(io::ErrorKind::InvalidData, reason));
    let table: toml::Table = text.parse().map_err(|reason: toml::de::Error| {
        malformed(format!("{} ({})", reason.message(), reason.to_string().lines().next().unwrap_or_default()))
    })?;
    let name = table.get("package").and_then(|package| package.get("name")).and_then(toml::Value::as_str);
    name.map(str::to_owned).ok_or_else(|| malformed("it names no package".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_of_two_folders_that_share_products_have_two_names() {
        let here = std::env::temp_dir();
        let [one, other, again] =
            ["/one", "/other", "/one"].map(|folder| Workshop::sharing(Path::new(folder), &here));
        assert_eq!(one.target(), other.target());
        assert_ne!(one.folder("tank"), other.folder("tank"));
        assert_ne!(one.package("tank", "control"), other.package("tank", "control"));
        assert_eq!(one.package("tank", "control"), again.package("tank", "control"));
        assert_eq!(Workshop::new(Path::new("/one")).package("tank", "control"), "tank-control");
    }
}
