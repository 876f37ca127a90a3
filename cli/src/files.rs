//! Where runs leave their files: `out/<system>/`, each command under names of its own, so that none writes over what another left.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use beryl_builder::emit::names;
use beryl_builder::workshop::{Workshop, replace};
use beryl_builder::{Project, Variant};
use beryl_trace::file::sealed;
use beryl_trace::{Event, Names, Recording, Tick, decode};

use crate::console::{Console, Failure};

/// The workshop of the current folder.
pub fn workshop() -> Workshop {
    Workshop::new(&current_folder())
}

/// The folder for the results of a system.
pub fn results(project: &Project) -> PathBuf {
    current_folder().join("out").join(&project.assembly.name)
}

/// Where one command leaves what comes of a run on one machine: files of one name in a folder.
#[derive(Clone)]
pub struct Place {
    folder: PathBuf,
    name: String,
}

impl Place {
    /// Among the results of a system.
    pub fn of(project: &Project, name: impl Into<String>) -> Place {
        Place { folder: results(project), name: name.into() }
    }

    /// Among what `beryl conformance` compares: it runs systems that aren't its own.
    pub fn in_conformance(project: &Project, name: impl Into<String>) -> Place {
        let folder = current_folder().join("out").join("conformance").join(&project.assembly.name);
        Place { folder, name: name.into() }
    }

    /// The file of a kind.
    pub fn file(&self, kind: &str) -> PathBuf {
        self.folder.join(format!("{}.{kind}", self.name))
    }

    /// The folder for what is of no use when the run is over.
    pub fn scratch(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
}

/// Reads the system in a folder, and warns of what is surely not meant. If only the compiled kernel can tell whether it fits, it is
/// compiled.
///
/// # Errors
/// Everything that can be wrong with it.
pub fn load(folder: &Path, variant: Variant, console: &Console) -> Result<Project, Failure> {
    let project = Project::load(folder, variant)?.settled(&workshop(), |what| console.step(what))?;
    project.assembly.warnings.iter().for_each(|warning| console.report(warning));
    Ok(project)
}

/// The names of a project's threads and drivers.
pub fn names_of(project: &Project) -> Result<Names> {
    let tick = Tick::new(project.tick(), 1).context("the board's tick has no length")?;
    Ok(names::names_of(project, tick))
}

/// A decoded run.
pub struct Recorded {
    /// What happened.
    pub events: Vec<Event>,
    /// What the sensors said and the actuators were told.
    pub recording: Recording,
}

/// Decodes a trace and writes it and its recording to a place, beside the names.
pub fn keep(place: &Place, names: &Names, trace: &[u8]) -> Result<Recorded, Failure> {
    let events = decode(trace).with_context(|| format!("the trace of {} is damaged", place.name))?;
    let recording = Recording::of(&events, names);
    let json = names.to_json().context("the names can't be written")?;
    replace(&place.folder.join("names.json"), json.as_bytes())?;
    replace(&place.file("trace"), &sealed(trace))?;
    replace(&place.file("recording"), recording.to_text(names).as_bytes())?;
    Ok(Recorded { events, recording })
}
