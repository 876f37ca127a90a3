//! A trace that has been opened: its events with their names, as far as they can be read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use beryl_trace::file::Unsealer;
use beryl_trace::{Event, Names};

use crate::console::{Console, REFUSED, WELL};

/// A trace and what belongs to it.
pub struct Opened {
    /// What its numbers are called.
    pub names: Names,
    /// The events that can be read.
    pub events: Vec<Event>,
    /// Whether there are more than can be read.
    pub is_damaged: bool,
    /// Who has read them, and reads on if the file grows.
    pub unsealer: Unsealer,
    /// Where the trace lies; what is made from it goes there, too.
    pub folder: PathBuf,
    /// What the trace is called: its file's name without `.trace`.
    pub stem: String,
}

impl Opened {
    /// Reads a trace and the `names.json` beside it. Of a damaged one, what comes before the damage is taken,
    /// with a warning.
    ///
    /// # Errors
    /// Files that can't be read, names of another form, a trace of which nothing can be read.
    pub fn read(file: &Path, console: &Console) -> Result<Opened> {
        let folder = match file.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        let bytes = fs::read(file).with_context(|| format!("can't read {}", file.display()))?;
        let path = folder.join("names.json");
        let text = fs::read_to_string(&path).with_context(|| {
            format!("can't read {}; `beryl sim` and `beryl run` leave it beside their traces", path.display())
        })?;
        let names = Names::parse(&text).with_context(|| format!("{} is damaged", path.display()))?;
        let mut unsealer = Unsealer::default();
        let (events, damage) = unsealer.take(&bytes).events();
        match &damage {
            Some(error) if events.is_empty() => {
                return Err(anyhow!(error.clone()).context(format!("{} is damaged", file.display())));
            }
            Some(error) => console.warn(format_args!(
                "{} is damaged: {error}\n  the {} records before are shown, up to {}",
                file.display(),
                events.len(),
                events.last().map(|event| names.tick.logical(event.time)).unwrap_or_default(),
            )),
            None => {}
        }
        let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Opened { names, events, unsealer, is_damaged: damage.is_some(), folder: folder.to_owned(), stem })
    }

    /// Where something that is made from the trace goes: where it is wanted, or beside the trace.
    pub fn result(&self, wanted: Option<&Path>, extension: &str) -> PathBuf {
        wanted.map_or_else(|| self.folder.join(format!("{}.{extension}", self.stem)), Path::to_owned)
    }

    /// A damaged trace is no success, however much of it could be shown.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.is_damaged { REFUSED } else { WELL })
    }
}
