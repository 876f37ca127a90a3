//! `beryl run`: a run on the emulated board, or of several nodes on theirs, compared with the simulation.

mod nodes;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use beryl_builder::emulator::{Core, Live, Outcome, Report, Wire};
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::{BuildError, Nodes, Project, emulator, image, plugged};
use beryl_trace::crashes::crashes;
use beryl_trace::statistics::Tally;
use beryl_trace::{Comparison, Names, Statistics, compare};

use crate::SystemFolder;
use crate::assertions::hold;
use crate::command::board::Chosen;
use crate::command::sim::{Simulated, end, plain, simulate};
use crate::command::times::{Span, Window, span};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::faulted;
use crate::files::{Place, Recorded, keep, keep_statements, load, names_of, results, workshop};
use crate::lacked;
use crate::printed;
use crate::proof;

/// Run a system on an emulated board and compare it with its simulation.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl run examples/helicopter --board mps2-an385 --for 2s
  beryl run examples/helicopter --live                        the plant flies with the board, not with the simulation
  beryl run examples/ethernet --network /tmp/wire             a program of yours is at the other end of the wire
  beryl run examples/formation --loss 100 --corrupt 50        a board for each node, and a bus that loses and spoils frames")]
pub struct Run {
    #[command(flatten)]
    system: SystemFolder,
    #[command(flatten)]
    chosen: Chosen,
    /// Emulated speed, if not the description's: one instruction takes 2^SPEED ns.
    #[arg(long, value_parser = clap::value_parser!(u8).range(0..=10))]
    speed: Option<u8>,
    /// Run it even if it isn't time-safe.
    #[arg(long)]
    unchecked: bool,
    /// The environment answers while the board runs, instead of a recording of the simulation.
    #[arg(long)]
    live: bool,
    /// The board's network is this Unix socket, on which another program listens: each frame with its length before it, in
    /// four bytes, the highest first.
    #[arg(long, value_name = "SOCKET", conflicts_with = "live")]
    network: Option<PathBuf>,
    /// Of a thousand frames between nodes, so many are lost, in the simulation and between the boards.
    #[arg(long, default_value_t = 0, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    loss: u32,
    /// Of a thousand frames that aren't lost, so many arrive corrupt, in the simulation and between the boards.
    #[arg(long, default_value_t = 0, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    corrupt: u32,
    /// The seed of lost and of corrupt frames.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How long the run is, in virtual time [10s, or 1s where emulated boards have several cores, which take turns].
    #[arg(long = "for", value_name = "TIME", value_parser = span)]
    length: Option<Nanoseconds>,
    #[command(flatten)]
    window: Window,
}

/// How long runs are of which nothing is said: with several cores in one emulator a second takes twenty of the host's.
const LONG: Nanoseconds = Nanoseconds::new(10_000_000_000);
const SHORT: Nanoseconds = Nanoseconds::new(1_000_000_000);

impl Run {
    /// Simulates, builds, boots, compares.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let variant = self.chosen.variant();
        if let Some(system) = crate::nodes::described(&self.system.folder, variant, console)? {
            return self.run_nodes(&system, console);
        }
        self.refuse_without_bus()?;
        let project = load(&self.system.folder, variant, console)?;
        let board = project.description.board.board.value;
        let project = self.speed.map_or_else(|| project.clone(), |speed| project.at_speed(speed));
        if !self.unchecked && !proof::allows("run", &project, console) {
            return Ok(ExitCode::from(REFUSED));
        }
        let wire = self.network.as_deref().map(|path| Wire::to(board, path)).transpose()?;
        emulator::require(board, format_args!("not run on {}", board.name))?;
        let names = names_of(&project)?;
        let twin = Place::of(&project, format!("{}.sim", board.name));
        let simulated = simulate(&project, twin, &names, self.span(), console)?;
        let place = Place::of(&project, board.name);
        let way = match &wire {
            Some(wire) => Way::OnWire(wire),
            None if self.live => Way::Live,
            None => Way::Recorded,
        };
        let left = on_board(&project, &place, &names, self.span(), &simulated, way, console)?;
        let Shown { tally, is_well } = self.show(&project, &names, &left, self.span(), console)?;
        let recorded = left.recorded;
        let name = &project.assembly.name;
        match compare(&simulated.recorded.recording, &recorded.recording) {
            Comparison::Equal { actuators, .. } => {
                console.say(format_args!(
                    "{name}: {actuators} actuator writes, identical on sim and {}; {tally}",
                    board.name,
                ));
                console.object(&identical(actuators, tally));
                Ok(ExitCode::from(if is_well { WELL } else { REFUSED }))
            }
            Comparison::Different(difference) => {
                let words = difference.in_words("sim", board.name, &names);
                console.say(format_args!("{name}: sim and {} differ\n{words}", board.name));
                console.object(&serde_json::json!({ "identical": false, "difference": words }));
                Ok(ExitCode::from(REFUSED))
            }
        }
    }
}

impl Run {
    fn span(&self) -> Span {
        Span { length: self.length.unwrap_or(LONG) }
    }

    /// The same of a system whose boards may have several cores.
    fn span_of(&self, system: &Nodes) -> Span {
        let has_cores = system.parts.iter().any(|part| part.core_of.is_some()) || system.word() == "core";
        Span { length: self.length.unwrap_or(if has_cores { SHORT } else { LONG }) }
    }

    /// Between processes of one machine there are no frames.
    fn refuse_without_bus(&self) -> anyhow::Result<()> {
        let of_bus = [("--loss", self.loss), ("--corrupt", self.corrupt)];
        match of_bus.iter().find(|(_, count)| *count > 0) {
            Some((option, _)) => Err(without_bus(option)),
            None => Ok(()),
        }
    }

    /// Prints what a board has done, and what is to be said of it.
    fn show(
        &self,
        project: &Project,
        names: &Names,
        left: &Left,
        span: Span,
        console: &Console,
    ) -> Result<Shown, Failure> {
        let board = project.description.board.board.value;
        let Left { said, recorded, report } = left;
        console.title(format_args!("On {}", board.name));
        said.lines().for_each(|line| console.say(format_args!("  {line}")));
        if let Some((_, report)) = report {
            report.lines().for_each(|line| console.say(format_args!("  {line}")));
        }
        let is_satisfied = report.as_ref().is_none_or(|(is_satisfied, _)| *is_satisfied);
        let statistics = Statistics::of(&recorded.events, names);
        console.say(statistics.to_string().trim_end());
        let crashes = crashes(&recorded.events);
        let place = |fault: &_| faulted::on_board(project, names, &crashes, fault);
        faulted::tell(project, names, &statistics.faults, place, console);
        lacked::tell(&statistics.lacked, console);
        crate::crashed::tell(project, names, &recorded.events, console);
        super::trace::violations(names, &recorded.events, console);
        let window = (self.window, end(project, span));
        super::trace::timeline(names, &recorded.events, window, &results(project), console)?;
        let json = serde_json::to_value(&statistics).context("statistics")?;
        console.object(&serde_json::json!({ "board": board.name, "statistics": json }));
        let held = hold(&names.assertions, board.name, &recorded.events, names, console)?;
        let tally = statistics.tally();
        Ok(Shown { tally, is_well: tally.is_well() && held && is_satisfied })
    }
}

/// What was said of a board's run.
struct Shown {
    tally: Tally,
    is_well: bool,
}

/// What is asked of a bus where there is none.
pub fn without_bus(option: &str) -> anyhow::Error {
    anyhow!("`{option}` is about frames between nodes, and nothing crosses here; leave it out")
}

/// The last line of the output as JSON.
pub fn identical(actuators: usize, tally: Tally) -> serde_json::Value {
    let mut said = serde_json::json!(tally);
    (said["identical"], said["actuator_writes"]) = (true.into(), actuators.into());
    said
}

/// Where the sensor values come from.
#[derive(Clone, Copy)]
pub enum Way<'a> {
    /// From the simulation's recording.
    Recorded,
    /// From there, and frames over a wire.
    OnWire(&'a Wire),
    /// From the environment, while the board runs.
    Live,
}

/// What a board's run left.
pub struct Left {
    /// Its console output.
    said: String,
    /// What happened.
    pub recorded: Recorded,
    /// Whether the environment was satisfied, and its report, if it was there.
    report: Option<Report>,
}

/// Builds the image and runs it on the emulated board.
pub fn on_board(
    project: &Project,
    place: &Place,
    names: &Names,
    span: Span,
    simulated: &Simulated,
    way: Way<'_>,
    console: &Console,
) -> Result<Left, Failure> {
    let board = project.description.board.board.value;
    let built = image::build(project, &workshop(), |step| console.step(step))?;
    let (accesses, end) = (&simulated.accesses, end(project, span));
    let (run, report) = match way {
        Way::Recorded | Way::OnWire(_) => {
            console.step(format_args!("running on {}", board.name));
            let (window, speed) = (accesses.window(board, end)?, project.description.board.speed);
            let (image, scratch) = (&built.image, place.scratch());
            let run = match way {
                Way::OnWire(wire) => emulator::run_on_wire(board, image, &window, speed, &scratch, wire),
                _ if board.has_kernel_apart() => on_both(project, image, window, speed, &scratch),
                _ => emulator::run(board, image, &window, speed, &scratch),
            };
            (run?, None)
        }
        Way::Live => {
            console.step("building the environment for the emulator");
            let plugin = plugged::build(project, &workshop())?;
            console.step(format_args!("running on {}, with its environment", board.name));
            let live = Live { project, plugin, end, seed: plain(project, span).plant_seed };
            let (run, report) = live.run(&built, &accesses.live_window(board, end)?, &place.scratch())?;
            (run, Some(report))
        }
    };
    keep_statements(&place.file("trace"), &built.statements)?;
    left_by(run, report, place, names)
}

/// Runs a system whose kernel has a processor of its own: both take turns.
fn on_both(
    project: &Project,
    image: &Path,
    window: Vec<u8>,
    speed: u8,
    scratch: &Path,
) -> Result<Outcome, BuildError> {
    let turns = plugged::build_turns_of_both(project, &workshop())?;
    let (board, name) = (project.description.board.board.value, &project.assembly.name);
    let core = Core { number: 0, name, board, image: image.to_owned(), window, speaks: true };
    emulator::alone_on_one_board(core, speed, &turns, scratch)
}

/// Keeps what an emulated board has left.
fn left_by(run: Outcome, report: Option<Report>, place: &Place, names: &Names) -> Result<Left, Failure> {
    let recorded = keep(place, names, &run.trace)?;
    // An emulator that was built without its log gives no times.
    let said = match run.spoken.is_empty() {
        true => run.console,
        false => printed::of_board(&run.spoken, &recorded.events, names),
    };
    Ok(Left { said, recorded, report })
}
