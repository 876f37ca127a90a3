//! `beryl trace log`: what threads said by the crate `defmt`.

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_abi::Instant;
use beryl_trace::Names;
use beryl_trace::log::{Entry, Level, Log as Said};
use serde_json::json;

use super::opened::Opened;
use super::within;
use crate::command::times::Window;
use crate::console::{Console, Failure, REFUSED};

/// Show what threads said by `defmt`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace log out/logbook/sim.trace                              everything
  beryl trace log out/logbook/sim.trace --level warn --from 1s       what matters, from there on
  beryl trace log out/logbook/mps2-an385.trace --thread keeper       what one thread said

What can't be read, since events were lost or a thread was stopped inside a statement, is counted below, with the reason; then
the exit code is 1.")]
pub struct Log {
    /// A trace, beside its names.json and its log.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Only what matters so much.
    #[arg(long, value_enum, default_value_t)]
    level: Least,
    /// Only what this thread said.
    #[arg(long, value_name = "NAME")]
    thread: Option<String>,
    #[command(flatten)]
    window: Window,
}

/// From which level on.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
enum Least {
    #[default]
    Trace,
    Debug,
    Info,
    Warn,
    Error,
}

impl Least {
    fn level(self) -> Level {
        match self {
            Least::Trace => Level::Trace,
            Least::Debug => Level::Debug,
            Least::Info => Level::Info,
            Least::Warn => Level::Warn,
            Least::Error => Level::Error,
        }
    }
}

impl Log {
    /// Prints what was said.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let opened = Opened::read(&self.file, console)?;
        let Opened { names, events, .. } = &opened;
        let said = opened.log()?.unwrap_or_default();
        let end = events.iter().map(|event| event.time).max().unwrap_or(Instant::START);
        let at = |option, time| within(option, time, names, end);
        let from = self.window.from.map(|time| at("--from", time)).transpose()?;
        let to = self.window.to.map(|time| at("--to", time)).transpose()?;
        let thread = match &self.thread {
            Some(name) => Some(names.thread_called(name).ok_or_else(|| unknown(name, names))?),
            None => None,
        };
        let is_meant = |entry: &&Entry| {
            entry.level >= self.level.level()
                && thread.is_none_or(|thread| entry.thread == thread)
                && from.is_none_or(|from| entry.time >= from)
                && to.is_none_or(|to| entry.time <= to)
        };
        let mut count = 0;
        for entry in said.entries.iter().filter(is_meant) {
            count += 1;
            console.say(line(entry, names));
            console.object(&object(entry, names));
        }
        if count == 0 {
            console.say("nothing was said that is asked for");
        }
        let is_whole = illegible(&said, names, console);
        Ok(if is_whole { opened.exit_code() } else { ExitCode::from(REFUSED) })
    }
}

/// A statement as a line.
pub fn line(entry: &Entry, names: &Names) -> String {
    format!("{} {}: {}", names.tick.logical(entry.time), names.thread(entry.thread), entry.words())
}

/// Prints what was said in a window, under a heading, and what of the run can't be read.
pub fn show(opened: &Opened, (from, to): (Instant, Instant), console: &Console) -> anyhow::Result<()> {
    let names = &opened.names;
    let Some(said) = opened.log()? else { return Ok(()) };
    console.title("Log");
    for entry in said.entries.iter().filter(|entry| (from..=to).contains(&entry.time)) {
        console.say(format_args!("  {}", line(entry, names)));
    }
    let count = said.entries.len();
    console.say(format_args!("  {count} in the whole run, by `beryl trace log`"));
    console.object(&json!({ "said": count }));
    illegible(&said, names, console);
    Ok(())
}

fn object(entry: &Entry, names: &Names) -> serde_json::Value {
    json!({
        "at": names.tick.logical(entry.time),
        "thread": names.thread(entry.thread),
        "level": entry.level,
        "text": entry.text,
    })
}

/// Says what can't be read; whether there is nothing of it.
pub fn illegible(said: &Said, names: &Names, console: &Console) -> bool {
    for ((thread, why), count) in &said.illegible {
        let thread = names.thread(*thread);
        let statements = if *count == 1 { "1 statement".to_owned() } else { format!("{count} statements") };
        console.say(format_args!("{statements} of {thread} {why}"));
        console.object(&json!({ "illegible": count, "thread": thread, "why": why.to_string() }));
    }
    said.illegible.is_empty()
}

fn unknown(name: &str, names: &Names) -> anyhow::Error {
    let known: Vec<_> = names.identified().map(|(_, known)| known.name.as_str()).collect();
    anyhow::anyhow!("no thread is called `{name}`; there are {}", known.join(", "))
}
