//! A run in which the environment answers while the board runs: it is loaded into the emulator as a plugin.

use std::path::{Path, PathBuf};

use beryl_abi::Instant;

use super::{Outcome, Serial, boot, environment, failed, spoken};
use crate::assembly::Role;
use crate::error::BuildError;
use crate::image::Built;
use crate::interval::Interval;
use crate::plan::Board;
use crate::project::Project;

/// The memory that board and plugin share, what the environment says at the end, and where the emulator takes orders about
/// interrupt lines.
pub(super) const FILES: [&str; 3] = ["world.bin", "environment.txt", "lines.socket"];

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
    /// Boots the image with a window for a run with an environment
    /// ([`live_window`](super::Accesses::live_window)), in `folder`, after other runs there. Where the environment's
    /// interrupts have lines of their own, it is the image that doesn't sleep: so time passes with instructions, and an
    /// interrupt comes before the first one that would be later.
    ///
    /// # Errors
    /// As [`run`](super::run); and if the environment panics, or ends without a report.
    pub fn run(&self, built: &Built, window: &[u8], folder: &Path) -> Result<(Outcome, Report), BuildError> {
        let board = self.project.description.board.board.value;
        let plugin =
            self.plugin.canonicalize().map_err(|reason| BuildError::file("find", &self.plugin, reason))?;
        let awake = built.awake.as_ref().filter(|_| self.has_lines(board));
        let inputs = awake.map(|_| self.inputs(board)).unwrap_or_default();
        let plugin = self.arguments(board, &plugin)? + &inputs;
        let memory = board.shared.map(shared);
        let orders = format!("unix:{},server=on,wait=off", FILES[2]);
        let takes_orders = memory.is_none() || awake.is_some();
        let in_file = memory.as_deref().map(in_file).into_iter().flatten();
        let for_orders = ["-qtest", &orders, "-qtest-log", "none"].into_iter().filter(|_| takes_orders);
        let loaded = ["-plugin", &plugin].into_iter();
        let options: Vec<&str> = in_file.chain(for_orders).chain(loaded).chain(spoken::OPTIONS).collect();
        let image = awake.unwrap_or(&built.image);
        let speed = self.project.description.board.speed;
        let outcome = boot(board, image, window, speed, folder, &options, Serial::File, || Ok(()))?;
        let Some((verdict, text)) = outcome.environment.split_once('\n') else {
            return Err(failed("the run with the environment", "the environment left no report"));
        };
        let report = (verdict == "well", text.to_owned());
        Ok((outcome, report))
    }

    /// The lines of devices that the system has itself.
    fn others(&self, board: &Board) -> Vec<u16> {
        let processes = &self.project.assembly.processes;
        let is_there =
            |name: &str| processes.iter().any(|process| process.devices.iter().any(|device| device == name));
        let devices = board.device_lines.iter().filter(|(name, _)| is_there(name));
        devices.flat_map(|(_, lines)| lines.iter().copied()).collect()
    }

    /// Whether the system waits for interrupts that no device of its own raises.
    fn has_lines(&self, board: &Board) -> bool {
        let others = self.others(board);
        self.project.assembly.objects.interrupts.iter().any(|interrupt| !others.contains(&interrupt.line))
    }

    /// What the plugin is told of them.
    fn inputs(&self, board: &Board) -> String {
        let others: Vec<_> = self.others(board).iter().map(u16::to_string).collect();
        format!(",controller={},others={}", board.controller, others.join("."))
    }

    /// What the plugin is told, as its settings in `sim/src/plugged/settings.rs` are read.
    fn arguments(&self, board: &Board, plugin: &Path) -> Result<String, BuildError> {
        let [_, report, socket] = FILES;
        let threads = self.project.assembly.threads.iter().enumerate();
        let drivers = threads.filter(|(_, thread)| matches!(thread.role, Role::Drivers));
        let drivers: Vec<_> = drivers.map(|(number, _)| number.to_string()).collect();
        let all = [
            file(plugin)?,
            format!("socket={socket},report={report}"),
            format!("window={}", environment(board)?.interval.base),
            format!("recording={},recorded={}", board.recording.base, board.recording.limit),
            format!("clock={},tick={}", board.count, board.tick.get()),
            format!("speed={},drivers={}", self.project.description.board.speed, drivers.join(".")),
            format!("end={},seed={}", self.end.ticks(), self.seed),
        ];
        Ok(all.join(",") + &in_memory(board.shared))
    }
}

/// The file of a plugin, as an option.
pub(super) fn file(plugin: &Path) -> Result<String, BuildError> {
    let Some(plugin) = plugin.to_str() else {
        let reason = format!("{} isn't a text; build in a folder with another name", plugin.display());
        return Err(failed("loading a plugin", &reason));
    };
    // A comma is written twice.
    Ok(format!("file={}", plugin.replace(',', ",,")))
}

/// A board's memory as a file.
pub(super) fn shared(memory: Interval) -> String {
    let length = memory.length().get();
    format!("memory-backend-file,id=world,mem-path={},size={length},share=on", FILES[0])
}

/// The options of an emulator whose memory is in that file.
pub(super) fn in_file(shared: &str) -> [&str; 4] {
    ["-object", shared, "-machine", "memory-backend=world"]
}

/// Where the plugin finds that memory, behind all else that it is told; nothing where it asks the emulator.
pub(super) fn in_memory(shared: Option<Interval>) -> String {
    shared.map(|memory| format!(",memory={},base={}", FILES[0], memory.base)).unwrap_or_default()
}
