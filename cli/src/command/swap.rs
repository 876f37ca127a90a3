//! `beryl swap`: another timing program for a running system.

mod emulated;
mod order;
mod port;
mod real_line;
mod report;
mod session;
mod simulated;
mod virtual_line;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::anyhow;
use beryl_builder::quantity::Nanoseconds;

pub use order::slot_of;
pub use port::Shared;
pub use real_line::{is_gone, listen};

use crate::SystemFolder;
use crate::command::board::Chosen;
use crate::command::times::{Span, time};
use crate::console::{Console, Failure, REFUSED};
use crate::files::load;
use crate::proof;

/// Give a running system another timing program.
///
/// The program is signed, sent over the console's line to the system's loader, checked by the kernel, and
/// takes over where a period of the running one ends. What fails any check changes nothing, and the answer
/// says why.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl swap examples/landing land.tdl --at 2s --back 6s
  beryl swap examples/landing land.tdl --on mps2-an385 --at 8s
  beryl swap examples/landing land.tdl --port /dev/ttyACM0 --key link.key
  beryl swap examples/landing --previous Helicopter --port /dev/ttyACM0 --key link.key

The link, and what a signature means: docs/reference/link.md")]
pub struct Swap {
    #[command(flatten)]
    system: SystemFolder,
    /// A timing program that the description names in its [slot], a container (.bsc) of `beryl build`, or a process
    /// (.brp) of `beryl build --process`.
    #[arg(value_name = "PROGRAM", required_unless_present = "previous")]
    program: Option<PathBuf>,
    /// Order the previous program of a module, or the previous code of a process, back, instead of sending another.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["program", "back"])]
    previous: Option<String>,
    #[command(flatten)]
    chosen: Chosen,
    /// The machine that runs the system: `sim`, or its board, emulated.
    #[arg(long, default_value = "sim", value_name = "MACHINE", conflicts_with = "port")]
    on: String,
    /// A serial line with a board that runs the system.
    #[arg(long, value_name = "PATH")]
    port: Option<PathBuf>,
    /// The line's speed in bits a second. A byte must take longer than the board may leave its receiver
    /// alone: as long as all native drivers of one instant.
    #[arg(long, default_value_t = 38_400, value_parser = clap::value_parser!(u32).range(300..=3_000_000))]
    baud: u32,
    /// When the program is handed to the kernel, in the system's time [as soon as it is there].
    #[arg(long, value_name = "TIME", value_parser = time)]
    at: Option<Nanoseconds>,
    /// When the previous program is ordered back, in the system's time [never].
    #[arg(long, value_name = "TIME", value_parser = time)]
    back: Option<Nanoseconds>,
    /// The secret half of the key [link.key in the system's folder].
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// Go on even if the system isn't time-safe, before or after.
    #[arg(long)]
    unchecked: bool,
    #[command(flatten)]
    span: Span,
}

impl Swap {
    /// Checks that a run is long enough for its orders; a board at a serial line has no such limit.
    fn within_the_run(&self) -> anyhow::Result<()> {
        let last = self.back.max(self.at).filter(|_| self.port.is_none());
        match last.is_some_and(|last| last >= self.span.length) {
            true => Err(anyhow!("an order comes when the run is over; make it longer with `--for`")),
            false => Ok(()),
        }
    }

    /// Sends the program to the running system and reports the outcome.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = load(&self.system.folder, self.chosen.variant(), console)?;
        let order = order::Order::of(self, &project)?;
        if !self.unchecked && !proof::allows("swap", &project, console) {
            return Ok(ExitCode::from(REFUSED));
        }
        self.within_the_run()?;
        let board = project.description.board.board.value.name;
        match (&self.port, self.on.as_str()) {
            (Some(port), _) => port::swap(port, &project, &order, console),
            (None, "sim") if order.is_about_process => Err(not_simulated(board).into()),
            (None, "sim") => simulated::swap(&project, &order, self.span, console),
            (None, name) if name == board && order.is_about_process => {
                emulated::replace(&project, &order, self.span, console)
            }
            (None, name) if name == board => emulated::swap(&project, &order, self.span, console),
            (None, name) => Err(self.chosen.not_on(name, &project).into()),
        }
    }
}

/// The simulation is one program of the host, with one version of the application.
fn not_simulated(board: &str) -> anyhow::Error {
    anyhow!(
        "a process is replaced on a board only: in the simulation the application is one program, with one version of each \
         process; add `--on {board}`"
    )
}
