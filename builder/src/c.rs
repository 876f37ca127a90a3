//! Compiles native functions in C: for this machine, or for the board.
//!
//! Values must be the same on both, so what the language leaves to compilers is chosen here: sums that overflow
//! wrap, a product and a sum never become one operation, `char` has no sign, enumerations are `int`. The header is
//! part of each file, and a function that it doesn't declare is an error. So the compiler finds a port whose type
//! has changed, a function that is no longer used, a message of another type, and the handle of another object.

mod masking;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::board::Board;
use crate::description::{CodeInC, Placed};
use crate::emit::c::{HEADER, devices, direct, header, plain};
use crate::error::BuildError;
use crate::project::Project;
use crate::workshop::{Workshop, finish, replace, started};

/// What code is compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Machine {
    /// This one, with the C compiler that `CC` names, or `cc`.
    Host,
    /// The board's processor.
    Board,
    /// The same with floating point in hardware.
    Floating,
}

/// The library of a simulation's functions in C, without `lib` and ending.
pub const LIBRARY: &str = "system_in_c";

const COMMON: [&str; 20] = [
    "-std=c11",
    "-ffreestanding",
    "-fno-common",
    "-fwrapv",
    "-ffp-contract=off",
    "-fno-fast-math",
    "-funsigned-char",
    "-fno-short-enums",
    "-fno-strict-aliasing",
    "-ffunction-sections",
    "-fdata-sections",
    "-fno-asynchronous-unwind-tables",
    "-g",
    "-Wall",
    "-Wextra",
    "-Werror=missing-prototypes",
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
    "-Werror=overflow",
];

/// Compiles the C sources of a project; answers the objects.
///
/// # Errors
/// A compiler that isn't there, and what it says about the sources.
pub fn compile(project: &Project, workshop: &Workshop, machine: Machine) -> Result<Vec<PathBuf>, BuildError> {
    let in_c = &project.description.c;
    if in_c.files().next().is_none() {
        return Ok(Vec::new());
    }
    let name = &project.assembly.name;
    let direct = direct::header(&project.assembly, project.plan.board.processor.c);
    let devices = devices::header(&project.assembly, &project.plan.board);
    let headers = [header(&project.model, &project.assembly), plain::header(), direct, devices];
    workshop.write(name, &headers)?;
    let base = workshop.folder(name);
    let folder =
        project.folder.canonicalize().map_err(|reason| BuildError::file("find", &project.folder, reason))?;
    let to = base.join(match machine {
        Machine::Host => "c/host",
        Machine::Board => "c/board",
        Machine::Floating => "c/floating",
    });
    let rules = Rules { machine, board: &project.plan.board, base: &base, folder: &folder, in_c };
    let one = |(number, (source, is_ported)): (usize, (&Placed<String>, bool))| {
        let stem = Path::new(&source.value).file_stem().unwrap_or_default().to_string_lossy();
        let object = to.join(format!("{number}_{stem}.o"));
        compile_one(&rules, &source.value, is_ported, &object).map(|()| object)
    };
    in_c.files().enumerate().map(one).collect()
}

/// How all files of a system are compiled.
struct Rules<'a> {
    machine: Machine,
    board: &'a Board,
    /// Where headers are written.
    base: &'a Path,
    /// Where the system is.
    folder: &'a Path,
    in_c: &'a CodeInC,
}

impl Rules<'_> {
    /// The compiler with all that it is told of every file.
    fn compiler(&self) -> Command {
        let Rules { machine, board, base, folder, in_c } = self;
        let mut compiler = compiler(*machine, board);
        if *machine != Machine::Host {
            compiler.arg(in_c.optimisation.option());
        }
        // Where the sources are must not be part of the object.
        compiler.args(COMMON).arg(format!("-ffile-prefix-map={}=.", folder.display()));
        // As code in Rust is told.
        compiler.arg(format!("-DBERYL_TICK={}", board.tick.get()));
        compiler.args(in_c.defines.iter().map(|define| format!("-D{}", define.value)));
        for include in &in_c.includes {
            compiler.arg("-I").arg(folder.join(&include.value));
        }
        for header in headers(*machine) {
            compiler.arg("-include").arg(base.join(header));
        }
        compiler
    }
}

/// What is said of a file with a function that no header declares.
const PORTED: &str = "\na function for this file alone is `static`; a file that came from elsewhere is named by `ported` \
                      in [c] instead of `sources`\n";

fn compile_one(rules: &Rules<'_>, source: &str, is_ported: bool, object: &Path) -> Result<(), BuildError> {
    let path = rules.folder.join(source);
    fs::metadata(&path).map_err(|reason| BuildError::file("read", &path, reason))?;
    let fresh = object.with_extension("fresh");
    if let Some(folder) = object.parent() {
        fs::create_dir_all(folder).map_err(|reason| BuildError::file("write", folder, reason))?;
    }
    let mut compiler = rules.compiler();
    if is_ported {
        compiler.arg("-Wno-missing-prototypes");
    }
    compiler.arg("-c").arg(&path).arg("-o").arg(&fresh);
    let output = started(&mut compiler)?;
    if !output.status.success() {
        let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
        if said.contains("-Werror=missing-prototypes") {
            said += PORTED;
        }
        return Err(BuildError::Compiler { what: format!("compiling {source}"), said });
    }
    let bytes = fs::read(&fresh).map_err(|reason| BuildError::file("read", &fresh, reason))?;
    fs::remove_file(&fresh).map_err(|reason| BuildError::file("remove", &fresh, reason))?;
    masking::check(source, &bytes)?;
    replace(object, &bytes)
}

/// What the compiler reads first. Only the board has a kernel that can be called.
fn headers(machine: Machine) -> &'static [&'static str] {
    match machine {
        Machine::Host => &[HEADER],
        Machine::Board | Machine::Floating => &[HEADER, direct::HEADER, devices::HEADER],
    }
}

fn compiler(machine: Machine, board: &Board) -> Command {
    match machine {
        Machine::Host => {
            let mut command = Command::new(env::var_os("CC").unwrap_or_else(|| "cc".into()));
            command.args(["-O1", "-fPIC"]);
            command
        }
        Machine::Board | Machine::Floating => {
            let compiler = board.processor.c;
            let mut command = Command::new(compiler.program);
            let floating = board.floating.filter(|_| machine == Machine::Floating);
            command.args(floating.map_or(compiler.options, |floating| floating.c_options));
            command
        }
    }
}

/// Compiles for this machine and leaves a library; answers its folder, if there is anything in C.
///
/// # Errors
/// As [`compile`], and what the archiver says.
pub fn library(project: &Project, workshop: &Workshop) -> Result<Option<PathBuf>, BuildError> {
    let objects = compile(project, workshop, Machine::Host)?;
    let Some(folder) = objects.first().and_then(|object| object.parent()) else { return Ok(None) };
    let (fresh, library) = (folder.join("fresh.a"), folder.join(format!("lib{LIBRARY}.a")));
    fs::remove_file(&fresh).ok();
    let mut archiver = Command::new(env::var_os("AR").unwrap_or_else(|| "ar".into()));
    archiver.arg("crsD").arg(&fresh).args(&objects);
    finish("collecting functions in C", archiver)?;
    let bytes = fs::read(&fresh).map_err(|reason| BuildError::file("read", &fresh, reason))?;
    replace(&library, &bytes)?;
    Ok(Some(folder.to_owned()))
}
