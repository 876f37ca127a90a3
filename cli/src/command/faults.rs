//! `beryl faults`: a campaign of faults injected into runs, and which threads they trouble.

pub mod fault;
pub mod random;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use beryl_abi::ThreadId;
use beryl_builder::quantity::Nanoseconds;
use beryl_trace::incident::Incident;
use beryl_trace::jobs::History;
use beryl_trace::{Names, decode, table};
use serde_json::json;

use crate::command::board::ChosenNode;
use crate::command::sim::{Program, Recipe, Times};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, load, names_of};
use fault::{Fault, Kind};
use random::Random;

/// Put faults into runs on purpose, one each, and say whom they trouble.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  beryl faults examples/engine --for 200ms --runs 50
  beryl faults examples/helicopter --for 1s --kinds stop,flip --seed 7

Kinds: `stop` lets a thread panic, `flip` changes a bit in a process's ports, `drop`, `delay`, `again` and `storm` are of
interrupts. A process that goes wrong must never make others miss a deadline: it exits with 1 if `stop` or `flip` trouble another
process than their own. Interrupts may; the report says whom. `beryl sim FOLDER --unchecked --fault FAULT` repeats a run.")]
pub struct Faults {
    /// The folder with the system's beryl.toml.
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    #[command(flatten)]
    chosen: ChosenNode,
    /// How long each run is.
    #[arg(long = "for", value_name = "TIME", default_value = "1s", value_parser = crate::command::times::span)]
    length: Nanoseconds,
    /// How many runs, each with a fault.
    #[arg(long, default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// The seed of the faults, and of the execution times.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Which kinds of faults, with commas between them [all that the system has a place for].
    #[arg(long, value_delimiter = ',', value_enum)]
    kinds: Vec<Kind>,
}

/// How often each thread was in trouble.
type Troubles = BTreeMap<ThreadId, usize>;

/// The outcomes of the runs with one kind of fault.
#[derive(Default)]
struct Tally {
    runs: u32,
    /// No thread was in trouble that wasn't also without the fault.
    quiet: u32,
    /// Only the process with the injected fault.
    contained: u32,
    /// Other processes, too.
    spread: u32,
}

impl Faults {
    /// Runs the campaign and reports it.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let project = load(&self.folder, self.chosen.variant(), console)?;
        let names = names_of(&project)?;
        let kinds: Vec<Kind> = match self.kinds.as_slice() {
            [] => Kind::ALL.into_iter().filter(|kind| kind.has_place(&project)).collect(),
            wanted => wanted.to_vec(),
        };
        if let Some(kind) = kinds.iter().find(|kind| !kind.has_place(&project)) {
            return Err(
                anyhow!("{} has no place for `{}`: {}", names.system, kind.name(), kind.needs()).into()
            );
        }
        let program = Program::build(&project, Place::of(&project, "faults"), console)?;
        let mut random = Random::new(self.seed);
        let mut tallies: BTreeMap<Kind, Tally> = BTreeMap::new();
        let mut spread = Vec::new();
        for (number, kind) in (0..self.runs).zip(kinds.iter().cycle()) {
            let recipe = self.recipe(self.seed.saturating_add(number.into()));
            let usual = troubles(&program, &recipe, &names)?;
            let fault = Fault::draw(*kind, &project, self.length, &mut random);
            let faults = fault.for_program(&project)?;
            let troubled = troubles(&program, &Recipe { faults, ..recipe }, &names)?;
            let new: Vec<_> = troubled
                .iter()
                .filter(|(who, count)| usual.get(who).is_none_or(|usual| usual < *count))
                .collect();
            let own = fault.process();
            let process = |who: &ThreadId| names.known_thread(*who).map(|known| known.process.as_str());
            let is_own = |who: &ThreadId| own.is_some() && process(who) == own;
            let others: Vec<_> =
                new.iter().filter(|(who, _)| !is_own(who)).map(|(who, _)| names.thread(**who)).collect();
            tallies.entry(*kind).or_default().add(new.is_empty(), others.is_empty());
            console.object(&json!({ "fault": fault.to_string(), "seed": self.seed.saturating_add(number.into()),
                "troubled": new.iter().map(|(who, _)| names.thread(**who)).collect::<Vec<_>>(), "others": others }));
            if !others.is_empty() {
                spread.push((*kind, fault.to_string(), others.join(", ")));
            }
        }
        show(&tallies, &spread, console);
        let broken = spread.iter().any(|(kind, ..)| kind.must_be_contained());
        Ok(ExitCode::from(if broken { REFUSED } else { WELL }))
    }

    fn recipe(&self, seed: u64) -> Recipe {
        Recipe { length: self.length.get(), times: Times::Random, seed, ..Recipe::of(&self.folder) }
    }
}

/// Which threads got into trouble in a run.
fn troubles(program: &Program, recipe: &Recipe, names: &Names) -> Result<Troubles> {
    let raw = program.execute(recipe)?;
    let events = decode(&raw.trace).context("the trace of the simulation is damaged")?;
    let history = History::of(&events);
    let told = events.iter().filter_map(|event| Incident::of(event, &history, names));
    let told = told.filter(|told| told.is_trouble);
    let mut troubles = Troubles::new();
    for thread in told.filter_map(|told| told.thread) {
        *troubles.entry(thread).or_default() += 1;
    }
    Ok(troubles)
}

impl Tally {
    fn add(&mut self, is_quiet: bool, has_no_others: bool) {
        self.runs += 1;
        let count = match (is_quiet, has_no_others) {
            (true, _) => &mut self.quiet,
            (false, true) => &mut self.contained,
            (false, false) => &mut self.spread,
        };
        *count += 1;
    }
}

fn show(tallies: &BTreeMap<Kind, Tally>, spread: &[(Kind, String, String)], console: &Console) {
    let row = |(kind, tally): (&Kind, &Tally)| {
        let must = if kind.must_be_contained() { "no" } else { "yes" };
        let Tally { runs, quiet, contained, spread } = tally;
        let counts = [runs, quiet, contained, spread].map(u32::to_string);
        let [runs, quiet, contained, spread] = counts;
        [kind.name().to_owned(), runs, quiet, contained, spread, must.to_owned()]
    };
    let rows: Vec<_> = tallies.iter().map(row).collect();
    console.title("Faults");
    let head = ["fault", "runs", "nobody", "its process", "others", "may trouble others"];
    let table = table::table(head, &rows);
    table.lines().for_each(|line| console.say(format_args!("  {line}")));
    const TOLD: usize = 10;
    for (_, fault, others) in spread.iter().take(TOLD) {
        console.say(format_args!("  {fault} troubled {others}"));
    }
    if spread.len() > TOLD {
        console.say(format_args!("  and {} more; `--json` lists all", spread.len() - TOLD));
    }
}
