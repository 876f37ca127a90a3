//! Where runs leave their files: `out/<system>/`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use beryl_builder::Project;
use beryl_builder::emit::names;
use beryl_builder::workshop::{Workshop, replace};
use beryl_trace::{Event, Names, Recording, Tick, decode};

use crate::console::Failure;

/// The workshop of the current folder.
pub fn workshop() -> Workshop {
    Workshop::new(&current_folder())
}

/// The folder for the results of a system.
pub fn results(project: &Project) -> PathBuf {
    current_folder().join("out").join(&project.assembly.name)
}

fn current_folder() -> PathBuf {
    std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."))
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

/// Decodes a trace and writes it and its recording to `out/<system>/<host>.trace` and `.recording`.
pub fn keep(project: &Project, names: &Names, host: &str, trace: &[u8]) -> Result<Recorded, Failure> {
    let events = decode(trace).with_context(|| format!("the trace of {host} is damaged"))?;
    let recording = Recording::of(&events, names);
    let folder = results(project);
    let json = names.to_json().context("the names can't be written")?;
    replace(&folder.join("names.json"), json.as_bytes())?;
    replace(&folder.join(format!("{host}.trace")), trace)?;
    replace(&folder.join(format!("{host}.recording")), recording.to_text(names).as_bytes())?;
    Ok(Recorded { events, recording })
}
