//! `beryl trace record`: records the trace of a running system in a file.

mod board;
mod line;
mod recorder;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::anyhow;
use beryl_abi::Classes;
use beryl_builder::Project;
use beryl_trace::trace_buffer;

use crate::SystemFolder;
use crate::command::board::Chosen;
use crate::command::sim::simulate;
use crate::command::times::Span;
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, keep_statements, load, names_of};
use crate::proof;
use recorder::Recorder;

/// Record what a running system tells.
///
/// The system's description has a [trace] with a buffer, and a thread that sends what is in it over the
/// console's line. What has come is in the file at once: the recording can be ended at any time.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl trace record examples/traced --for 2s                           on the emulated board
  beryl trace record examples/traced --classes jobs,switches,locks      of these classes only
  beryl trace record examples/traced --on sim                           in the simulator, of everything
  beryl trace record examples/traced --port /dev/ttyACM0 -o run.trace   a board at a serial line

Classes: jobs, switches, drivers, swaps, faults, waits, locks, messages, interrupts, modes, kernel, events,
budgets; or all, none.
What they tell: docs/reference/trace.md")]
pub struct Record {
    #[command(flatten)]
    system: SystemFolder,
    /// Where the trace goes; its names.json goes beside it [out/<system>/recorded.trace].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// What is told, from the beginning of the recording on [what the description says].
    #[arg(long, value_name = "CLASSES", value_parser = trace_buffer::classes)]
    classes: Option<Classes>,
    #[command(flatten)]
    chosen: Chosen,
    /// The machine that runs the system: `sim`, or its board, emulated [the board].
    #[arg(long, value_name = "MACHINE", conflicts_with = "port")]
    on: Option<String>,
    /// A serial line with a board that runs the system.
    #[arg(long, value_name = "PATH")]
    port: Option<PathBuf>,
    /// The line's speed in bits a second.
    #[arg(long, default_value_t = 115_200, value_parser = clap::value_parser!(u32).range(300..=3_000_000))]
    baud: u32,
    /// Go on even if the system isn't time-safe.
    #[arg(long)]
    unchecked: bool,
    #[command(flatten)]
    span: Span,
}

/// The stem of the files of the simulation that supplies the sensor values.
const TWIN: &str = "recorded.sim";

impl Record {
    /// Records from the running system and reports how much arrived.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = load(&self.system.folder, self.chosen.variant(), console)?;
        let board = project.description.board.board.value.name;
        if !self.unchecked && !proof::allows("trace record", &project, console) {
            return Ok(ExitCode::from(REFUSED));
        }
        let path = self.output.clone().unwrap_or_else(|| Place::of(&project, "recorded").file("trace"));
        match (&self.port, self.on.as_deref().unwrap_or(board)) {
            (None, "sim") => self.simulated(&project, &path, console),
            (_, _) if project.assembly.objects.trace.is_none() => Err(anyhow!(
                "{} tells nothing by itself: its description has no [trace]; add one with a `buffer`, and \"trace\" to the `uses` of \
                 a thread in the background that empties it (docs/reference/trace.md), or record with `--on sim`",
                project.assembly.name
            )
            .into()),
            (Some(port), _) => line::record(self, port, &project, &path, console),
            (None, name) if name == board => board::record(self, &project, &path, console),
            (None, name) => Err(self.chosen.not_on(name, &project).into()),
        }
    }

    /// The simulator doesn't need a line, so it traces everything.
    fn simulated(&self, project: &Project, path: &Path, console: &Console) -> Result<ExitCode, Failure> {
        let names = names_of(project)?;
        let simulated = simulate(project, Place::of(project, TWIN), &names, self.span, console)?;
        let classes = self.classes.unwrap_or(Classes::RUN);
        keep_statements(path, &simulated.statements)?;
        let mut recorder = Recorder::create(path, &names)?;
        recorder.keep(&trace_buffer::only(simulated.trace(), classes))?;
        recorder.report("sim", console);
        Ok(ExitCode::from(WELL))
    }
}
