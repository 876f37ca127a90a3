//! `beryl trace html`: a trace as one web page.

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_builder::workshop::replace;
use beryl_trace::html;
use serde_json::json;

use super::opened::Opened;
use crate::console::{Console, Failure};

/// Write a trace as one web page that needs nothing else.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  beryl trace html out/engine/sim.trace    writes out/engine/sim.html

The page shows modes, lanes by process and thread, sensors, actuators, ports, locks and interrupts, zooms and pans, tells what is under the pointer, and says why a job that
is clicked was late or early. It needs no network. `?` on the page lists its keys.")]
pub struct Html {
    /// A trace, beside its names.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where the page is written [beside the trace].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Html {
    /// Writes the page.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let opened = Opened::read(&self.file, console)?;
        let title = format!("{} on {}", opened.names.system, opened.stem);
        console.step(format_args!("making the page of {} events", opened.events.len()));
        let page = html::page(&opened.events, &opened.names, &title);
        let path = opened.result(self.output.as_deref(), "html");
        replace(&path, page.as_bytes())?;
        let (events, size) = (opened.events.len(), page.len());
        console.say(format_args!("{}: {events} events, {} kB", path.display(), size.div_ceil(1024)));
        console.object(&json!({ "page": path.display().to_string(), "events": events, "bytes": size }));
        Ok(opened.exit_code())
    }
}
