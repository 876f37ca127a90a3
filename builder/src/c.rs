//! Compiles native functions in C: for this machine, or for the board.
//!
//! Values must be the same on both, so what the language leaves to compilers is chosen here: sums that overflow
//! wrap, a product and a sum never become one operation, `char` has no sign, enumerations are `int`. The header is
//! part of each file, and a function that it doesn't declare is an error. So the compiler finds a port whose type
//! has changed, a function that is no longer used, a message of another type, and the handle of another object.

pub mod cmake;
pub(crate) mod cmsis;
mod cpp;
mod formats;
mod library;
mod masking;
pub(crate) mod sources;
pub mod world;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use self::sources::{Own, Source, are_here, carried, sources};
use crate::board::Board;
use crate::description::{Cmsis, CodeInC, Library, Problem};
use crate::emit::File;
use crate::emit::c::{HEADER, devices, direct, header, plain};
use crate::error::BuildError;
use crate::project::Project;
use crate::workshop::{Workshop, finish, replace, started};

/// What a C compiler for a board is asked to say where it has a library; the name alone, if it has none.
pub const WHERE_LIBRARY: &str = "-print-file-name=picolibc.specs";

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

/// What a file is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Language {
    C,
    Cpp,
}

impl Language {
    /// By the ending of its name.
    fn of(source: &str) -> Language {
        let ending = Path::new(source).extension().unwrap_or_default();
        if ["cpp", "cc", "cxx"].iter().any(|other| ending == *other) { Language::Cpp } else { Language::C }
    }
}

/// The library of a simulation's functions in C, without `lib` and ending.
pub const LIBRARY: &str = "system_in_c";

const COMMON: [&str; 15] = [
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
    "-Werror=overflow",
];

/// What nobody hears of files that compile. A CMake target has warnings of its own, and may make errors of them.
const WARNINGS: [&str; 2] = ["-Wall", "-Wextra"];

const OF_C: [&str; 5] = [
    "-std=c11",
    "-Werror=missing-prototypes",
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
];

/// What was in C.
#[derive(Clone, Debug, Default)]
pub struct Compiled {
    /// An object for each file.
    pub objects: Vec<PathBuf>,
    /// Those of the C library, if the description asks for it; none for this machine, which has its own.
    pub library: Vec<PathBuf>,
}

/// Compiles the C sources of a project.
///
/// # Errors
/// A compiler that isn't there, and what it says about the sources; a function of the C library that isn't for processes.
pub fn compile(project: &Project, workshop: &Workshop, machine: Machine) -> Result<Compiled, BuildError> {
    let in_c = &project.description.c;
    if !are_here(project) {
        return Ok(Compiled::default());
    }
    let name = &project.assembly.name;
    let direct = direct::header(&project.assembly, project.plan.board.processor.c);
    let devices = devices::header(&project.assembly, &project.plan.board);
    let headers = [
        header(&project.model, &project.assembly),
        plain::header(),
        direct,
        devices,
        cpp::header(machine, headers(machine)),
    ];
    workshop.write(name, &headers)?;
    if in_c.library.is_some() {
        let (path, text) = library::NUMBERS;
        workshop.write(name, &[File { path: path.to_owned(), text: text.to_owned() }])?;
    }
    let cmsis = project.description.cmsis.as_ref();
    cmsis.map_or(Ok(()), |cmsis| workshop.write(name, &cmsis::files(cmsis)))?;
    let base = workshop.folder(name);
    let folder =
        project.folder.canonicalize().map_err(|reason| BuildError::file("find", &project.folder, reason))?;
    let to = base.join(match machine {
        Machine::Host => "c/host",
        Machine::Board => "c/board",
        Machine::Floating => "c/floating",
    });
    let rules = Rules {
        machine,
        board: &project.plan.board,
        base: &base,
        folder: &folder,
        in_c,
        has_cmsis: cmsis.is_some(),
    };
    let own = sources(project, workshop, machine)?;
    let sources: Vec<_> = own.into_iter().chain(carried(project, &base)).collect();
    let one = |(number, source): (usize, &Source)| {
        let stem = Path::new(&source.name).file_stem().unwrap_or_default().to_string_lossy();
        let object = to.join(format!("{number}_{stem}.o"));
        compile_one(&rules, source, &object).map(|()| object)
    };
    let objects: Vec<_> = sources.iter().enumerate().map(one).collect::<Result<_, _>>()?;
    let read = objects
        .iter()
        .map(|object| fs::read(object).map_err(|reason| BuildError::file("read", object, reason)));
    let read = read.collect::<Result<Vec<_>, _>>()?;
    cmsis.map_or(Ok(()), |cmsis| check_main(project, cmsis, &read))?;
    let files =
        sources.iter().zip(&read).map(|(source, object)| library::Compiled { source: &source.name, object });
    let texts: Vec<_> = headers.iter().map(|header| header.text.as_str()).collect();
    let check = library::Check {
        has_library: in_c.library.is_some(),
        all_in_c: project.description.system.application.is_none(),
        headers: &texts,
    };
    check.run(&files.collect::<Vec<_>>())?;
    let board = &project.plan.board;
    let library = match in_c.library.filter(|_| machine != Machine::Host) {
        Some(Library::Picolibc) => {
            library::archives(compiler(machine, board, Language::C), board.processor.c.library)?
        }
        None => Vec::new(),
    };
    Ok(Compiled { objects, library })
}

/// CMSIS-RTOS2 begins with the application's `main`.
fn check_main(project: &Project, cmsis: &Cmsis, objects: &[Vec<u8>]) -> Result<(), BuildError> {
    if objects.iter().any(|bytes| cmsis::has_main(bytes)) {
        return Ok(());
    }
    Err(BuildError::Description(
        project.description.alone(Problem {
            code: "beryl::builder::function",
            place: cmsis.place,
            message: "no source in C has the `main` with which an application of CMSIS-RTOS2 begins"
                .to_owned(),
            label: "nothing begins".to_owned(),
            help:
                "write `int main(void)` into a file of `sources` in [c] that has `#include \"cmsis_os2.h\"`"
                    .into(),
        }),
    ))
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
    has_cmsis: bool,
}

impl Rules<'_> {
    /// The compiler with all that it is told of a file.
    fn compiler(&self, Source { language, own, is_ported, .. }: &Source) -> Command {
        let Rules { machine, board, base, folder, in_c, has_cmsis } = self;
        let mut compiler = compiler(*machine, board, *language);
        if *machine != Machine::Host {
            compiler.arg(in_c.optimisation.option());
            compiler.args(in_c.library.map(|_| library::SPECS));
        }
        if in_c.library.is_some() {
            compiler.arg(library::ALL_DECLARED).args(library::own());
        }
        // Where the sources are must not be part of the object.
        let is_general = |option: &&str| own.is_none() || !WARNINGS.contains(option);
        compiler.args(COMMON.iter().filter(|option| is_general(option)));
        for (from, to) in [(*folder, "."), (*base, "build")] {
            compiler.arg(format!("-ffile-prefix-map={}={to}", from.display()));
        }
        compiler.args(own.iter().flat_map(|own: &Own| &own.options));
        // As code in Rust is told.
        compiler.arg(format!("-DBERYL_TICK={}", board.tick.get()));
        compiler.args(in_c.defines.iter().map(|define| format!("-D{}", define.value)));
        for include in &in_c.includes {
            compiler.arg("-I").arg(folder.join(&include.value));
        }
        if *has_cmsis {
            let carried = base.join(cmsis::FOLDER);
            compiler.arg(format!("-ffile-prefix-map={}=cmsis", carried.display())).arg("-I").arg(carried);
        }
        let (options, headers): (&[_], &[_]) = match language {
            Language::C => (&OF_C, headers(*machine)),
            Language::Cpp => (&cpp::OPTIONS, &[cpp::path(*machine)]),
        };
        compiler.args(options);
        compiler.args(own.iter().filter_map(|own| own.standard.as_ref()));
        if *is_ported {
            compiler.arg(match language {
                Language::C => "-Wno-missing-prototypes",
                Language::Cpp => "-Wno-missing-declarations",
            });
        }
        for header in headers {
            compiler.arg("-include").arg(base.join(header));
        }
        compiler
    }
}

/// What is said of a file with a function that no header declares.
const PORTED: &str = "\na function for this file alone is `static`; a file that came from elsewhere is named by `ported` \
                      in [c]\n";

/// What is said of a header that isn't there, where there is no C library.
const ABSENT: &str = "\nif that header is the C library's, say `library = \"picolibc\"` in [c]; any other is found in a folder of `includes`\n";

fn compile_one(rules: &Rules<'_>, source: &Source, object: &Path) -> Result<(), BuildError> {
    let Source { path, name, .. } = source;
    fs::metadata(path).map_err(|reason| BuildError::file("read", path, reason))?;
    let fresh = object.with_extension("fresh");
    if let Some(folder) = object.parent() {
        fs::create_dir_all(folder).map_err(|reason| BuildError::file("write", folder, reason))?;
    }
    let mut compiler = rules.compiler(source);
    compiler.arg("-c").arg(path).arg("-o").arg(&fresh);
    let output = started(&mut compiler)?;
    if !output.status.success() {
        let mut said = String::from_utf8_lossy(&output.stderr).into_owned();
        if said.contains("-Werror=missing-prototypes") || said.contains("-Werror=missing-declarations") {
            said += PORTED;
        }
        if said.contains("fatal error:") && said.contains("No such file") && rules.in_c.library.is_none() {
            said += ABSENT;
        }
        return Err(BuildError::Compiler { what: format!("compiling {name}"), said });
    }
    let bytes = fs::read(&fresh).map_err(|reason| BuildError::file("read", &fresh, reason))?;
    fs::remove_file(&fresh).map_err(|reason| BuildError::file("remove", &fresh, reason))?;
    masking::check(name, &bytes)?;
    cpp::check(name, &bytes)?;
    replace(object, &bytes)
}

/// What the compiler reads first. Only the board has a kernel that can be called.
fn headers(machine: Machine) -> &'static [&'static str] {
    match machine {
        Machine::Host => &[HEADER],
        Machine::Board | Machine::Floating => &[HEADER, direct::HEADER, devices::HEADER],
    }
}

fn compiler(machine: Machine, board: &Board, language: Language) -> Command {
    match machine {
        Machine::Host => {
            let (variable, usual) = match language {
                Language::C => ("CC", "cc"),
                Language::Cpp => ("CXX", "c++"),
            };
            let mut command = Command::new(env::var_os(variable).unwrap_or_else(|| usual.into()));
            command.args(["-O1", "-fPIC"]);
            command
        }
        Machine::Board | Machine::Floating => {
            let compiler = board.processor.c;
            let mut command = Command::new(match language {
                Language::C => compiler.program,
                Language::Cpp => compiler.cpp,
            });
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
    let Compiled { objects, .. } = compile(project, workshop, Machine::Host)?;
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
