//! Average breakdown utilisation of CSD, EDF and RM: the EMERALDS paper's figures 11 to 13, again.
#![forbid(unsafe_code)]

mod costs;
mod folder;
mod measured;
mod page;
#[path = "../../src/plot.rs"]
mod plot;
mod random;
mod record;
mod scheduler;
mod sweep;
mod workload;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;

/// Breakdown utilisation of random workloads under CSD-2, CSD-3, CSD-4, EDF and RM.
///
/// Writes figures, tables and plots to docs/measurements. Says on the way how far it is, and at the end how long it
/// took.
#[derive(Parser)]
#[command(name = "breakdown", after_help = "Example:\n  cargo run --release -p beryl-breakdown")]
struct Arguments {
    /// Workloads a point.
    #[arg(long, default_value_t = 500)]
    workloads: u64,
    /// Only make tables and plots anew, from the recorded figures.
    #[arg(long)]
    plots: bool,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    if !arguments.plots {
        sweep::all(arguments.workloads)?.write()?;
    }
    page::write(&record::Record::read()?)
}
