//! `beryl doctor`: what this machine has of what Beryl needs, and how to get the rest.

use std::path::Path;
use std::process::{Command, ExitCode};

use beryl_builder::board::{Processor, processors};
use beryl_builder::c::cmake::CMAKE;
use beryl_builder::toolchain::{Toolchain, Way, crates};

use crate::console::{Console, Failure, NOT_RUN, WELL};

/// Say what this machine has of what Beryl needs, and how to get what is missing.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  beryl doctor\n\nThe exit code is 3 if something is missing without which nothing can be built."
)]
pub struct Doctor {}

/// A thing that is needed.
struct Need {
    what: &'static str,
    /// What for.
    purpose: String,
    /// Which one is there, or how to get one.
    found: Result<String, String>,
    /// Whether nothing can be built without it.
    is_required: bool,
}

impl Doctor {
    /// Looks, and says what it found.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let needs = needs();
        console.title(format_args!("beryl {}, crates {}", env!("CARGO_PKG_VERSION"), beryl_carried::DIGEST));
        for need in &needs {
            let (mark, said) = match &need.found {
                Ok(which) => ("has  ", which.clone()),
                Err(remedy) => ("lacks", format!("for {}: {remedy}", need.purpose)),
            };
            console.say(format_args!("  {mark} {:<18} {said}", need.what));
            console.object(&serde_json::json!({
                "need": need.what, "for": need.purpose, "required": need.is_required,
                "found": need.found.as_ref().ok(), "remedy": need.found.as_ref().err(),
            }));
        }
        let is_lacking = needs.iter().any(|need| need.is_required && need.found.is_err());
        Ok(ExitCode::from(if is_lacking { NOT_RUN } else { WELL }))
    }
}

fn needs() -> Vec<Need> {
    let crates = Need {
        what: "crates",
        purpose: "whatever is built".to_owned(),
        found: crates().map(|path| path.display().to_string()).map_err(|reason| reason.to_string()),
        is_required: true,
    };
    let cargo = Need {
        what: "cargo",
        purpose: "the simulation".to_owned(),
        found: version("cargo").ok_or_else(|| "install Rust with rustup, or Debian's cargo".to_owned()),
        is_required: true,
    };
    let debugger = Need {
        what: "debugger",
        purpose: "`beryl debug`".to_owned(),
        found: super::debug::found().ok_or_else(|| from_debian(beryl_builder::debugged::DEBUGGERS[0])),
        is_required: false,
    };
    let cmake = Need {
        what: "CMake",
        purpose: "functions in C that are a target of its".to_owned(),
        found: version(CMAKE).ok_or_else(|| from_debian(CMAKE)),
        is_required: false,
    };
    let processors = processors();
    let of_processors = processors.iter().enumerate().flat_map(|(place, processor)| {
        // Systems begin on the first one.
        let of = if place == 0 { String::new() } else { format!(" for {}", processor.name) };
        of_processor(processor, place == 0, &of)
    });
    [cargo].into_iter().chain(of_processors).chain([cmake, crates, debugger]).collect()
}

/// What is needed for the boards of a processor.
fn of_processor(processor: &Processor, is_required: bool, of: &str) -> Vec<Need> {
    let target = processor.target;
    let compiler = Toolchain::find(target).map(|found| match found.way() {
        Way::Rustup => format!("rustup's, for {target}"),
        Way::Debian => format!("Debian's, which builds the library for {target}"),
    });
    let [emulator, package] = processor.emulator;
    let compiler = Need {
        what: "target compiler",
        purpose: format!("images{of}"),
        found: compiler.map_err(|_| format!("`rustup target add {target}`")),
        is_required,
    };
    let emulator = Need {
        what: "emulator",
        purpose: format!("`beryl run`{of}"),
        found: version(emulator).ok_or_else(|| from_debian(package)),
        is_required: false,
    };
    let c = Need {
        what: "C for the board",
        purpose: format!("functions in C{of}"),
        found: version(processor.c.program).ok_or_else(|| from_debian(processor.c.package)),
        is_required: false,
    };
    let library = Need {
        what: "C library",
        purpose: format!("functions in C that use one{of}"),
        found: library(processor).ok_or_else(|| from_debian(processor.c.library)),
        is_required: false,
    };
    [compiler, emulator, c, library].into()
}

/// Where the C compiler of a processor has a library.
fn library(processor: &Processor) -> Option<String> {
    let output = Command::new(processor.c.program).arg(beryl_builder::c::WHERE_LIBRARY).output().ok()?;
    let path = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    Path::new(&path).exists().then_some(path)
}

fn from_debian(package: &str) -> String {
    format!("`apt-get install {package}`, or what your system calls it")
}

/// The first line of what a program says of its version, if it is there.
fn version(program: &str) -> Option<String> {
    let output = Command::new(program).arg("--version").output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout);
    output.status.success().then(|| said.lines().next().unwrap_or_default().to_owned())
}
