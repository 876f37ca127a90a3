//! A run in which the environment answers while the board runs: it is loaded into the emulator as a plugin.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_abi::Instant;

use super::{Outcome, Serial, boot, environment, failed, spoken};
use crate::assembly::Role;
use crate::error::BuildError;
use crate::plan::Board;
use crate::project::Project;

/// The memory that board and plugin share, and what the environment says at the end.
const FILES: [&str; 2] = ["world.bin", "environment.txt"];

/// Whether the environment was satisfied at the end, and its report.
pub type Report = (bool, String);

/// A project's environment, ready to be loaded.
#[derive(Clone, Debug)]
pub struct Live<'a> {
    /// The project: who is a driver, how fast the board is.
    pub project: &'a Project,
    /// The plugin: see [`plugged::build`](crate::plugged::build).
    pub plugin: PathBuf,
    /// When the run ends.
    pub end: Instant,
    /// The environment's seed.
    pub seed: u64,
}

impl Live<'_> {
    /// Boots `image` with a window for a run with an environment
    /// ([`live_window`](super::Accesses::live_window)), in `folder`, after other runs there.
    ///
    /// # Errors
    /// As [`run`](super::run); and if the environment panics, or ends without a report.
    pub fn run(&self, image: &Path, window: &[u8], folder: &Path) -> Result<(Outcome, Report), BuildError> {
        let board = self.project.description.board.board.value;
        let plugin =
            self.plugin.canonicalize().map_err(|reason| BuildError::file("find", &self.plugin, reason))?;
        let [memory, plugin] = [shared(board), self.arguments(board, &plugin)?];
        let options = ["-object", &memory, "-machine", "memory-backend=world", "-plugin", &plugin];
        let options: Vec<&str> = options.into_iter().chain(spoken::OPTIONS).collect();
        let speed = self.project.description.board.speed;
        let files = FILES.map(|name| folder.join(name));
        files.iter().for_each(|file| drop(fs::remove_file(file)));
        let outcome = boot(board, image, window, speed, folder, &options, Serial::File, || Ok(()))?;
        let [world, report] = files;
        drop(fs::remove_file(world));
        let said = fs::read_to_string(&report).map_err(|reason| BuildError::file("read", &report, reason))?;
        let (verdict, text) = said.split_once('\n').unwrap_or_default();
        Ok((outcome, (verdict == "well", text.to_owned())))
    }

    /// What the plugin is told, as its settings in `sim/src/plugged/settings.rs` are read.
    fn arguments(&self, board: &Board, plugin: &Path) -> Result<String, BuildError> {
        let [memory, report] = FILES;
        let threads = self.project.assembly.threads.iter().enumerate();
        let drivers = threads.filter(|(_, thread)| matches!(thread.role, Role::Drivers));
        let drivers: Vec<_> = drivers.map(|(number, _)| number.to_string()).collect();
        let Some(plugin) = plugin.to_str() else {
            let reason = format!("{} isn't a text; build in a folder with another name", plugin.display());
            return Err(failed("loading the environment", &reason));
        };
        let all = [
            // A comma is written twice.
            format!("file={}", plugin.replace(',', ",,")),
            format!("memory={memory},report={report}"),
            format!("base={},window={}", board.world.base, environment(board)?.interval.base),
            format!("recording={},recorded={}", board.recording.base, board.recording.limit),
            format!("clock={},tick={}", board.count, board.tick.get()),
            format!("speed={},drivers={}", self.project.description.board.speed, drivers.join(".")),
            format!("end={},seed={}", self.end.ticks(), self.seed),
        ];
        Ok(all.join(","))
    }
}

/// The board's memory as a file.
fn shared(board: &Board) -> String {
    let length = board.world.length().get();
    format!("memory-backend-file,id=world,mem-path={},size={length},share=on", FILES[0])
}
