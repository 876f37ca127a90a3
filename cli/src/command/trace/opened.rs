//! An opened trace: its events and their names, as far as they are readable.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use beryl_trace::file::Unsealer;
use beryl_trace::{Event, Names};

use super::several::is_several;
use crate::console::{Console, REFUSED, WELL};

/// A trace and everything that belongs to it.
pub struct Opened {
    /// The names of its numbers.
    pub names: Names,
    /// The readable events.
    pub events: Vec<Event>,
    /// Whether the trace has more than that, but unreadable.
    pub is_damaged: bool,
    /// The decoder that read them; it reads on if the file grows.
    pub unsealer: Unsealer,
    /// The trace's folder; files made from the trace go there, too.
    pub folder: PathBuf,
    /// The trace's file name without `.trace`.
    pub stem: String,
}

impl Opened {
    /// Reads a trace and the `names.json` beside it. If the trace is damaged, warns and keeps the part before
    /// the damage.
    ///
    /// # Errors
    /// If a file can't be read, the names have another form, or nothing of the trace is readable.
    pub fn read(file: &Path, console: &Console) -> Result<Opened> {
        let folder = match file.parent() {
            Some(parent) if parent != Path::new("") => parent,
            _ => Path::new("."),
        };
        if is_several(file) {
            return Err(anyhow!(
                "{} tells of several kernels, and this is about one; name the trace of one, or look at all by `beryl trace html`",
                file.display()
            ));
        }
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

    /// What the run is called: its system, and on what it ran.
    pub fn title(&self) -> String {
        format!("{} on {}", self.names.system, self.stem)
    }

    /// Where to write a file made from the trace: the given path, or beside the trace.
    pub fn result(&self, wanted: Option<&Path>, extension: &str) -> PathBuf {
        wanted.map_or_else(|| self.folder.join(format!("{}.{extension}", self.stem)), Path::to_owned)
    }

    /// A damaged trace is a failure, however much of it could be shown.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(if self.is_damaged { REFUSED } else { WELL })
    }
}
