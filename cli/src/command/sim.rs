//! `beryl sim`: a run in virtual time.

mod frames;
mod inputs;
mod nodes;
mod program;
mod recipe;
mod search;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use beryl_abi::Instant;
use beryl_builder::description::Outputs;
use beryl_builder::emulator::Accesses;
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::{Project, Variant};
use beryl_trace::log::Statements;
use beryl_trace::statistics::FaultReport;
use beryl_trace::{Names, Statistics};

use crate::assertions::hold;
use crate::command::board::Chosen;
use crate::command::faults::fault::Fault;
use crate::command::times::{Span, Window};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::faulted::{self, Found};
use crate::files::{Place, Recorded, load, names_of, results};
use crate::lacked;
use crate::placed::Placed;
use crate::proof;
pub use inputs::{Costs, Times};
use inputs::{Ending, When};
pub use program::{Prepared, Program};
use recipe::first_difference;
pub use recipe::{Print, Recipe};
use search::Search;

/// The stem of this command's file names.
const NAME: &str = "sim";

/// Run a system in the simulator.
#[derive(clap::Args, Clone)]
#[command(after_help = "\
Examples:
  beryl sim examples/helicopter --times random --seed 7
  beryl sim examples/helicopter --costs worst                  each step of the kernel takes what the proof charges
  beryl sim examples/overload --unchecked --until violation    up to the first one
  beryl sim --replay out/helicopter/sim.run                    the same run again, compared to the byte
  beryl sim examples/engine --search seeds --tries 500         the first seed that fails
  beryl sim examples/engine --search times                     the shortest execution times that fail")]
pub struct Sim {
    /// The folder with the system's beryl.toml.
    #[arg(value_name = "FOLDER", required_unless_present = "replay")]
    folder: Option<PathBuf>,
    #[command(flatten)]
    chosen: Chosen,
    #[command(flatten)]
    span: Span,
    /// How long jobs and drivers take: worst, best, random, or so many thousandths of the way from best to worst.
    #[arg(long, default_value = "worst")]
    times: Times,
    /// How long each step of the kernel takes, up to what the proof charges for it.
    #[arg(long, value_enum, default_value_t)]
    costs: Costs,
    /// The seed of random execution times, and of random steps of the kernel.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The seed of the environment: noise and disturbances.
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    plant_seed: u64,
    /// When outputs become visible: an experiment.
    #[arg(long, value_enum)]
    outputs: Option<When>,
    /// End the run at the first of these.
    #[arg(long, value_enum, value_name = "WHAT")]
    until: Option<Ending>,
    /// Run it even if it isn't time-safe.
    #[arg(long)]
    unchecked: bool,
    /// Of a thousand frames between nodes, so many are lost.
    #[arg(long, default_value_t = 0, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    loss: u32,
    /// Of a thousand frames that aren't lost, so many arrive corrupt.
    #[arg(long, default_value_t = 0, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(0..=1000))]
    corrupt: u32,
    /// Clocks of nodes are up to so many parts per million too fast or too slow, as the seed says [as described].
    #[arg(long, value_name = "PPM", value_parser = clap::value_parser!(u32).range(0..=10_000))]
    drift: Option<u32>,
    /// Something that goes wrong on purpose; `beryl faults --help` says what can.
    #[arg(long, value_name = "FAULT")]
    fault: Vec<Fault>,
    /// Repeat a run from the sim.run that it left, and compare the traces to the byte.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["folder", "board", "length", "times", "costs", "seed", "plant_seed", "outputs", "until", "unchecked", "search", "fault"])]
    replay: Option<PathBuf>,
    /// Search for the smallest seed, or the shortest execution times, with which something goes wrong.
    #[arg(long, value_enum)]
    search: Option<Search>,
    /// How many seeds are tried.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    tries: u64,
    /// Show the timeline of this window.
    #[command(flatten)]
    pub window: Window,
}

/// A simulated run.
pub struct Simulated {
    /// The decoded run.
    pub recorded: Recorded,
    /// The values exchanged with the environment.
    pub accesses: Accesses,
    /// The names of the system calls that were made.
    pub calls: Vec<String>,
    /// Whether the environment was satisfied at the end, and its report.
    pub report: (bool, String),
    /// Where faults happened.
    pub places: Vec<Placed>,
    /// Why the run ended early: a thread's code doesn't end.
    pub endless: Option<String>,
    /// What its log statements say.
    pub statements: Statements,
    /// The raw records.
    trace: Vec<u8>,
}

impl Simulated {
    /// The raw records.
    pub fn trace(&self) -> &[u8] {
        &self.trace
    }

    /// Where a fault happened.
    fn place(&self, fault: &FaultReport, names: &Names) -> Option<Found> {
        let is_it = |placed: &&Placed| {
            names.tick.logical(placed.at) == fault.time && names.thread(placed.thread) == fault.thread
        };
        self.places.iter().find(is_it).map(|placed| placed.found.clone())
    }

    /// Why the run ended early, and where the code is that doesn't end.
    pub fn endless(&self, console: &Console) -> bool {
        let Some(reason) = &self.endless else { return false };
        console.say(format_args!("the simulation ended early: {reason}"));
        let mut told = serde_json::json!({ "endless": reason });
        if let Some(placed) = self.places.last() {
            faulted::say(&placed.found, console);
            placed.found.tell_into(&mut told);
        }
        console.object(&told);
        true
    }
}

impl Sim {
    /// Simulates and prints.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let recipe = match &self.replay {
            Some(file) => Recipe::read(file)?,
            None => self.recipe()?,
        };
        let outputs = recipe.outputs.map(|when| match when {
            When::Let => Outputs::Let,
            When::Completion => Outputs::Completion,
        });
        let variant = Variant { outputs, board: recipe.board()?, node: self.chosen.node };
        if let Some(system) = crate::nodes::described(&recipe.folder, variant, console)? {
            return Ok(ExitCode::from(self.simulate_nodes(&recipe, &system, console)?));
        }
        let of_bus = self.of_bus();
        if let Some((option, _)) = of_bus.iter().find(|(_, count)| *count > 0) {
            return Err(super::run::without_bus(option).into());
        }
        let project = load(&recipe.folder, variant, console)?;
        if !recipe.unchecked && !proof::allows("sim", &project, console) {
            return Ok(ExitCode::from(REFUSED));
        }
        let mut recipe = recipe;
        for fault in &self.fault {
            recipe.faults.extend(fault.for_program(&project)?);
        }
        let names = names_of(&project)?;
        if let Some(search) = self.search {
            return Ok(ExitCode::from(self.search(search, recipe, &project, &names, console)?));
        }
        // The run may lie beside the recorded trace, so read that before it is overwritten.
        let recorded = self.replay.as_ref().and_then(|file| std::fs::read(file.with_extension("trace")).ok());
        let recorded = recorded.map(|file| beryl_trace::file::records(&file));
        let place = Place::of(&project, NAME);
        let simulated = Program::build(&project, place, console)?.run(&recipe, &names, console)?;
        let kept = Recipe { trace: Print::of(&simulated.trace), ..recipe.clone() };
        kept.keep(&Place::of(&project, NAME).file("run"))?;
        let code = self.show(&recipe, &project, &names, &simulated, console)?;
        match &self.replay {
            None => Ok(ExitCode::from(code)),
            Some(_) => Ok(ExitCode::from(compare(&recipe, recorded.as_deref(), &simulated, &names, console))),
        }
    }

    /// The options about the bus and the clocks between nodes.
    fn of_bus(&self) -> [(&'static str, u32); 3] {
        [("--loss", self.loss), ("--corrupt", self.corrupt), ("--drift", self.drift.unwrap_or(0))]
    }

    /// The recipe for the options on the command line.
    fn recipe(&self) -> anyhow::Result<Recipe> {
        Ok(Recipe {
            folder: self.folder.clone().ok_or_else(|| anyhow!("which system? name its folder"))?,
            length: self.span.length.get(),
            times: self.times,
            costs: self.costs,
            seed: self.seed,
            plant_seed: self.plant_seed,
            board: self.chosen.board.map(|board| board.name.to_owned()),
            outputs: self.outputs,
            until: self.until,
            unchecked: self.unchecked,
            ..Recipe::of(&PathBuf::new())
        })
    }

    /// Prints a summary of a run and keeps its recipe.
    fn show(
        &self,
        recipe: &Recipe,
        project: &Project,
        names: &Names,
        simulated: &Simulated,
        console: &Console,
    ) -> Result<u8, Failure> {
        let place = Place::of(project, NAME);
        let statistics = Statistics::of(&simulated.recorded.events, names);
        let (well, report) = &simulated.report;
        console.title("Simulation");
        report.lines().for_each(|line| console.say(format_args!("  {line}")));
        console.say(format_args!(
            "  {} sensor values, {} actuator writes -> {}",
            simulated.recorded.recording.sensors.len(),
            simulated.recorded.recording.actuators.len(),
            place.file("recording").display()
        ));
        console.say(format_args!("  {}", recipe.costs.in_words()));
        console.title("Statistics");
        console.say(statistics.to_string().trim_end());
        let place = |fault: &FaultReport| simulated.place(fault, names);
        faulted::tell(project, names, &statistics.faults, place, console);
        lacked::tell(&statistics.lacked, console);
        super::trace::violations(names, &simulated.recorded.events, console);
        let json = serde_json::to_value(&statistics).context("statistics")?;
        console.object(&serde_json::json!({
            "simulation": report.trim_end(), "well": well, "costs": recipe.costs.name(), "statistics": json,
        }));
        let length = Span { length: Nanoseconds::new(recipe.length) };
        let end = if recipe.until.is_none() { end(project, length) } else { Instant::START };
        let window = (self.window, end);
        super::trace::timeline(names, &simulated.recorded.events, window, &results(project), console)?;
        let held = hold(&names.assertions, "sim", &simulated.recorded.events, names, console)?;
        let is_endless = simulated.endless(console);
        let tally = statistics.tally();
        console.say(format_args!("{}: {tally}", names.system));
        console.object(&serde_json::json!(tally));
        Ok(if !is_endless && *well && tally.is_well() && held { WELL } else { REFUSED })
    }
}

/// Reports whether a repeated run gave the same trace.
fn compare(
    recipe: &Recipe,
    recorded: Option<&[u8]>,
    simulated: &Simulated,
    names: &Names,
    console: &Console,
) -> u8 {
    let print = Print::of(&simulated.trace);
    let is_same = print == recipe.trace;
    console.object(&serde_json::json!({ "replayed": is_same, "recorded": recipe.trace, "now": print }));
    if is_same {
        console.say(format_args!(
            "replayed: the same trace to the byte, {} bytes, checksum {:08x}",
            print.bytes, print.crc32
        ));
        return WELL;
    }
    console.say(format_args!(
        "replayed: another trace, {} bytes with checksum {:08x} instead of {} with {:08x}; has the system changed since?",
        print.bytes, print.crc32, recipe.trace.bytes, recipe.trace.crc32
    ));
    // Only the trace that the recipe names can be compared.
    if let Some(recorded) = recorded.filter(|recorded| Print::of(recorded) == recipe.trace) {
        console.say(format_args!("  {}", first_difference(recorded, &simulated.trace, names)));
    }
    REFUSED
}

/// Builds and runs the simulation program of a project with the longest execution times.
pub fn simulate(
    project: &Project,
    place: Place,
    names: &Names,
    span: Span,
    console: &Console,
) -> Result<Simulated, Failure> {
    let simulated =
        Program::build(project, place.clone(), console)?.run(&plain(project, span), names, console)?;
    let kept = place.file("trace");
    match simulated.endless(console) {
        true => Err(anyhow!("what came before is in {}", kept.display()).into()),
        false => Ok(simulated),
    }
}

/// A run without any options: jobs take their longest times.
pub fn plain(project: &Project, span: Span) -> Recipe {
    Recipe { length: span.length.get(), ..Recipe::of(&project.folder) }
}

/// The instant at which a run ends.
pub fn end(project: &Project, span: Span) -> Instant {
    Instant::START.after(span.length.rounded_down(project.description.board.board.tick))
}
