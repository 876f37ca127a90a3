//! A run in which the environment answers while the board runs: it is loaded into the emulator as a plugin.

use std::path::{Path, PathBuf};

use beryl_abi::Instant;

use super::{Outcome, Serial, boot, environment, failed, spoken};
use crate::assembly::Role;
use crate::board::World;
use crate::error::BuildError;
use crate::image::Built;
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
        let world = world(board)?;
        let awake = built.awake.as_ref().filter(|_| self.has_lines(board));
        let inputs = awake.map(|_| self.inputs(board, world)).unwrap_or_default();
        let [memory, plugin] = [shared(world), self.arguments(board, world, &plugin)? + &inputs];
        let orders = format!("unix:{},server=on,wait=off", FILES[2]);
        let options = ["-object", &memory, "-machine", "memory-backend=world", "-plugin", &plugin];
        let for_lines = ["-qtest", &orders, "-qtest-log", "none"].into_iter().filter(|_| awake.is_some());
        let options: Vec<&str> = options.into_iter().chain(for_lines).chain(spoken::OPTIONS).collect();
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
    fn inputs(&self, board: &Board, world: &World) -> String {
        let others: Vec<_> = self.others(board).iter().map(u16::to_string).collect();
        format!(",socket={},controller={},others={}", FILES[2], world.controller, others.join("."))
    }

    /// What the plugin is told, as its settings in `sim/src/plugged/settings.rs` are read.
    fn arguments(&self, board: &Board, world: &World, plugin: &Path) -> Result<String, BuildError> {
        let [memory, report, _] = FILES;
        let threads = self.project.assembly.threads.iter().enumerate();
        let drivers = threads.filter(|(_, thread)| matches!(thread.role, Role::Drivers));
        let drivers: Vec<_> = drivers.map(|(number, _)| number.to_string()).collect();
        let all = [
            file(plugin)?,
            format!("memory={memory},report={report}"),
            format!("base={},window={}", world.memory.base, environment(board)?.interval.base),
            format!("recording={},recorded={}", board.recording.base, board.recording.limit),
            format!("clock={},tick={}", board.count, board.tick.get()),
            format!("speed={},drivers={}", self.project.description.board.speed, drivers.join(".")),
            format!("end={},seed={}", self.end.ticks(), self.seed),
        ];
        Ok(all.join(","))
    }
}

/// What a program beside the emulator can reach of a board.
///
/// # Errors
/// The emulator shares no memory of it.
pub fn world(board: &Board) -> Result<&World, BuildError> {
    board.world.as_ref().ok_or_else(|| BuildError::Limit {
        message: format!(
            "board {}: its environment can't answer while it runs: the emulator shares no memory of this board with it",
            board.name
        ),
        proposal:
            "leave `--live` out: it gets what the environment said in the simulation; or take another board"
                .to_owned(),
    })
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

/// The board's memory as a file.
pub(super) fn shared(world: &World) -> String {
    let length = world.memory.length().get();
    format!("memory-backend-file,id=world,mem-path={},size={length},share=on", FILES[0])
}
