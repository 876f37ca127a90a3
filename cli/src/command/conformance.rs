//! `beryl conformance`: the suite that every host of the kernel passes, the simulator and each emulated
//! board.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use beryl_builder::quantity::Nanoseconds;
use beryl_builder::{Project, emulator};
use beryl_trace::conformance::{Conformance, conformance, counted, tellings};
use beryl_trace::lockstep::{InStep, lockstep};
use beryl_trace::{Event, Names, table};
use serde::Deserialize;
use serde_json::json;

use crate::command::board::{Chosen, named};
use crate::command::run::{Way, on_board};
use crate::command::sim::{Program, Recipe, Times};
use crate::command::times::{Span, span};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::{Place, load, names_of};
use crate::refused::reason;

/// The most instructions that an event costs on a board but not in the simulator: the kernel's longest step
/// with its trace records, and the overhead of code that works for a stated time.
const INSTRUCTIONS_OF_AN_EVENT: u64 = 5_000;

/// Run a suite of systems on the simulator and on their boards, and compare all that they did.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  beryl conformance conformance/suite.toml
  beryl conformance conformance/suite.toml --only mailbox
  beryl conformance conformance/suite.toml --board mps2-an386

A suite is a file of tables: [[system]] with `folder`, from the file's own, `for`, how long, `shows`, what it is in the suite
for, and `compare`. Each system is run on both hosts. All that has a logical instant must be the same in the same order, values to
the bit, and for each thread its jobs, how each ended, and its faults. With `compare = \"told\"` what threads tell must be the same,
too. With `compare = \"all\"`, for systems whose code takes as
long on both, all events must be the same in one order, those of who has the processor, too, with physical times as far as
the kernel's costs allow. A system that is refused for a board isn't run, and the others are; the suite fails unless its `not_on`
names that board. A port is done when its board passes.")]
pub struct Suite {
    /// The file with the list of systems.
    #[arg(value_name = "SUITE")]
    suite: PathBuf,
    /// Only systems whose folder contains this.
    #[arg(long, value_name = "PART")]
    only: Option<String>,
    #[command(flatten)]
    chosen: Chosen,
}

/// A suite as written in its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    system: Vec<Row>,
}

/// One system of the suite.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    folder: PathBuf,
    #[serde(rename = "for")]
    length: String,
    shows: String,
    #[serde(default)]
    compare: Compared,
    /// The boards for which it is refused, and rightly so.
    #[serde(default)]
    not_on: Vec<String>,
}

/// How much of a system is compared.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Compared {
    /// Everything that mustn't depend on how long code takes.
    #[default]
    Logical,
    /// The same, and the values that each thread tells, in that thread's order.
    Told,
    /// Everything.
    All,
}

/// What both hosts agree on.
struct Agreed {
    logical: usize,
    ends: usize,
    /// The number of events and the largest time difference, if all events were compared.
    all: Option<(usize, beryl_trace::Nanoseconds)>,
    /// The number of values that threads told, if those were compared.
    told: Option<usize>,
}

/// What became of a system.
enum Outcome {
    /// Both hosts did the same.
    Same(Agreed),
    /// They didn't: the first difference in words.
    Different(String),
    /// It is refused for the board, for this reason.
    NotRun(String),
}

/// A comparison.
struct Comparison {
    /// The board, if the system got so far as to have one.
    board: Option<&'static str>,
    /// The names of the system calls that the simulation made.
    calls: Vec<String>,
    outcome: Outcome,
}

impl Suite {
    /// Runs all systems and reports for each whether the hosts agree.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let rows = self.rows()?;
        let here = self.suite.parent().unwrap_or(Path::new("."));
        let mut results = Vec::new();
        for row in &rows {
            console.step(format_args!("comparing {}", row.folder.display()));
            let compared =
                row.compare(here, self.chosen, console).or_else(|failure| self.refused(failure))?;
            console.object(&row.json(&compared, self.chosen));
            results.push(compared.outcome);
        }
        show(&rows, &results, self.chosen, console);
        let is_well = |(row, outcome): (&Row, &Outcome)| match outcome {
            Outcome::Same(_) => row.is_expected(self.chosen),
            Outcome::Different(_) => false,
            Outcome::NotRun(_) => !row.is_expected(self.chosen),
        };
        let all = rows.iter().zip(&results).all(is_well);
        Ok(ExitCode::from(if all { WELL } else { REFUSED }))
    }

    /// A system that is refused for its board is a row; whatever else fails ends the run.
    fn refused(&self, failure: Failure) -> Result<Comparison, Failure> {
        let Failure::Build(error) = &failure else { return Err(failure) };
        let Some(reason) = reason(error) else { return Err(failure) };
        Ok(Comparison {
            board: self.chosen.board.map(|board| board.name),
            calls: Vec::new(),
            outcome: Outcome::NotRun(reason),
        })
    }

    fn rows(&self) -> Result<Vec<Row>> {
        let path = self.suite.display();
        let text = fs::read_to_string(&self.suite).with_context(|| format!("can't read {path}"))?;
        let written: Written = toml::from_str(&text).with_context(|| format!("{path} is no suite"))?;
        let wanted =
            |row: &Row| self.only.as_ref().is_none_or(|part| row.folder.display().to_string().contains(part));
        let rows: Vec<_> = written.system.into_iter().filter(wanted).collect();
        if rows.is_empty() {
            return Err(anyhow!("{path} has no such system; see what its [[system]] tables name"));
        }
        for (row, name) in rows.iter().flat_map(|row| row.not_on.iter().map(move |name| (row, name))) {
            named(name)
                .map_err(|boards| anyhow!("`not_on` of {}: {name}: {boards}", row.folder.display()))?;
        }
        Ok(rows)
    }
}

impl Row {
    /// Whether it should run on this board. On that of its own description it always should.
    fn is_expected(&self, chosen: Chosen) -> bool {
        chosen.board.is_none_or(|board| !self.not_on.iter().any(|name| name == board.name))
    }

    /// Runs the system on both hosts and compares what they did.
    fn compare(&self, here: &Path, chosen: Chosen, console: &Console) -> Result<Comparison, Failure> {
        let project = load(&here.join(&self.folder), chosen.variant(), console)?;
        emulator::require(project.description.board.board.value, "nothing was compared")?;
        let names = names_of(&project)?;
        let length =
            span(&self.length).map_err(|reason| anyhow!("`for` of {}: {reason}", self.folder.display()))?;
        let span = Span { length };
        let times = match self.compare {
            Compared::Logical | Compared::Told => Times::Worst,
            // Code that states how long it works takes no longer than that.
            Compared::All => Times::Best,
        };
        let recipe = Recipe { length: length.get(), times, ..Recipe::of(&project.folder) };
        let board = project.description.board.board.value.name;
        let [sim, place] = ["sim", board].map(|name| Place::in_conformance(&project, name));
        let simulated = Program::build(&project, sim, console)?.run(&recipe, &names, console)?;
        let left = on_board(&project, &place, &names, span, &simulated, Way::Recorded, console)?;
        let recorded = left.recorded;
        let events = [&simulated.recorded.events[..], &recorded.events];
        let outcome = match self.same(events, &project, &names, length) {
            Ok(agreed) => Outcome::Same(agreed),
            Err(difference) => Outcome::Different(difference),
        };
        Ok(Comparison { board: Some(board), calls: simulated.calls, outcome })
    }

    fn same(
        &self,
        [simulated, recorded]: [&[Event]; 2],
        project: &Project,
        names: &Names,
        length: Nanoseconds,
    ) -> Result<Agreed, String> {
        match self.compare {
            Compared::Logical => logical([simulated, recorded], names),
            Compared::Told => {
                let agreed = logical([simulated, recorded], names)?;
                Ok(Agreed { told: Some(tellings(simulated, recorded, names)?), ..agreed })
            }
            Compared::All => {
                let ticks =
                    |length: Nanoseconds| length.rounded_up(project.description.board.board.value.tick);
                let [cost, length] = [cost(project), length].map(ticks);
                let InStep { events, furthest } = lockstep(simulated, recorded, names, cost, length)?;
                let [logical, ends] = counted(simulated, names);
                Ok(Agreed { logical, ends, all: Some((events, names.tick.length(furthest))), told: None })
            }
        }
    }

    fn name(&self) -> Cow<'_, str> {
        self.folder.file_name().unwrap_or(self.folder.as_os_str()).to_string_lossy()
    }

    /// What is said below the table.
    fn remark(&self, outcome: &Outcome, chosen: Chosen) -> Option<String> {
        let (name, is_expected) = (self.name(), self.is_expected(chosen));
        match outcome {
            Outcome::Same(_) if is_expected => None,
            Outcome::Same(_) => {
                let board = chosen.board.map(|board| board.name).unwrap_or_default();
                Some(format!("{name}: it runs, so take `{board}` out of its `not_on`"))
            }
            Outcome::Different(words) => Some(format!("{}: {words}", self.folder.display())),
            Outcome::NotRun(reason) if is_expected => Some(format!(
                "{name}: not run: {reason}; the suite doesn't say so: mend it, or name the board in its `not_on`"
            )),
            Outcome::NotRun(reason) => Some(format!("{name}: not run: {reason}")),
        }
    }

    fn json(&self, compared: &Comparison, chosen: Chosen) -> serde_json::Value {
        let (agreed, difference, reason) = match &compared.outcome {
            Outcome::Same(agreed) => (Some(agreed), None, None),
            Outcome::Different(difference) => (None, Some(difference), None),
            Outcome::NotRun(reason) => (None, None, Some(reason)),
        };
        let all = agreed.and_then(|agreed| agreed.all);
        json!({
            "system": self.folder, "board": compared.board, "agrees": agreed.is_some(),
            "difference": difference, "not_run": reason, "expected": self.is_expected(chosen),
            "calls": compared.calls,
            "logical": agreed.map(|agreed| agreed.logical), "ends": agreed.map(|agreed| agreed.ends),
            "events": all.map(|(events, _)| events), "apart_ns": all.map(|(_, furthest)| furthest),
            "told": agreed.and_then(|agreed| agreed.told),
        })
    }
}

/// Compares everything that mustn't depend on how long code takes.
fn logical([simulated, recorded]: [&[Event]; 2], names: &Names) -> Result<Agreed, String> {
    match conformance(simulated, recorded, names) {
        Conformance::Same { logical, ends } => Ok(Agreed { logical, ends, all: None, told: None }),
        Conformance::Different(words) => Err(words),
    }
}

/// The most that an event costs on the board but not in the simulator.
fn cost(project: &Project) -> Nanoseconds {
    Nanoseconds::new(INSTRUCTIONS_OF_AN_EVENT << project.description.board.speed)
}

fn show(rows: &[Row], outcomes: &[Outcome], chosen: Chosen, console: &Console) {
    let line = |(row, outcome): (&Row, &Outcome)| {
        let none = || "-".to_owned();
        let numbers = match outcome {
            Outcome::NotRun(_) => ["not run".to_owned(), none(), none(), none(), none(), none()],
            Outcome::Different(_) => ["differs".to_owned(), none(), none(), none(), none(), none()],
            Outcome::Same(Agreed { logical, ends, all, told }) => {
                let all = all.map(|(events, furthest)| [events.to_string(), furthest.to_string()]);
                let [events, furthest] = all.unwrap_or_else(|| [none(), none()]);
                let told = told.map_or_else(none, |told| told.to_string());
                ["ok".to_owned(), logical.to_string(), ends.to_string(), told, events, furthest]
            }
        };
        let [result, logical, ends, told, events, apart] = numbers;
        [row.name().into_owned(), result, logical, ends, told, events, apart, row.shows.clone()]
    };
    let lines: Vec<_> = rows.iter().zip(outcomes).map(line).collect();
    console.title("Conformance");
    let heads = ["system", "result", "logical", "ends", "told", "all events", "apart", "shows"];
    let table = table::table(heads, &lines);
    table.lines().for_each(|line| console.say(format_args!("  {line}")));
    let remarks = rows.iter().zip(outcomes).filter_map(|(row, outcome)| row.remark(outcome, chosen));
    remarks.for_each(|remark| console.say(format_args!("  {remark}")));
}
