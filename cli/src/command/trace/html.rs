//! `beryl trace html`: a trace as one web page.

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_builder::workshop::replace;
use beryl_trace::html::{self, Run};
use serde_json::json;

use super::opened::Opened;
use crate::console::{Console, Failure};

/// Write a trace as one web page that needs nothing else.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace html out/engine/sim.trace    writes out/engine/sim.html
  beryl trace html out/lift/sim.trace --beside out/lift/mps2-an385.trace    the values of both, one over the other

The page shows modes, lanes by process and thread, sensors, actuators, ports, locks and interrupts, zooms and pans, tells what
is under the pointer, and says why a job that is clicked was late or early. Below them are curves of values and of the load,
with cursors to measure between and a table of what can be seen. It needs no network. `?` on the page draws its signs and lists its keys.")]
pub struct Html {
    /// A trace, beside its names.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Another run of the same system, beside its own names.json: its values are laid over those of the first.
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
    /// Where the page is written [beside the trace].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Html {
    /// Writes the page.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let opened = Opened::read(&self.file, console)?;
        let beside = self.beside.as_ref().map(|file| Opened::read(file, console)).transpose()?;
        let shown: Vec<&Opened> = [&opened].into_iter().chain(&beside).collect();
        let titles: Vec<String> = shown.iter().map(|one| one.title()).collect();
        console.step(format_args!("making the page of {} events", opened.events.len()));
        let runs = shown.iter().zip(&titles).map(|(one, title)| Run {
            events: &one.events,
            names: &one.names,
            title,
        });
        let page = html::page_of(&runs.collect::<Vec<_>>());
        let path = opened.result(self.output.as_deref(), "html");
        replace(&path, page.as_bytes())?;
        let (events, size) = (opened.events.len(), page.len());
        console.say(format_args!("{}: {events} events, {} kB", path.display(), size.div_ceil(1024)));
        console.object(&json!({ "page": path.display().to_string(), "events": events, "bytes": size }));
        Ok(shown.iter().find(|one| one.is_damaged).unwrap_or(&&opened).exit_code())
    }
}
