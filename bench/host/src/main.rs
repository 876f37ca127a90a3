//! `./x bench host`: how long the analysis takes on this machine, and as a ratio to another analysis in the same run.
#![forbid(unsafe_code)]

mod lists;
mod projects;
mod random;
mod simulated;
mod simulator;
mod systems;
mod time;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;

use time::Row;

/// Measures the host's tools: medians of several runs on this machine, which say nothing of another one, and ratios
/// to the crate response-time-analysis on the same lists of tasks, which do.
///
/// A missed aim is printed and is no failure.
#[derive(Parser)]
#[command(name = "host", after_help = "Example:\n  ./x bench host check")]
struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Only measurements whose name contains this.
    #[arg(default_value = "")]
    filter: String,
}

/// A measurement: how its names begin, and its rows with the rest of their names.
type Measurement = (&'static str, fn() -> Result<Vec<(String, Row)>>);

const MEASUREMENTS: [Measurement; 7] = [
    ("fixed-priorities", || one(lists::fixed_priorities())),
    ("earliest-deadline", || one(lists::earliest_deadline())),
    ("placement/100", || one(systems::placement())),
    ("prove/1000", || one(systems::prove_a_thousand())),
    ("check/100", || one(projects::check())),
    ("check/100-modes", || one(projects::check_modes())),
    ("simulator", simulator::rows),
];

fn one(row: Result<Row>) -> Result<Vec<(String, Row)>> {
    Ok(vec![(String::new(), row?)])
}

fn main() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &Arguments) -> Result<()> {
    let wanted = MEASUREMENTS.iter().filter(|(name, _)| name.contains(&arguments.filter));
    let mut count = 0;
    for (name, measurement) in wanted {
        for (rest, row) in measurement()? {
            let name = format!("{name}{rest}");
            match arguments.json {
                true => println!("{}", row.json(&name)),
                false => println!("{}", row.line(&name)),
            }
        }
        count += 1;
    }
    ensure!(
        count > 0,
        "nothing measured has `{}` in its name; `./x bench host` measures all",
        arguments.filter
    );
    Ok(())
}
