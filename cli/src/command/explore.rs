//! `beryl explore`: everything that execution times and interrupts can do to a small system.

mod branches;
mod interrupt;
mod search;
mod session;
mod violation;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use beryl_abi::{DriverId, ThreadId};
use beryl_builder::assembly::Role;
use beryl_builder::description::Assertions;
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::{BuildError, Project};
use beryl_trace::assertion::{Assertion, Point, Stated};
use beryl_trace::{Names, SignalId, Signals};
use serde_json::json;

use crate::command::board::ChosenNode;
use crate::command::sim::{Print, Program, Recipe, Times};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, keep, keep_statements, load, names_of};
use branches::Order;
use interrupt::MayCome;
use search::{Bounds, Found, Search, Searched};
use session::Session;

/// The stem of this command's file names.
const NAME: &str = "explored";

/// Explore all runs of a small system: every execution time and interrupt that may come, on the real kernel.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl explore examples/helicopter --for 100ms                        is anything violated in any run?
  beryl explore small --for 50ms --between 2                           with two times between worst and best
  beryl explore examples/engine --for 4ms --interrupt crank@1ms,2ms    each of these may come or not
  beryl explore examples/engine --for 10ms --within 60s                as far as one gets in a minute

Looked for are misses, violations, faults, overruns, stray interrupts, and the description's assertions. The run that
violates something earliest is left as out/SYSTEM/explored.trace; `beryl sim --replay out/SYSTEM/explored.run` repeats it.
It exits with 1 if something is violated. `complete` says whether all states were visited.

Threads may keep something from one call to the next, so their systems' states aren't compared: each run is another one, and few
systems have few enough of them. Then those runs come first in which the fewest picks are others than the first, which is the
longest time for a job, all of it at its end, and no interrupt. How far that came is said.")]
pub struct Explore {
    /// The folder with the system's beryl.toml.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    chosen: ChosenNode,
    /// How long the runs are, in virtual time.
    #[arg(long = "for", value_name = "TIME", default_value = "100ms", value_parser = crate::command::times::span)]
    length: Nanoseconds,
    /// How many states are visited at most.
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    states: u64,
    /// How long to look for, on this machine's clock, at most.
    #[arg(long, value_name = "TIME", value_parser = crate::command::times::span)]
    within: Option<Nanoseconds>,
    /// How many execution times there are between worst and best for each job and driver.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    between: u8,
    /// An interrupt that may come at each of these times, or not.
    #[arg(long, value_name = "NAME@TIME,TIME...")]
    interrupt: Vec<MayCome>,
    /// Compare states although there are threads: they keep nothing but in ports and objects from one call to the next.
    #[arg(long)]
    merge: bool,
    /// The seed of the environment.
    #[arg(long, default_value_t = 1, value_name = "SEED")]
    plant_seed: u64,
    /// A file with assertions that shall hold as well.
    #[arg(long, value_name = "FILE")]
    assertions: Option<PathBuf>,
}

impl Explore {
    /// Explores, and keeps the run with the earliest violation.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = load(&self.folder, self.chosen.variant(), console)?;
        let names = names_of(&project)?;
        let stated = self.stated(&names, console)?;
        let recipe = self.recipe(&project)?;
        let program = Program::build(&project, Place::of(&project, NAME), console)?;
        let merges = self.merge || !has_threads(&project);
        let mut options = vec!["--explore".to_owned(), if merges { "merge" } else { "all" }.to_owned()];
        let keep = kept(&stated, &names)?;
        if !keep.is_empty() {
            options.extend(["--keep".to_owned(), keep.join(",")]);
        }
        let mut session = Session::start(program.command(&recipe).args(options))?;
        let ticks = self.length.get() / u64::from(project.tick()).max(1);
        let within = self.within.map(|within| Duration::from_nanos(within.get()));
        let bounds = Bounds { ticks, states: self.states, within };
        let order = if merges { Order::Deepest } else { Order::Plainest };
        console.step(format_args!("exploring {}", project.assembly.name));
        let searched = Search::new(&mut session, (bounds, order), &stated, &names, console).run()?;
        let end = searched.found.is_none();
        self.show(&searched, merges, console);
        if let Some(found) = searched.found {
            leave(found, recipe, &program, &project, &names, console)?;
        }
        Ok(ExitCode::from(if end { WELL } else { REFUSED }))
    }

    /// What must hold: the assertions of the description and those of the file.
    fn stated(&self, names: &Names, console: &Console) -> Result<Vec<Stated>, Failure> {
        let mut stated = names.assertions.clone();
        if let Some(file) = &self.assertions {
            let more = Assertions::load(file).and_then(|more| more.about(names));
            stated.extend(more.map_err(BuildError::Description)?);
        }
        // A module's new mode shows one instant later, after the states have been compared.
        for left in stated.iter().filter(|stated| stated.mode.is_some()) {
            console.warn(format_args!(
                "[assert.{}] names a mode and isn't explored; `beryl sim` holds it against single runs",
                left.name
            ));
        }
        stated.retain(|stated| stated.mode.is_none());
        Ok(stated)
    }

    fn recipe(&self, project: &Project) -> Result<Recipe, Failure> {
        let mut chances = Vec::new();
        for interrupt in &self.interrupt {
            chances.extend(interrupt.chances(project)?);
        }
        Ok(Recipe {
            length: self.length.get(),
            times: Times::Chosen(self.between),
            plant_seed: self.plant_seed,
            chances,
            ..Recipe::of(&self.folder)
        })
    }

    fn show(&self, searched: &Searched, merges: bool, console: &Console) {
        let Searched { states, runs, complete, plain, found, speed } = searched;
        console.title("Explored");
        let compared = if merges { "" } else { ", not compared, since its threads may keep something" };
        console.say(format_args!("  {states} states{compared}, in {runs} runs; {speed} states a second"));
        match (found, complete) {
            (None, true) => {
                console.say(format_args!("  nothing is violated in any run of {}", self.length));
            }
            (None, false) => console.say(format_args!(
                "  nothing was violated so far; there are more runs of {} than {states} states: allow more with `--states` or \
                 `--within`, or shorten them with `--for`",
                self.length
            )),
            (Some(found), _) => {
                console.say(format_args!("  violated: {}", found.what));
                let first = if *complete { "no run violates anything earlier" } else { "not all runs were tried" };
                console.say(format_args!("  {first}"));
            }
        }
        if let (false, Some(plain)) = (complete, plain) {
            console.say(format_args!(
                "  all runs were tried with at most {plain} picks of something else than the first"
            ));
        }
        console.object(&json!({
            "states": states, "runs": runs, "complete": complete, "states_per_second": speed, "compared": merges,
            "plain": plain,
            "violated": found.as_ref().map(|found| &found.what),
            "picks": found.as_ref().map(|found| &found.picks),
        }));
    }
}

/// Whether a thread's code may carry something over from one system call to the next.
fn has_threads(project: &Project) -> bool {
    let threads = &project.assembly.threads;
    threads.iter().any(|thread| matches!(thread.role, Role::Free { .. } | Role::Periodic(_)))
}

/// The part of the past that belongs to the state: whatever an assertion compares with later events.
fn kept(stated: &[Stated], names: &Names) -> anyhow::Result<Vec<String>> {
    let mut kept = Vec::new();
    for stated in stated {
        let assertion = stated.says.about(names).with_context(|| format!("[assert.{}]", stated.name))?;
        match assertion {
            Assertion::Jitter { of: Point::Signal(signal), .. } => {
                kept.extend(drivers(signal, names).map(|driver| format!("s{driver}")));
            }
            Assertion::Jitter { of: point, .. } => {
                kept.extend(task(point).map(|task| format!("a{}", task.0)))
            }
            Assertion::Latency { from, to, .. } => {
                let tasks = [from, to].into_iter().filter_map(task);
                kept.extend(tasks.map(|task| format!("a{}", task.0)));
            }
            Assertion::Age { of: one, at: other, .. } | Assertion::Order { first: one, second: other } => {
                kept.extend([one, other].into_iter().filter_map(last));
            }
            // While a job is open, its release and the time it has used are part of the kernel's state.
            Assertion::Response { .. } | Assertion::Never { .. } => {}
        }
    }
    kept.sort();
    kept.dedup();
    Ok(kept)
}

/// The numbers of all drivers that move a signal.
fn drivers(signal: SignalId, names: &Names) -> impl Iterator<Item = u16> {
    let signals = Signals::of(names);
    let all = (0..=u16::MAX).take(names.drivers.len());
    all.filter(move |driver| signals.of_driver(DriverId(*driver)) == Some(signal))
}

/// When a point last occurred. For a job's start, only the whole past tells it from a resumption after
/// preemption.
fn last(point: Point) -> Option<String> {
    let task = task(point)?;
    let what = if matches!(point, Point::Start(_)) { "a" } else { "l" };
    Some(format!("{what}{}", task.0))
}

/// The task whose jobs a point is about. Sensors and actuators have logical instants, which every state
/// contains.
fn task(point: Point) -> Option<ThreadId> {
    match point {
        Point::Release(task) | Point::Start(task) | Point::End(task) => Some(task),
        Point::Signal(_) => None,
    }
}

/// Keeps the run that was found, as a trace and as a recipe.
fn leave(
    found: Found,
    recipe: Recipe,
    program: &Program,
    project: &Project,
    names: &Names,
    console: &Console,
) -> Result<(), Failure> {
    let length = found.ticks.saturating_add(1).saturating_mul(u64::from(project.tick()));
    let recipe = Recipe { picks: found.picks, length, ..recipe };
    let raw = program.execute(&recipe)?;
    let place = Place::of(project, NAME);
    let recorded = keep(&place, names, &raw.trace)?;
    keep_statements(&place.file("trace"), program.statements())?;
    let run = place.file("run");
    Recipe { trace: Print::of(&raw.trace), ..recipe }.keep(&run)?;
    crate::command::trace::violations(names, &recorded.events, console);
    let trace = run.with_extension("trace");
    console.say(format_args!("  `beryl trace show {}` shows it", trace.display()));
    console.say(format_args!("  `beryl sim --replay {}` repeats it", run.display()));
    console.object(&json!({ "trace": trace, "run": run }));
    Ok(())
}
