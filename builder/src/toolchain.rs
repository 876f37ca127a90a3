//! The toolchain: which compiler builds for the target, and how it is called.
//!
//! There are two ways to get the bare-metal target: rustup's, and Debian's compiler with the source of the library,
//! for machines where rustup can't fetch anything. `BERYL_COMPILER` (`rustup` or `debian`) chooses; without it the
//! first complete one is taken. Debian's packages put a `cargo` and a `rustc` into `/usr/bin`. So neither is taken
//! from wherever `PATH` finds it; both come from the folder of the chosen compiler.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::error::BuildError;

/// Beryl's own source tree, whose crates generated ones link.
#[must_use]
pub fn root() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let root = env::var_os("BERYL_ROOT").map_or(source, PathBuf::from);
    root.canonicalize().unwrap_or(root)
}

/// Where a program has the crates that generated ones link, if it carries them along.
static CARRIED: OnceLock<fn() -> Result<PathBuf, BuildError>> = OnceLock::new();

/// Lets systems be built with the crates that a program carries along, once it is asked for them. A program that lies in
/// Beryl's own source tree takes that, so that what is changed there is seen; so does one that is told so by `BERYL_ROOT`.
pub fn carry(crates: fn() -> Result<PathBuf, BuildError>) {
    let is_told = env::var_os("BERYL_ROOT").is_some();
    let is_at_home = env::current_exe().is_ok_and(|own| own.starts_with(root()));
    if !is_told && !is_at_home {
        // Whoever was first is meant.
        let _ = CARRIED.set(crates);
    }
}

/// The folder with the crates that generated ones link.
///
/// # Errors
/// They can't be unpacked.
pub fn crates() -> Result<PathBuf, BuildError> {
    CARRIED.get().map_or_else(|| Ok(root()), |carried| carried())
}

/// The folder for what serves all systems: beside the crates, if a program carries those along.
///
/// # Errors
/// The crates can't be unpacked.
pub fn home() -> Result<PathBuf, BuildError> {
    Ok(carried_home()?.map_or_else(|| root().join("target"), |(home, _)| home))
}

/// The folder in which all projects of a program that carries its crates share what compilers leave; nothing for one in
/// Beryl's own source tree.
///
/// # Errors
/// The crates can't be unpacked.
pub fn products() -> Result<Option<PathBuf>, BuildError> {
    Ok(carried_home()?.map(|(home, crates)| home.join("products").join(crates)))
}

/// Where the carried crates were unpacked, and their folder's name.
fn carried_home() -> Result<Option<(PathBuf, OsString)>, BuildError> {
    let Some(carried) = CARRIED.get() else { return Ok(None) };
    let crates = carried()?;
    Ok(crates.parent().zip(crates.file_name()).map(|(home, name)| (home.to_path_buf(), name.to_owned())))
}

/// A compiler for the target, with its linker.
#[derive(Clone, Debug)]
pub struct Toolchain {
    way: Way,
    /// What the compiler says that it is.
    version: String,
    /// The folder with `bin/cargo`, `bin/rustc` and the library.
    sysroot: PathBuf,
    /// The linker, and the arguments that make it one for ELF.
    linker: (PathBuf, Vec<String>),
}

/// How the target is had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// `rustup target add`.
    Rustup,
    /// Debian's compiler builds the library from source.
    Debian,
}

impl Toolchain {
    /// Finds a toolchain for `target`.
    ///
    /// # Errors
    /// What is missing, and how to get it.
    pub fn find(target: &str) -> Result<Toolchain, BuildError> {
        let chosen = env::var("BERYL_COMPILER").ok();
        match chosen.as_deref() {
            Some("rustup") => rustup(target).ok_or_else(|| missing(target)),
            Some("debian") => debian().ok_or_else(|| missing(target)),
            None | Some("") => rustup(target).or_else(debian).ok_or_else(|| missing(target)),
            Some(other) => Err(BuildError::Tool {
                missing: format!("BERYL_COMPILER is `{other}`, which is no compiler"),
                proposal: "set it to `rustup` or `debian`, or not at all".to_owned(),
            }),
        }
    }

    /// How the target is had.
    #[must_use]
    pub fn way(&self) -> Way {
        self.way
    }

    /// Which compiler it is: two with the same answer compile the same.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// A cargo that builds for `target` into a folder of its own under `folder`.
    #[must_use]
    pub fn cargo(&self, target: &str, folder: &Path) -> Command {
        let tool = |name: &str| self.sysroot.join("bin").join(name);
        let mut command = Command::new(tool("cargo"));
        command.env("RUSTC", tool("rustc")).args(["build", "--quiet", "--target", target]);
        match self.way {
            Way::Rustup => {
                command.arg("--target-dir").arg(folder.join("image"));
            }
            Way::Debian => {
                command.args(["-Zbuild-std=core"]).arg("--target-dir").arg(folder.join("image-debian"));
                command.env("RUSTC_BOOTSTRAP", "1");
            }
        }
        let others = ["CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "RUSTUP_TOOLCHAIN"];
        others.iter().for_each(|name| {
            command.env_remove(name);
        });
        command
    }

    /// Where [`Toolchain::cargo`] leaves what it builds for `target` with `profile`.
    #[must_use]
    pub fn output(&self, target: &str, folder: &Path, profile: &str) -> PathBuf {
        let name = match self.way {
            Way::Rustup => "image",
            Way::Debian => "image-debian",
        };
        folder.join(name).join(target).join(profile)
    }

    /// The linker.
    #[must_use]
    pub fn linker(&self) -> Command {
        let (path, arguments) = &self.linker;
        let mut command = Command::new(path);
        command.args(arguments);
        command
    }
}

/// The cargo that builds for this machine, with its subcommand.
#[must_use]
pub fn host_cargo(builds: &str) -> Command {
    let mut command =
        Command::new(env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from));
    command.args([builds, "--quiet"]).env_remove("CARGO_TARGET_DIR");
    command
}

fn rustup(target: &str) -> Option<Toolchain> {
    let compiler = rustup_compiler();
    let sysroot = sysroot(&compiler)?;
    let libraries = sysroot.join("lib/rustlib");
    let version = answer(Command::new(&compiler).arg("-vV"))?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: "))?;
    let linker = libraries.join(host).join("bin/rust-lld");
    let flavour = vec!["-flavor".to_owned(), "gnu".to_owned()];
    let complete = libraries.join(target).join("lib").is_dir() && linker.is_file() && has_tools(&sysroot);
    complete.then_some(Toolchain { way: Way::Rustup, version, sysroot, linker: (linker, flavour) })
}

/// The `rustc` in rustup's folder. If that isn't in its usual place, whichever `PATH` finds.
fn rustup_compiler() -> PathBuf {
    let homes = [
        env::var_os("CARGO_HOME").map(PathBuf::from),
        env::var_os("HOME").map(|home| Path::new(&home).join(".cargo")),
    ];
    let mut compilers = homes.into_iter().flatten().map(|home| home.join("bin/rustc"));
    compilers.find(|compiler| compiler.is_file()).unwrap_or_else(|| PathBuf::from("rustc"))
}

fn debian() -> Option<Toolchain> {
    let sysroot = sysroot(Path::new("/usr/bin/rustc"))?;
    let source = sysroot.join("lib/rustlib/src/rust/library/core");
    let linker = newest_linker()?;
    let complete = source.exists() && has_tools(&sysroot);
    let version = answer(Command::new(sysroot.join("bin/rustc")).arg("-vV"))?;
    complete.then_some(Toolchain { way: Way::Debian, version, sysroot, linker: (linker, Vec::new()) })
}

fn sysroot(compiler: &Path) -> Option<PathBuf> {
    answer(Command::new(compiler).args(["--print", "sysroot"])).map(PathBuf::from)
}

fn has_tools(sysroot: &Path) -> bool {
    ["bin/cargo", "bin/rustc"].iter().all(|tool| sysroot.join(tool).is_file())
}

/// Debian's lld carries its version in its name.
fn newest_linker() -> Option<PathBuf> {
    let versions = (14..=40).rev().map(|version| PathBuf::from(format!("/usr/bin/ld.lld-{version}")));
    versions.into_iter().find(|path| path.is_file())
}

fn answer(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim().to_owned())
}

fn missing(target: &str) -> BuildError {
    BuildError::Tool {
        missing: format!("there is no Rust compiler for {target}"),
        proposal: format!(
            "run `./x setup`, or `rustup target add {target}`, or install Debian's rustc-web, cargo-web, \
             rust-web-src, rust-web-llvm and lld-22"
        ),
    }
}
