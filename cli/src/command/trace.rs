//! `beryl trace`: what happened in a recorded run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use beryl_abi::Instant;
use beryl_builder::workshop::replace;
use beryl_trace::timeline::{Timeline, svg, terminal};
use beryl_trace::{Event, LogicalInstant, Names, Statistics, decode};

use crate::command::sim::Window;
use crate::console::{Console, Failure, WELL};

/// Show what happened in a recorded run.
#[derive(clap::Args)]
#[command(after_help = "Example:\n  beryl trace out/helicopter/sim.trace --from 40ms --to 80ms")]
pub struct Trace {
    /// A trace, beside its names.json, as `beryl sim` and `beryl run` leave it in out/.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    window: Window,
}

impl Trace {
    /// Decodes and prints.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let folder = self.file.parent().unwrap_or(Path::new("."));
        let path = folder.join("names.json");
        let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
        let names = Names::parse(&text).with_context(|| format!("{} is damaged", path.display()))?;
        let bytes = fs::read(&self.file).with_context(|| format!("can't read {}", self.file.display()))?;
        let events = decode(&bytes).with_context(|| format!("{} is damaged", self.file.display()))?;
        let statistics = Statistics::of(&events, &names);
        console.title("Statistics");
        console.say(&statistics);
        console.object(&serde_json::to_value(&statistics).context("statistics")?);
        timeline(&names, &events, self.window, folder, console)?;
        Ok(ExitCode::from(WELL))
    }
}

/// Prints the timeline of a window and writes it to `timeline.svg` in `folder`.
pub fn timeline(
    names: &Names,
    events: &[Event],
    window: Window,
    folder: &Path,
    console: &Console,
) -> Result<(), Failure> {
    let at =
        |nanoseconds: u64| -> Instant { names.tick.instant(LogicalInstant::from_nanoseconds(nanoseconds)) };
    let timeline = Timeline::of(events, names, at(window.from.get()), at(window.to.get()));
    console.say(format_args!("\n{}", terminal::render(&timeline, console.drawing())));
    let path = folder.join("timeline.svg");
    replace(&path, svg::render(&timeline).as_bytes())?;
    console.say(format_args!("  as a picture: {}", path.display()));
    Ok(())
}
