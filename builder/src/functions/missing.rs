//! What can't be linked, found without compiling anything: crates that aren't there, and functions and types whose names
//! stand nowhere in the sources.

use beryl_table::{Table, TableError};
use miette::SourceSpan;

use super::misfits::{Misfit, Misfits};
use super::sources::Sources;
use super::{Kind, needed, versions, window};
use crate::c::Machine;
use crate::c::cmake::is_project;
use crate::c::sources::sources;
use crate::description::Problem;
use crate::environment::{is_crate, is_in_c, is_table};
use crate::error::BuildError;
use crate::project::Project;
use crate::workshop::Workshop;

/// Checks that the crates of a system are there, and that each function and type that it names may be in them.
///
/// In the workshop CMake keeps what it knows, where the description names a target of its.
///
/// A name that stands nowhere in a crate's sources is refused, unless the crate has macros of its own, includes texts, or
/// passes on all of another crate: then only the compiler knows.
///
/// # Errors
/// All functions, or all types, that can't be found; before those the first crate; behind them the first process that
/// lacks the device of what its functions plainly do.
pub fn check(project: &Project, workshop: &Workshop) -> Result<(), BuildError> {
    let system = &project.description.system;
    let table = system.environment.as_ref().filter(|name| is_table(&name.value));
    if let Some(table) = table {
        check_table(project, &table.value, table.place)?;
    }
    if let Some(world) = system.environment.as_ref().filter(|name| is_in_c(&name.value)) {
        check_world(project, &world.value, world.place)?;
    }
    let environment = system.environment.as_ref().filter(|name| is_crate(&name.value));
    let application = system.application.as_ref();
    let named = [application, environment];
    for crate_of in named.into_iter().flatten() {
        let manifest = project.folder.join(&crate_of.value).join("Cargo.toml");
        if !manifest.is_file() {
            return Err(no_crate(project, &crate_of.value, crate_of.place));
        }
        versions::check(project, &crate_of.value, crate_of.place)?;
    }
    let rust = application.map(|named| Sources::of(&project.folder.join(&named.value).join("src")));
    let rust = rust.unwrap_or_else(|| Sources::read(Vec::new()));
    check_files_in_c(project)?;
    let in_c = sources(project, workshop, Machine::Host)?;
    let c = Sources::read(in_c.into_iter().map(|source| source.path).collect());
    let mut misfits = Misfits::of(project);
    for needed in needed(project) {
        let (sources, home) = match needed.kind {
            Kind::FunctionInC | Kind::VariableInC => (&c, "no source in C".to_owned()),
            Kind::Function | Kind::Type => (&rust, format!("nothing in {}", home_in_rust(project))),
        };
        if sources.lack(&needed.name) {
            let message = format!("{home} is called `{}`", needed.name);
            let help = match (sources.closest(&needed.name), needed.kind) {
                (Some(close), Kind::Function | Kind::FunctionInC | Kind::VariableInC) => {
                    format!("did you mean `{close}`?")
                }
                (None, Kind::VariableInC) => {
                    "define this variable in a file of `sources` in [c], not `static`".to_owned()
                }
                (None, Kind::FunctionInC) => {
                    "define it in a file of `sources` in [c], as its header in build/ declares it".to_owned()
                }
                (None, Kind::Function) => format!("write\n  {} {{ ... }}", needed.head),
                (_, Kind::Type) => format!("write\n  {}", needed.head),
            };
            let (kind, named, label) = (needed.kind, needed.named, "it isn't there");
            misfits.add(&needed.name, Misfit { kind, named, message, label, help });
        }
    }
    misfits.told()?;
    window::check(project, &rust, &c)
}

/// What a project of CMake's is.
const PROJECT: &str = "a folder with a CMakeLists.txt";

/// Checks that the files of functions in C are there, the folders of their headers, and a project of CMake's.
fn check_files_in_c(project: &Project) -> Result<(), BuildError> {
    let c = &project.description.c;
    let files = c.files().map(|(file, _)| (file, "source", "a file"));
    let folders = c.includes.iter().map(|folder| (folder, "folder of headers", "a folder"));
    let projects = c.cmake.iter().map(|target| (&target.folder, "project of CMake's", PROJECT));
    let is_there = |named: &str, kind: &str| {
        let path = project.folder.join(named);
        match kind {
            "a file" => path.is_file(),
            PROJECT => is_project(&path),
            _ => path.is_dir(),
        }
    };
    match files.chain(folders).chain(projects).find(|(named, _, kind)| !is_there(&named.value, kind)) {
        None => Ok(()),
        Some((named, what, kind)) => Err(BuildError::Description(project.description.alone(Problem {
            code: "beryl::builder::in_c",
            place: named.place,
            message: format!("there is no {what} `{}`", named.value),
            label: "it isn't there".to_owned(),
            help: format!("name {kind}, relative to this one").into(),
        }))),
    }
}

/// Where functions and types in Rust are, in words.
pub(super) fn home_in_rust(project: &Project) -> String {
    let named = project.description.system.application.as_ref();
    named.map_or("what the builder writes".to_owned(), |named| format!("crate `{}`", named.value))
}

fn no_crate(project: &Project, name: &str, place: SourceSpan) -> BuildError {
    let folder = project.folder.join(name);
    let what = if folder.is_dir() { "has no Cargo.toml" } else { "isn't there" };
    BuildError::Description(project.description.alone(Problem {
        code: "beryl::builder::crate",
        place,
        message: format!("crate `{name}` {what}"),
        label: what.to_owned(),
        help: "name the folder of a crate, relative to this file; `beryl new` makes a system with one".into(),
    }))
}

/// Checks that the file of a world in C is there.
fn check_world(project: &Project, name: &str, place: SourceSpan) -> Result<(), BuildError> {
    if project.folder.join(name).is_file() {
        return Ok(());
    }
    Err(BuildError::Description(
        project.description.alone(Problem {
            code: "beryl::builder::in_c",
            place,
            message: format!("there is no world `{name}`"),
            label: "it isn't there".to_owned(),
            help: "name a file in C, relative to this one, with `world_size`, `world_read` and `world_write`"
                .into(),
        }),
    ))
}

/// Checks that a table is there and can be read, and that its interrupts are lines of the board.
fn check_table(project: &Project, name: &str, place: SourceSpan) -> Result<(), BuildError> {
    let path = project.folder.join(name);
    if !path.is_file() {
        return Err(no_table(project, name, place));
    }
    let wrong = |message: String, help: String| {
        BuildError::Description(project.description.alone(Problem {
            code: "beryl::builder::table",
            place,
            message,
            label: "this table".to_owned(),
            help: help.into(),
        }))
    };
    let table = Table::read(&path).map_err(|error| {
        let error = TableError { file: Some(name.into()), ..error };
        wrong(error.to_string(), "mend it there: it is read when a run begins".to_owned())
    })?;
    let (lines, stand_ins) = (project.description.board.board.value.lines, &project.description.lines);
    let is_there = |line: u16| line < lines || stand_ins.iter().any(|(from, _)| *from == line);
    match table.interrupts().find(|(_, line)| !is_there(line.0)) {
        None => Ok(()),
        Some((_, line)) => Err(wrong(
            format!("table `{name}` raises interrupt {}, which this board doesn't have", line.0),
            format!("its lines are 0 to {}", lines.saturating_sub(1)),
        )),
    }
}

fn no_table(project: &Project, name: &str, place: SourceSpan) -> BuildError {
    BuildError::Description(project.description.alone(Problem {
        code: "beryl::builder::table",
        place,
        message: format!("there is no table `{name}`"),
        label: "it isn't there".to_owned(),
        help:
            "name a file of sensor values, relative to this file; its heading is as in `time, 0 int`".into(),
    }))
}
