//! `beryl trace check`: assertions, held against traces.

mod file;

use std::path::PathBuf;
use std::process::ExitCode;

use beryl_trace::assertion::{Evidence, Verdict};
use beryl_trace::jobs::History;
use beryl_trace::{Names, table};
use serde_json::json;

use super::opened::Opened;
use crate::console::{Console, Failure, REFUSED, WELL};
use file::{Stated, read};

/// Hold assertions against traces, simulated or recorded.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  beryl trace check assertions.toml out/helicopter/sim.trace out/helicopter/mps2-an385.trace

Assertions are tables `[assert.NAME]` of a TOML file:
  response = \"navigate\",       most = \"5ms\"     each job is done so soon after its release
  jitter = \"rotor\",            most = \"100us\"   its delays differ by no more
  latency = [\"gps\", \"rotor\"],  most = \"31ms\"    after each first, the next second comes so soon
  age = [\"gps\", \"rotor\"],      most = \"31ms\"    at each second, the last first is no older
  order = [\"navigate\", \"control\"]               before each second there is a new first
  never = \"miss\",  of = \"control\"               nor violation, fault, overrun, skip, stray; of whom, if not all
A task's name means its jobs' ends; there are `release of TASK` and `start of TASK`, too.
An assertion that nothing in a trace could be held to counts as broken.")]
pub struct Check {
    /// The file with the assertions.
    #[arg(value_name = "ASSERTIONS")]
    assertions: PathBuf,
    /// Traces, each beside its names.json.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

impl Check {
    /// Checks, and says of each assertion whether it held.
    pub fn run(&self, console: &Console) -> Result<ExitCode, Failure> {
        let mut is_well = true;
        for file in &self.files {
            let opened = Opened::read(file, console)?;
            let stated = read(&self.assertions, &opened.names)?;
            let history = History::of(&opened.events);
            let evidence = Evidence { events: &opened.events, history: &history, names: &opened.names };
            console.title(file.display());
            let verdicts: Vec<_> =
                stated.iter().map(|stated| (stated, stated.assertion.check(evidence))).collect();
            show(&verdicts, &opened.names, console);
            is_well &= !opened.is_damaged && verdicts.iter().all(|(_, verdict)| verdict.holds());
            for (stated, verdict) in &verdicts {
                let at = verdict.first.as_ref().map(|(at, _)| opened.names.tick.logical(*at).nanoseconds());
                console.object(&json!({
                    "trace": file.display().to_string(),
                    "assertion": stated.name,
                    "holds": verdict.holds(),
                    "checked": verdict.checked,
                    "broken": verdict.broken,
                    "most_ns": verdict.most.map(|most| opened.names.tick.length(most).number()),
                    "first_broken_ns": at,
                    "how": verdict.first.as_ref().map(|(_, how)| how),
                }));
            }
        }
        Ok(ExitCode::from(if is_well { WELL } else { REFUSED }))
    }
}

fn show(verdicts: &[(&Stated, Verdict)], names: &Names, console: &Console) {
    let rows = verdicts.iter().map(|(stated, verdict)| {
        let result = match (verdict.holds(), verdict.checked) {
            (true, _) => "holds",
            (false, 0) => "never tried",
            (false, _) => "broken",
        };
        let most = verdict.most.map_or_else(|| "-".to_owned(), |most| names.tick.length(most).to_string());
        [
            stated.name.clone(),
            result.to_owned(),
            verdict.checked.to_string(),
            verdict.broken.to_string(),
            most,
        ]
    });
    let rows: Vec<_> = rows.collect();
    let table = table::table(["assertion", "result", "checked", "broken", "most"], &rows);
    table.lines().for_each(|line| console.say(format_args!("  {line}")));
    for (stated, verdict) in verdicts {
        if let Some((at, how)) = &verdict.first {
            console.say(format_args!("  {}: first at {}: {how}", stated.name, names.tick.logical(*at)));
        }
    }
}
