//! `beryl conformance`: the suite that hosts of the kernel pass, the simulator and each emulated board.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow};
use beryl_builder::{BuildError, Project, Variant, emulator};
use beryl_trace::conformance::{Conformance, conformance};
use beryl_trace::table;
use serde::Deserialize;
use serde_json::json;

use crate::command::run::on_board;
use crate::command::sim::simulate;
use crate::command::times::{Span, span};
use crate::console::{Console, Failure, REFUSED, WELL};
use crate::files::names_of;

/// Run a suite of systems on the simulator and on their boards, and compare all that they did.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  beryl conformance examples/conformance.toml

A suite is a file of tables: [[system]] with `folder`, from the file's own, `for`, how long, and `shows`, what it is in the suite
for. Each system is run on both hosts. All that has a logical instant must be the same in the same order, values to the bit,
and for each thread its jobs, how each ended, and its faults. Physical times may differ. A port is done when its board passes.")]
pub struct Suite {
    /// The file with the list of systems.
    #[arg(value_name = "SUITE")]
    suite: PathBuf,
    /// Only systems whose folder contains this.
    #[arg(long, value_name = "PART")]
    only: Option<String>,
}

/// A suite as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    system: Vec<Row>,
}

/// One system of it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    folder: PathBuf,
    #[serde(rename = "for")]
    length: String,
    shows: String,
}

impl Suite {
    /// Runs all systems, and says of each whether the hosts agree.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let rows = self.rows()?;
        if !emulator::is_installed() {
            return Err(BuildError::Tool {
                missing: format!("nothing was compared: {} isn't installed", emulator::PROGRAM),
                proposal: "run `./x setup`, or install Debian's package qemu-system-arm".to_owned(),
            }
            .into());
        }
        let here = self.suite.parent().unwrap_or(Path::new("."));
        let mut results = Vec::new();
        for row in &rows {
            console.step(format_args!("comparing {}", row.folder.display()));
            let (board, result) = row.compare(here, console)?;
            console.object(&row.json(board, &result));
            results.push(result);
        }
        show(&rows, &results, console);
        let all = results.iter().all(|result| matches!(result, Conformance::Same { .. }));
        Ok(ExitCode::from(if all { WELL } else { REFUSED }))
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
        Ok(rows)
    }
}

impl Row {
    /// Runs the system on both hosts; answers the board and what the comparison says.
    fn compare(&self, here: &Path, console: &Console) -> Result<(&'static str, Conformance), Failure> {
        let project = Project::load(&here.join(&self.folder), Variant::default())?;
        let names = names_of(&project)?;
        let length =
            span(&self.length).map_err(|reason| anyhow!("`for` of {}: {reason}", self.folder.display()))?;
        let span = Span { length };
        let simulated = simulate(&project, &names, span, console)?;
        let (_, recorded) = on_board(&project, &names, span, &simulated, console)?;
        let result = conformance(&simulated.recorded.events, &recorded.events, &names);
        Ok((project.description.board.board.value.name, result))
    }

    fn json(&self, board: &str, result: &Conformance) -> serde_json::Value {
        let (same, difference) = match result {
            Conformance::Same { .. } => (true, None),
            Conformance::Different(words) => (false, Some(words)),
        };
        json!({ "system": self.folder, "board": board, "agrees": same, "difference": difference })
    }
}

fn show(rows: &[Row], results: &[Conformance], console: &Console) {
    let line = |(row, result): (&Row, &Conformance)| {
        let (word, logical, ends) = match result {
            Conformance::Same { logical, ends } => ("ok", logical.to_string(), ends.to_string()),
            Conformance::Different(_) => ("differs", "-".to_owned(), "-".to_owned()),
        };
        [row.folder.display().to_string(), word.to_owned(), logical, ends, row.shows.clone()]
    };
    let lines: Vec<_> = rows.iter().zip(results).map(line).collect();
    console.title("Conformance");
    let table = table::table(["system", "result", "logical events", "ends of jobs", "shows"], &lines);
    table.lines().for_each(|line| console.say(format_args!("  {line}")));
    for (row, result) in rows.iter().zip(results) {
        if let Conformance::Different(words) = result {
            console.say(format_args!("  {}: {words}", row.folder.display()));
        }
    }
}
