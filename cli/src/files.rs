//! Where runs keep their files: `out/<system>/`, with names of its own for each command, so that none
//! overwrites another's.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use beryl_builder::emit::names;
use beryl_builder::functions::missing;
use beryl_builder::toolchain;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};
use beryl_trace::file::sealed;
use beryl_trace::log::Statements;
use beryl_trace::{Event, Names, Recording, Tick, decode};

use crate::console::{Console, Failure};

/// The workshop of the current folder. A program that carries its crates shares what compilers leave between folders; if
/// it can't, whoever needs the crates says why.
pub fn workshop() -> Workshop {
    let folder = current_folder();
    match toolchain::products() {
        Ok(Some(products)) => Workshop::sharing(&folder, &products),
        Ok(None) | Err(_) => Workshop::new(&folder),
    }
}

/// The folder for the results of a system.
pub fn results(project: &Project) -> PathBuf {
    current_folder().join("out").join(&project.assembly.name)
}

/// Where a command keeps the files of a run on one machine: a folder and a common stem.
#[derive(Clone)]
pub struct Place {
    folder: PathBuf,
    name: String,
}

impl Place {
    /// A place among the results of a system.
    pub fn of(project: &Project, name: impl Into<String>) -> Place {
        Place { folder: results(project), name: name.into() }
    }

    /// A place among the results of a system of several nodes.
    pub fn of_nodes(system: &str, name: impl Into<String>) -> Place {
        Place { folder: current_folder().join("out").join(system), name: name.into() }
    }

    /// A place among the results of `beryl conformance`, which runs other folders' systems.
    pub fn in_conformance(project: &Project, name: impl Into<String>) -> Place {
        let folder = current_folder().join("out").join("conformance").join(&project.assembly.name);
        Place { folder, name: name.into() }
    }

    /// The file of a kind.
    pub fn file(&self, kind: &str) -> PathBuf {
        self.folder.join(format!("{}.{kind}", self.name))
    }

    /// The folder for files that are useless after the run.
    pub fn scratch(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

/// Reads the system in a folder and warns of likely mistakes. Compiles the kernel if only that can tell
/// whether it fits.
///
/// # Errors
/// For anything that can be wrong with the system, and for code that isn't there.
pub fn load(folder: &Path, variant: Variant, console: &Console) -> Result<Project, Failure> {
    let project = described(folder, variant, console)?;
    missing::check(&project, &workshop())?;
    Ok(project)
}

/// The same, whether its code is there or has yet to be written.
///
/// # Errors
/// For anything that can be wrong with the system.
pub fn described(folder: &Path, variant: Variant, console: &Console) -> Result<Project, Failure> {
    let project = Project::load(folder, variant)?.settled(|what| console.step(what))?;
    project.assembly.warnings.iter().for_each(|warning| console.report(warning));
    Ok(project)
}

/// The names of a project's threads and drivers.
pub fn names_of(project: &Project) -> Result<Names> {
    let tick = Tick::new(project.tick(), 1).context("the board's tick has no length")?;
    Ok(names::names_of(project, tick))
}

/// Keeps what log statements of a run say beside its trace, if there are any.
///
/// # Errors
/// It can't be written, or what is there of another run can't be taken away.
pub fn keep_statements(path: &Path, statements: &Statements) -> Result<()> {
    let path = path.with_extension(STATEMENTS);
    if statements.is_empty() {
        return match fs::remove_file(&path) {
            Err(reason) if reason.kind() != ErrorKind::NotFound => {
                Err(reason).with_context(|| format!("can't remove {}", path.display()))
            }
            _ => Ok(()),
        };
    }
    replace(&path, statements.to_json().context("the log statements can't be written")?.as_bytes())?;
    Ok(())
}

/// What the names of files with log statements end in, beside a trace.
pub const STATEMENTS: &str = "log.json";

/// A decoded run.
pub struct Recorded {
    /// What happened.
    pub events: Vec<Event>,
    /// The sensor values and the actuator writes.
    pub recording: Recording,
}

/// Decodes a trace; writes it and its recording to `place`, beside the names.
pub fn keep(place: &Place, names: &Names, trace: &[u8]) -> Result<Recorded, Failure> {
    let events = decode(trace).with_context(|| format!("the trace of {} is damaged", place.name))?;
    let recording = Recording::of(&events, names);
    let json = names.to_json().context("the names can't be written")?;
    replace(&place.folder.join("names.json"), json.as_bytes())?;
    replace(&place.file("trace"), &sealed(trace))?;
    replace(&place.file("recording"), recording.to_text(names).as_bytes())?;
    Ok(Recorded { events, recording })
}
