//! Where kernels are compiled: in the same surroundings wherever Beryl and the system lie, and once for the same sources.
//!
//! ```text
//!   sources --+                        +-- there --------------------------------------+
//!   compiler -+--digest--> kept/DIGEST.elf                                             +--> kernel
//!   crates ---+                        +-- not there --place-N: written, compiled, kept+
//! ```
//! The compiler names things by where they are, and names decide in which order it inlines and merges. So a kernel that is
//! compiled among crates somewhere else may have some instructions more. What is proved of it counts instructions; therefore
//! a place has everything inside, at paths that are the same for everybody, and a package's name doesn't tell the system's.

use std::env;
use std::ffi::OsStr;
use std::fs::{self, File as Lock};
use std::io;
use std::num::NonZero;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::SystemTime;

use sha2::{Digest, Sha256};

use crate::board::processors;
use crate::emit::File;
use crate::emit::manifest::{kernel_settings, kernel_workspace};
use crate::error::BuildError;
use crate::toolchain::{Toolchain, crates, home};
use crate::workshop::{finish, lock_versions_anew, replace};

/// The package of each kernel.
pub const PACKAGE: &str = "kernel";
/// Where a kernel's crate finds Beryl's.
pub const CRATES: &str = "../crates";
/// What kernels are compiled from, beside their own sources: folders and files among Beryl's crates.
const LINKED: [&str; 5] = ["Cargo.toml", "Cargo.lock", "kernel", "syscode/Cargo.toml", "syscode/src"];
/// What cargo's own variables begin with that would change what is compiled.
const SETTINGS: [&str; 3] = ["CARGO_BUILD_", "CARGO_PROFILE_", "CARGO_TARGET_"];
/// Bytes of kernels that are kept: those that weren't asked for longest have to go.
pub(crate) const MOST_KEPT: u64 = 128 << 20;

/// The kernel that these sources make, the crate's manifest among them, with paths beginning at `kernel/`.
///
/// # Errors
/// What the compiler says, or a file that can't be read or written.
pub fn compiled(toolchain: &Toolchain, target: &str, sources: &[File]) -> Result<Vec<u8>, BuildError> {
    Cache { folder: home()?.join("kernels"), most: MOST_KEPT }.compiled(toolchain, target, sources)
}

/// Kernels, and places for compiling them, in a folder.
pub(crate) struct Cache {
    pub folder: PathBuf,
    /// Bytes that are kept.
    pub most: u64,
}

impl Cache {
    pub fn compiled(
        &self,
        toolchain: &Toolchain,
        target: &str,
        sources: &[File],
    ) -> Result<Vec<u8>, BuildError> {
        let manifest = kernel_workspace(PACKAGE, "crates");
        let settings = kernel_settings(&processors());
        let sources: Vec<_> = sources.iter().chain([&manifest, &settings]).collect();
        let kept = self.folder.join("kept").join(format!("{}.elf", digest(toolchain, target, &sources)?));
        if let Some(kernel) = asked_for(&kept) {
            return Ok(kernel);
        }
        let place = self.place()?;
        // Whoever had the place until now may have compiled the same.
        if let Some(kernel) = asked_for(&kept) {
            return Ok(kernel);
        }
        let kernel = place.compile(toolchain, target, &sources)?;
        place.keep(&kernel, &kept)?;
        make_room(&self.folder.join("kept"), self.most);
        Ok(kernel)
    }

    /// A free place, or the first one to become free. There are as many as there are processors.
    fn place(&self) -> Result<Place, BuildError> {
        let places = thread::available_parallelism().map_or(1, NonZero::get);
        let folders = (0..places).map(|number| self.folder.join(format!("place-{number}")));
        let mut first = None;
        for folder in folders {
            let failed = |reason| BuildError::file("write", &folder, reason);
            fs::create_dir_all(&folder).map_err(failed)?;
            let lock = Lock::create(folder.join("lock")).map_err(failed)?;
            if lock.try_lock().is_ok() {
                return Ok(Place { folder, _lock: lock });
            }
            first.get_or_insert((folder, lock));
        }
        let (folder, lock) = first.ok_or_else(|| {
            BuildError::file("find", &self.folder, io::Error::other("there is no place for compiling"))
        })?;
        lock.lock().map_err(|reason| BuildError::file("lock", &folder, reason))?;
        Ok(Place { folder, _lock: lock })
    }
}

/// A folder in which one kernel at a time is compiled.
struct Place {
    folder: PathBuf,
    _lock: Lock,
}

impl Place {
    fn compile(&self, toolchain: &Toolchain, target: &str, sources: &[&File]) -> Result<Vec<u8>, BuildError> {
        let folder = self.folder.join("workspace");
        link(&crates()?, &folder.join("crates"))?;
        for file in sources {
            replace(&folder.join(&file.path), file.text.as_bytes())?;
        }
        lock_versions_anew(&folder)?;
        let mut command = toolchain.cargo(target, &self.folder);
        command.current_dir(&folder).args(["--profile", "kernel", "--package", PACKAGE]);
        // What one user has set for other crates must not be in the kernel that all are given.
        let is_setting =
            |name: &OsStr| SETTINGS.iter().any(|begin| name.to_string_lossy().starts_with(begin));
        for (name, _) in env::vars_os().filter(|(name, _)| is_setting(name)) {
            command.env_remove(name);
        }
        finish("compiling the kernel", command)?;
        let elf = toolchain.output(target, &self.folder, "kernel").join(PACKAGE);
        fs::read(&elf).map_err(|reason| BuildError::file("read", &elf, reason))
    }

    /// Keeps a kernel, from one moment to the next whole.
    fn keep(&self, kernel: &[u8], kept: &Path) -> Result<(), BuildError> {
        let made = self.folder.join("made.elf");
        replace(&made, kernel)?;
        let failed = |reason| BuildError::file("write", kept, reason);
        kept.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
        fs::rename(&made, kept).map_err(failed)
    }
}

/// Lets `at` lead to a folder.
fn link(to: &Path, at: &Path) -> Result<(), BuildError> {
    if fs::read_link(at).is_ok_and(|target| target == to) {
        return Ok(());
    }
    let failed = |reason| BuildError::file("write", at, reason);
    at.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    match fs::remove_file(at) {
        Err(reason) if reason.kind() != io::ErrorKind::NotFound => Err(failed(reason)),
        _ => symlink(to, at).map_err(failed),
    }
}

/// A kept kernel, which isn't among the first to go from now on.
fn asked_for(kept: &Path) -> Option<Vec<u8>> {
    let kernel = fs::read(kept).ok()?;
    // It only goes sooner if that can't be written.
    let _ = Lock::options().append(true).open(kept).and_then(|file| file.set_modified(SystemTime::now()));
    Some(kernel)
}

/// Removes what wasn't asked for longest. A file that can't be removed is in nobody's way.
fn make_room(kept: &Path, most: u64) {
    let Ok(entries) = fs::read_dir(kept) else { return };
    let mut files: Vec<_> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let known = entry.metadata().ok()?;
            Some((known.modified().ok()?, known.len(), entry.path()))
        })
        .collect();
    files.sort_by_key(|(asked_for, ..)| std::cmp::Reverse(*asked_for));
    let mut bytes = 0_u64;
    for (_, length, path) in files {
        bytes = bytes.saturating_add(length);
        if bytes > most {
            let _ = fs::remove_file(path);
        }
    }
}

/// What a kernel depends on, in short.
fn digest(toolchain: &Toolchain, target: &str, sources: &[&File]) -> Result<String, BuildError> {
    let mut digest = Sha256::new();
    add(&mut digest, "compiler", format!("{:?}, {}", toolchain.way(), toolchain.version()).as_bytes());
    add(&mut digest, "target", target.as_bytes());
    add(&mut digest, "crates", linked()?.as_bytes());
    sources.iter().for_each(|file| add(&mut digest, &file.path, file.text.as_bytes()));
    Ok(hexadecimal(digest))
}

/// The digest of Beryl's crates that kernels link, which nobody changes while a program runs.
fn linked() -> Result<&'static str, BuildError> {
    static LINKED_CRATES: OnceLock<String> = OnceLock::new();
    if let Some(known) = LINKED_CRATES.get() {
        return Ok(known);
    }
    let (mut digest, root) = (Sha256::new(), crates()?);
    LINKED.iter().try_for_each(|name| add_all(&mut digest, &root, Path::new(name)))?;
    Ok(LINKED_CRATES.get_or_init(|| hexadecimal(digest)))
}

/// A file, or all that is in a folder.
pub(crate) fn add_all(digest: &mut Sha256, root: &Path, name: &Path) -> Result<(), BuildError> {
    let path = root.join(name);
    let failed = |reason| BuildError::file("read", &path, reason);
    if path.is_dir() {
        let entries = fs::read_dir(&path).map_err(failed)?.map(|entry| Ok(name.join(entry?.file_name())));
        let mut entries = entries.collect::<io::Result<Vec<_>>>().map_err(failed)?;
        entries.sort();
        return entries.iter().try_for_each(|entry| add_all(digest, root, entry));
    }
    add(digest, &name.to_string_lossy(), &fs::read(&path).map_err(failed)?);
    Ok(())
}

/// Lengths keep apart what stands beside each other.
pub(crate) fn add(digest: &mut Sha256, name: &str, content: &[u8]) {
    for part in [name.as_bytes(), content] {
        digest.update(part.len().to_le_bytes());
        digest.update(part);
    }
}

pub(crate) fn hexadecimal(digest: Sha256) -> String {
    digest.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
pub(crate) mod tests;
