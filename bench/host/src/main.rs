//! `./x bench host`: how long the host's tools take on this machine, and as a ratio to another program in the same run.
#![forbid(unsafe_code)]

mod building;
mod explorer;
mod lists;
mod page;
// The same plots as of what is measured on the board.
mod bars;
mod plans;
mod plot;
mod projects;
mod random;
mod record;
mod scroll;
mod simulated;
mod simulator;
mod systems;
mod time;
mod tracing;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser;

use time::Row;

/// Measures the host's tools: times of several runs on this machine, which say nothing of another one, and
/// ratios which do: to the crate response-time-analysis on the same lists of tasks, and to the simulator
/// SimSo on the same systems.
///
/// A missed aim is printed and is no failure.
#[derive(Parser)]
#[command(
    name = "host",
    after_help = "Examples:\n  ./x bench host check\n  ./x bench host build\n  ./x bench host --record"
)]
struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Write the rows and their plots to docs/measurements; those that aren't measured stay as they are.
    #[arg(long)]
    record: bool,
    /// Only draw the plots again, of the rows that were written last.
    #[arg(long, conflicts_with_all = ["filter", "record"])]
    plots: bool,
    /// Only measurements whose name contains this; `build`, what each crate costs to build, and `scroll`, how smoothly the
    /// page of ten million events moves, are measured only if they are asked for.
    #[arg(default_value = "")]
    filter: String,
}

/// A measurement: how its names begin, and its rows with the rest of their names.
type Measurement = (&'static str, fn() -> Result<Vec<(String, Row)>>);

const MEASUREMENTS: [Measurement; 13] = [
    ("fixed-priorities", || one(lists::fixed_priorities())),
    ("earliest-deadline", || one(lists::earliest_deadline())),
    ("placement/100", || one(systems::placement())),
    ("prove/1000", || one(systems::prove_a_thousand())),
    ("prove/500-dynamic", || one(systems::prove_a_long_band())),
    ("check/100", || one(projects::check())),
    ("check/100-modes", || one(projects::check_modes())),
    ("check/chains", || one(projects::check_chains())),
    ("plan/200", || one(plans::plan())),
    ("simulator", simulator::rows),
    ("explore", explorer::rows),
    ("page", page::rows),
    ("telling", tracing::rows),
];

/// What takes minutes, and is measured only where its name is given.
const ON_REQUEST: [Measurement; 2] = [("build", building::rows), ("scroll", scroll::rows)];

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
    if arguments.plots {
        return record::plots();
    }
    let wanted = MEASUREMENTS.iter().filter(|(name, _)| name.contains(&arguments.filter));
    let on_request = ON_REQUEST.iter().filter(|(name, _)| *name == arguments.filter);
    let wanted = wanted.chain(on_request).copied();
    let mut rows = Vec::new();
    for (name, measurement) in wanted {
        for (rest, row) in measurement()? {
            let name = format!("{name}{rest}");
            match arguments.json {
                true => println!("{}", row.json(&name)),
                false => println!("{}", row.line(&name)),
            }
            rows.push((name, row));
        }
    }
    ensure!(
        !rows.is_empty(),
        "nothing measured has `{}` in its name; `./x bench host` measures all",
        arguments.filter
    );
    if arguments.record { record::record(&rows) } else { Ok(()) }
}
