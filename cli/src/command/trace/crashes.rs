//! `beryl trace crashes`: what the kernel wrote down of threads that faulted.

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_builder::Variant;
use beryl_builder::board::Board;
use beryl_trace::crashes;

use super::opened::Opened;
use crate::SystemFolder;
use crate::console::{Console, Failure};
use crate::crashed;
use crate::files::load;

/// Show the crash records of a run: where each thread was, who called, its registers, and what happened before.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  beryl trace crashes examples/stray out/stray/mps2-an385.trace

Records are kept where the description says `crashes`. Functions, files and lines come from the system as it was built
last in this folder.")]
pub struct Crashes {
    #[command(flatten)]
    system: SystemFolder,
    /// A trace of it, beside its names.json.
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

impl Crashes {
    /// Shows all records of the trace.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let opened = Opened::read(&self.file, console)?;
        let board = Board::named(&opened.names.board);
        let project = load(&self.system.folder, Variant { board, ..Variant::default() }, console)?;
        if crashes::crashes(&opened.events).is_empty() {
            console.say(match project.assembly.crashes {
                0 => "no crash records: the description keeps none; `crashes = 4` in [system] keeps four",
                _ => "no crash records: nothing faulted",
            });
        }
        crashed::tell(&project, &opened.names, &opened.events, console);
        Ok(opened.exit_code())
    }
}
