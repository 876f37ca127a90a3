//! The measured systems, and running them.

use anyhow::{Context, Result};
use beryl_abi::Instant;
use beryl_builder::board::Board;
use beryl_builder::emulator::{self, Accesses};
use beryl_builder::image::Built;
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use beryl_builder::{Project, Variant, image};

use crate::console::Console;

/// The system for counting: `bench/system`.
pub const BENCH: &str = "bench/system";
/// The system that measures the kernel's objects.
pub const OBJECTS: &str = "bench/objects";
/// The system whose timer rings on each board.
pub const RINGS: &str = "bench/rings";
/// The system that measures critical sections.
pub const SECTIONS: &str = "bench/sections";
/// Thread-Metric's programs in C.
pub const METRIC: &str = "bench/metric";
/// The same over CMSIS-RTOS2.
pub const METRIC_CMSIS: &str = "bench/metric-cmsis";
/// Calls of CMSIS-RTOS2.
pub const CMSIS: &str = "bench/cmsis";
/// Calls of CMSIS-RTOS2 in which somebody waits.
pub const WAITS: &str = "bench/waits";
/// What crates of others are given.
pub const FACES: &str = "bench/faces";
/// The system that traces its events.
pub const TRACED: &str = "bench/traced";
/// The system whose process writes its events to a journal.
pub const JOURNAL: &str = "bench/journal";
/// The system whose process logs.
pub const LOGGED: &str = "bench/logged";
/// The helicopter with a trace buffer.
pub const DRAINED: &str = "bench/drained";
/// Threads that share objects, with a trace buffer.
pub const TELLING: &str = "examples/traced";
/// The system that compares ready queues.
pub const QUEUES: &str = "bench/queues";
/// The system that takes the steps of protocols for buffers.
pub const BUFFERS: &str = "bench/buffers";
/// The system that takes the steps of kernels with L4's rules.
pub const L4: &str = "bench/l4";
/// The system that works slack out.
pub const SLACK: &str = "bench/slack";
/// The system whose processes begin anew.
pub const RESTARTS: &str = "bench/restarts";
/// The system whose kernel is measured and bounded.
pub const HELICOPTER: &str = "examples/helicopter";
/// The system in which a process can be replaced while it runs.
pub const REPLACED: &str = "examples/graft";

/// The system that receives programs over a link.
pub const LANDING: &str = "examples/landing";

/// Nanoseconds of a million instructions under emulation, of 1024 ns each.
pub const MILLION: u64 = 1_024_000_000;

/// Loads a system from its folder.
pub fn load(folder: &str) -> Result<Project> {
    load_for(folder, None)
}

/// The same for a board, if not for the one that it is described for.
pub fn load_for(folder: &str, board: Option<&'static Board>) -> Result<Project> {
    let folder = root().join(folder);
    Project::load(&folder, Variant { board, ..Variant::default() })
        .with_context(|| format!("reading {}", folder.display()))
}

/// So many nanoseconds after the start of a board, in whole ticks of its clock.
pub fn after(board: &Board, nanoseconds: u64) -> Instant {
    Instant::from_ticks(nanoseconds / board.tick.get().max(1))
}

/// A system after its build and run.
pub struct Measured {
    /// The build.
    pub built: Built,
    /// Its output.
    pub console: Console,
    /// The end of the run, as passed to the emulator.
    pub window: Vec<u8>,
}

/// Builds a system, runs it on the emulated board for at most this many million instructions, and returns its
/// output.
pub fn run(project: &Project, workshop: &Workshop, millions: u64) -> Result<Console> {
    Ok(measured(project, workshop, millions)?.console)
}

/// The same with the build, for running it again.
pub fn measured(project: &Project, workshop: &Workshop, millions: u64) -> Result<Measured> {
    let name = &project.assembly.name;
    let board = project.description.board.board.value;
    let built = image::build(project, workshop, |_| ())?;
    let tick = board.tick.get();
    let end = after(board, millions.saturating_mul(MILLION));
    let window = Accesses::default().window_without_trace(board, end)?;
    let folder = workshop.folder(name).join("run");
    let run = emulator::run(board, &built.image, &window, project.description.board.speed, &folder)?;
    let console = Console::parse(&run.console, tick).with_context(|| format!("the run of {name}"))?;
    Ok(Measured { built, console, window })
}
