//! An opened trace: its events and their names, as far as they are readable.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use beryl_trace::file::Unsealer;
use beryl_trace::log::{Log, Statements};
use beryl_trace::{Event, Names};

use super::several::is_several;
use crate::console::{Console, REFUSED, WELL};
use crate::files::STATEMENTS;

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

    /// What log statements in it say. None, if nobody left any beside it.
    ///
    /// # Errors
    /// If they can't be read.
    pub fn statements(&self) -> Result<Statements> {
        let path = self.folder.join(format!("{}.{STATEMENTS}", self.stem));
        match fs::read_to_string(&path) {
            Err(reason) if reason.kind() == ErrorKind::NotFound => Ok(Statements::default()),
            read => {
                let text = read.with_context(|| format!("can't read {}", path.display()))?;
                Statements::parse(&text).with_context(|| {
                    format!("{} is damaged; run the system once more, or take the file away", path.display())
                })
            }
        }
    }

    /// What threads said in it; nothing if nobody said anything.
    ///
    /// # Errors
    /// If their statements can't be read.
    pub fn log(&self) -> Result<Option<Log>> {
        let log = Log::of(&self.events, &self.names, &self.statements()?);
        Ok((!log.is_empty()).then_some(log))
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
