//! The simulation program of a system: built once, run as often as needed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, anyhow};
use beryl_abi::{Instant, ThreadId};
use beryl_builder::emulator::Accesses;
use beryl_builder::{Nodes, Project, simulate, statements};
use beryl_trace::Names;
use beryl_trace::log::Statements;

use super::frames::Frames;
use super::{Recipe, Simulated, plain};
use crate::command::times::Span;
use crate::console::{Console, Failure};
use crate::files::{Place, keep, keep_statements, workshop};
use crate::placed;

/// A program that has been built.
pub struct Program {
    path: PathBuf,
    place: Place,
    tick: u64,
    /// What its log statements say.
    statements: Statements,
}

/// The output of a run.
pub struct Raw {
    /// The records.
    pub trace: Vec<u8>,
    /// The values exchanged with the environment.
    pub accesses: Vec<u8>,
    /// The names of the system calls that were made, one a line.
    pub calls: String,
    /// Whether the environment was satisfied.
    pub well: bool,
    /// The environment's report at the end.
    pub report: String,
    /// The console's lines, each prefixed with a tick and a thread number.
    pub console: String,
    /// Where faults happened.
    pub places: String,
    /// Why the run ended early: a thread's code doesn't end.
    pub endless: Option<String>,
}

/// What came of a run of several nodes.
pub struct Together {
    /// Of each.
    pub nodes: Vec<Simulated>,
    /// What became of the frames of each.
    pub frames: Vec<Frames>,
    /// What became of each frame of the schedule, as [`beryl_abi::frame::Fate`] tells it.
    pub fates: String,
    /// How far apart their clocks were at most, in nanoseconds, if these drift.
    pub apart: Option<u64>,
}

impl Program {
    /// Builds the simulation program of a project; its runs leave their results at `place`.
    pub fn build(project: &Project, place: Place, console: &Console) -> Result<Program, Failure> {
        console.step("building the simulation");
        let path = simulate::build(project, &workshop())?;
        let folder = place.scratch();
        fs::create_dir_all(&folder).with_context(|| format!("can't create {}", folder.display()))?;
        let statements = statements::of_program(&path)?;
        Ok(Program { path, place, tick: project.tick().into(), statements })
    }

    /// Builds the simulation program of several nodes.
    pub fn of_nodes(nodes: &Nodes, place: Place, console: &Console) -> Result<Program, Failure> {
        console.step("building the simulation");
        let path = simulate::build_nodes(nodes, &workshop())?;
        let folder = place.scratch();
        fs::create_dir_all(&folder).with_context(|| format!("can't create {}", folder.display()))?;
        let tick = nodes.parts.first().map_or(1, |node| node.project.tick());
        let statements = statements::of_program(&path)?;
        Ok(Program { path, place, tick: tick.into(), statements })
    }

    /// Runs it, and keeps the results of each node at its own place.
    pub fn run_nodes(
        &self,
        recipe: &Recipe,
        nodes: &[(&str, &Names, Place)],
        options: &[String],
        console: &Console,
    ) -> Result<Together, Failure> {
        console.step("simulating");
        let output = self.command(recipe).args(options).output().with_context(|| self.unstartable())?;
        let one = |(name, names, place): &(&str, &Names, Place)| {
            self.keep_at(place, self.left_by(&output, Some(*name))?, names)
        };
        let nodes = nodes.iter().map(one).collect::<Result<_, Failure>>()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let apart = said.lines().find_map(|line| line.strip_prefix("clocks: ")?.parse().ok());
        let fates = said.lines().find_map(|line| line.strip_prefix("frames: ")).unwrap_or_default();
        let frames = said.lines().filter_map(Frames::read).collect();
        Ok(Together { nodes, frames, fates: fates.to_owned(), apart })
    }

    /// Runs it and keeps the results in `out/`.
    pub fn run(&self, recipe: &Recipe, names: &Names, console: &Console) -> Result<Simulated, Failure> {
        console.step("simulating");
        let output = self.command(recipe).output().with_context(|| self.unstartable())?;
        self.keep(self.left(&output)?, names)
    }

    /// Runs it.
    pub fn execute(&self, recipe: &Recipe) -> Result<Raw> {
        self.execute_with(recipe, &[])
    }

    /// Runs it with further options.
    pub fn execute_with(&self, recipe: &Recipe, options: &[String]) -> Result<Raw> {
        let output = self.command(recipe).args(options).output().with_context(|| self.unstartable())?;
        let raw = self.left(&output)?;
        match &raw.endless {
            None => Ok(raw),
            Some(reason) => Err(stopped(reason)),
        }
    }

    /// What its log statements say.
    pub fn statements(&self) -> &Statements {
        &self.statements
    }

    /// A file that is useless after the run.
    pub fn scratch(&self, name: &str) -> PathBuf {
        self.place.scratch().join(name)
    }

    fn unstartable(&self) -> String {
        format!("can't start {}", self.path.display())
    }

    fn files(&self) -> [PathBuf; 5] {
        ["trace.bin", "accesses.bin", "calls.txt", "console.txt", "places.txt"]
            .map(|name| self.place.scratch().join(name))
    }

    /// The program with the options of a run.
    pub fn command(&self, recipe: &Recipe) -> Command {
        let [trace, accesses, calls, console, places] = self.files();
        let ticks = recipe.length / self.tick.max(1);
        let mut command = simulate::command(&self.path);
        command.args(["--ticks", &ticks.to_string(), "--times", &recipe.times.option()]);
        command.args(["--costs", recipe.costs.name()]);
        command.args(["--seed", &recipe.seed.to_string(), "--plant-seed", &recipe.plant_seed.to_string()]);
        if let Some(until) = recipe.until {
            command.args(["--stop", until.name()]);
        }
        if !recipe.picks.is_empty() {
            let picks: Vec<_> = recipe.picks.iter().map(u8::to_string).collect();
            command.args(["--picks", &picks.join(".")]);
        }
        if !recipe.faults.is_empty() {
            command.args(["--faults", &recipe.faults.join(",")]);
        }
        if !recipe.chances.is_empty() {
            command.args(["--chances", &recipe.chances.join(",")]);
        }
        command.arg("--trace").arg(trace).arg("--accesses").arg(accesses);
        command.arg("--calls").arg(calls).arg("--console").arg(console).arg("--places").arg(places);
        command
    }

    /// Reads the output of a run.
    fn left(&self, output: &Output) -> Result<Raw> {
        self.left_by(output, None)
    }

    /// The same of one of several nodes, whose files have its name behind theirs.
    fn left_by(&self, output: &Output, node: Option<&str>) -> Result<Raw> {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let said = text(&output.stderr);
        let (well, endless) = match output.status.code() {
            Some(0) => (true, None),
            Some(1) => (false, None),
            Some(ENDLESS) => (false, Some(said.trim().trim_start_matches("error: ").to_owned())),
            _ => return Err(stopped(said.trim())),
        };
        let read = |path: PathBuf| {
            let path = match node {
                Some(node) => path.with_extension(format!("{}.{node}", extension(&path))),
                None => path,
            };
            fs::read(&path).with_context(|| format!("the simulation left no {}", path.display()))
        };
        let [trace, accesses, calls, console, places] = self.files();
        let [calls, console, places] = [text(&read(calls)?), text(&read(console)?), text(&read(places)?)];
        let report = text(&output.stdout);
        Ok(Raw {
            trace: read(trace)?,
            accesses: read(accesses)?,
            calls,
            well,
            report,
            console,
            places,
            endless,
        })
    }

    fn keep(&self, raw: Raw, names: &Names) -> Result<Simulated, Failure> {
        self.keep_at(&self.place, raw, names)
    }

    fn keep_at(&self, place: &Place, raw: Raw, names: &Names) -> Result<Simulated, Failure> {
        keep_statements(&place.file("trace"), &self.statements)?;
        Ok(Simulated {
            statements: self.statements.clone(),
            recorded: keep(place, names, &raw.trace)?,
            accesses: Accesses::parse(&raw.accesses)?,
            calls: raw.calls.lines().map(str::to_owned).collect(),
            places: placed::places(&raw.places, &self.path),
            endless: raw.endless,
            report: (raw.well, printed(&raw.console, names) + &raw.report),
            trace: raw.trace,
        })
    }
}

fn extension(path: &Path) -> &str {
    path.extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// The exit code of a simulation in which a thread's code doesn't end.
const ENDLESS: i32 = 5;

fn stopped(reason: &str) -> anyhow::Error {
    anyhow!("the simulation stopped: {reason}")
}

/// The console's lines with the instant at which each began and the thread that began it.
fn printed(console: &str, names: &Names) -> String {
    let line = |line: &str| {
        let (ticks, rest) = line.split_once(' ')?;
        let (thread, text) = rest.split_once(' ')?;
        let at = Instant::from_ticks(ticks.parse().ok()?);
        Some(crate::printed::line(at, ThreadId(thread.parse().ok()?), text, names))
    };
    console.lines().filter_map(line).collect()
}

/// A plain run with extra options that the caller starts itself, to talk to it.
pub struct Prepared {
    /// The program with its options.
    pub command: Command,
    program: Program,
}

impl Prepared {
    /// Builds the simulation program of a project.
    pub fn new(
        project: &Project,
        place: Place,
        span: Span,
        options: &[String],
        console: &Console,
    ) -> Result<Prepared, Failure> {
        let program = Program::build(project, place, console)?;
        let mut command = program.command(&plain(project, span));
        command.args(options);
        Ok(Prepared { command, program })
    }

    /// The message for a program that can't be started.
    pub fn unstartable(&self) -> String {
        self.program.unstartable()
    }

    /// Reads the results of the run.
    pub fn collect(&self, names: &Names, output: &Output) -> Result<Simulated, Failure> {
        // The session has already received the console output.
        let left = Raw { console: String::new(), ..self.program.left(output)? };
        if let Some(reason) = &left.endless {
            return Err(stopped(reason).into());
        }
        self.program.keep(left, names)
    }
}
