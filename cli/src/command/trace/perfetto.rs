//! `beryl trace perfetto`: a trace in Perfetto's format.

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_builder::workshop::replace;
use beryl_trace::perfetto;
use serde_json::json;

use super::opened::Opened;
use crate::console::{Console, Failure};

/// Write a trace in Perfetto's format.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  beryl trace perfetto out/engine/sim.trace    writes out/engine/sim.perfetto-trace

Open it with Perfetto's viewer or its trace processor. Each thread has a track with its runs, one with its jobs and one with
what it waited for; modules have one with their modes, locks one with who held them, interrupts one with who served them;
sensors, actuators, ports, log statements and what went wrong are instants; each of their numbers is a counter, and so is the load. Arrows lead
from who woke a thread to the woken.")]
pub struct Perfetto {
    /// A trace, beside its names.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Where it is written [beside the trace].
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Perfetto {
    /// Writes the file.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let opened = Opened::read(&self.file, console)?;
        console.step(format_args!("writing {} events for Perfetto", opened.events.len()));
        let log = opened.log()?;
        let bytes = perfetto::export(&opened.events, &opened.names, log.as_ref());
        let path = opened.result(self.output.as_deref(), "perfetto-trace");
        replace(&path, &bytes)?;
        let (events, size) = (opened.events.len(), bytes.len());
        console.say(format_args!("{}: {events} events, {} kB", path.display(), size.div_ceil(1024)));
        console.object(&json!({ "perfetto": path.display().to_string(), "events": events, "bytes": size }));
        Ok(opened.exit_code())
    }
}
