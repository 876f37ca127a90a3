//! `beryl sim`: a run in virtual time.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Output};

use anyhow::{Context, anyhow};
use beryl_abi::Instant;
use beryl_builder::description::Outputs;
use beryl_builder::emulator::Accesses;
use beryl_builder::{Project, Variant, simulate};
use beryl_trace::{Names, Statistics};
use clap::ValueEnum;

use crate::SystemFolder;
use crate::command::times::{Span, Window};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Recorded, keep, names_of, results, workshop};
use crate::proof;

/// Run a system in the simulator.
#[derive(clap::Args, Clone)]
#[command(after_help = "Example:\n  beryl sim examples/helicopter --times random --seed 7")]
pub struct Sim {
    #[command(flatten)]
    system: SystemFolder,
    #[command(flatten)]
    span: Span,
    /// How long jobs and drivers take, within the bounds of the description.
    #[arg(long, value_enum, default_value_t = Times::Worst)]
    times: Times,
    /// The seed of random execution times.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The seed of the environment: noise and disturbances.
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    plant_seed: u64,
    /// When outputs become visible: an experiment.
    #[arg(long, value_enum)]
    outputs: Option<When>,
    /// Run it even if it isn't time-safe.
    #[arg(long)]
    unchecked: bool,
    /// Show the timeline of this window.
    #[command(flatten)]
    pub window: Window,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Times {
    /// The longest.
    Worst,
    /// The shortest.
    Best,
    /// Anything between, drawn with the seed.
    Random,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// At the end of the logical execution time.
    Let,
    /// When the job completes.
    Completion,
}

/// A simulated run.
pub struct Simulated {
    /// What happened.
    pub recorded: Recorded,
    /// What was exchanged with the environment.
    pub accesses: Accesses,
    /// What the environment said at the end, and whether all was well.
    pub report: (bool, String),
}

impl Sim {
    /// Simulates and prints.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let outputs = self.outputs.map(|when| match when {
            When::Let => Outputs::Let,
            When::Completion => Outputs::Completion,
        });
        let project = Project::load(&self.system.folder, Variant { outputs })?;
        if !self.unchecked && !proof::allows("sim", &project, console) {
            return Ok(ExitCode::from(REFUSED));
        }
        let names = names_of(&project)?;
        let options = self.options();
        let simulated = simulate(&project, &names, self.span, &options, console)?;
        Ok(ExitCode::from(self.show(&project, &names, &simulated, console)?))
    }

    fn options(&self) -> Vec<String> {
        let times = match self.times {
            Times::Worst => "worst",
            Times::Best => "best",
            Times::Random => "random",
        };
        let numbers = [self.seed.to_string(), self.plant_seed.to_string()];
        let [seed, plant_seed] = numbers;
        ["--times", times, "--seed", &seed, "--plant-seed", &plant_seed].map(str::to_owned).to_vec()
    }

    fn show(
        &self,
        project: &Project,
        names: &Names,
        simulated: &Simulated,
        console: &Console,
    ) -> Result<u8, Failure> {
        let statistics = Statistics::of(&simulated.recorded.events, names);
        let (well, report) = &simulated.report;
        console.title("Simulation");
        report.lines().for_each(|line| console.say(format_args!("  {line}")));
        console.say(format_args!(
            "  {} sensor values, {} actuator writes -> {}",
            simulated.recorded.recording.sensors.len(),
            simulated.recorded.recording.actuators.len(),
            results(project).join("sim.recording").display()
        ));
        console.title("Statistics");
        console.say(statistics.to_string().trim_end());
        super::trace::violations(names, &simulated.recorded.events, console);
        let json = serde_json::to_value(&statistics).context("statistics")?;
        console.object(
            &serde_json::json!({ "simulation": report.trim_end(), "well": well, "statistics": json }),
        );
        super::trace::timeline(names, &simulated.recorded.events, self.window, &results(project), console)?;
        let trouble = statistics.failures() > 0 || !statistics.faults.is_empty();
        Ok(if *well && !trouble { WELL } else { REFUSED })
    }
}

/// Builds and runs the simulation program of a project.
pub fn simulate(
    project: &Project,
    names: &Names,
    span: Span,
    options: &[String],
    console: &Console,
) -> Result<Simulated, Failure> {
    let mut prepared = Prepared::new(project, span, options, console)?;
    console.step("simulating");
    let output = prepared.command.output().with_context(|| prepared.unstartable())?;
    prepared.collect(project, names, &output)
}

/// A simulation program that is ready to be started.
pub struct Prepared {
    /// It, with its options.
    pub command: Command,
    program: PathBuf,
    trace: PathBuf,
    accesses: PathBuf,
}

impl Prepared {
    /// Builds the simulation program of a project.
    pub fn new(
        project: &Project,
        span: Span,
        options: &[String],
        console: &Console,
    ) -> Result<Prepared, Failure> {
        console.step("building the simulation");
        let program = simulate::build(project, &workshop())?;
        let folder = results(project).join("sim");
        fs::create_dir_all(&folder).with_context(|| format!("can't create {}", folder.display()))?;
        let (trace, accesses) = (folder.join("trace.bin"), folder.join("accesses.bin"));
        let mut command = simulate::command(&program);
        command.args(["--ticks", &end(project, span).ticks().to_string()]).args(options);
        command.arg("--trace").arg(&trace).arg("--accesses").arg(&accesses);
        Ok(Prepared { command, program, trace, accesses })
    }

    /// What to say if it can't be started.
    pub fn unstartable(&self) -> String {
        format!("can't start {}", self.program.display())
    }

    /// What the run has left.
    pub fn collect(&self, project: &Project, names: &Names, output: &Output) -> Result<Simulated, Failure> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let well = match output.status.code() {
            Some(0) => true,
            Some(1) => false,
            _ => return Err(anyhow!("the simulation stopped: {}", text(&output.stderr).trim()).into()),
        };
        let read = |path: &PathBuf| {
            fs::read(path).with_context(|| format!("the simulation left no {}", path.display()))
        };
        Ok(Simulated {
            recorded: keep(project, names, "sim", &read(&self.trace)?)?,
            accesses: Accesses::parse(&read(&self.accesses)?)?,
            report: (well, text(&output.stdout)),
        })
    }
}

/// The instant at which a run ends.
pub fn end(project: &Project, span: Span) -> Instant {
    Instant::START.after(span.length.rounded_down(project.description.board.board.tick))
}
