//! Average breakdown utilisation of CSD, EDF and RM: the EMERALDS paper's figures 11 to 13, again.
#![forbid(unsafe_code)]

mod costs;
mod measured;
mod page;
mod record;
mod scheduler;
mod sweep;
mod workload;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use record::Record;

/// Breakdown utilisation of random workloads under CSD-2, CSD-3, CSD-4, EDF and RM.
///
/// Writes figures, tables and plots to docs/measurements. Says on the way how far it is, and at the end how long it
/// took.
#[derive(Parser)]
#[command(name = "breakdown", after_help = EXAMPLES)]
struct Arguments {
    /// Workloads a point.
    #[arg(long, default_value_t = 500)]
    workloads: u64,
    /// Sweep with Beryl's costs alone, and keep what is recorded of the paper's: when the kernel's jobs are
    /// measured anew.
    #[arg(long, conflicts_with = "plots")]
    beryl: bool,
    /// Only make tables and plots anew, from the recorded figures.
    #[arg(long)]
    plots: bool,
}

const EXAMPLES: &str = "Examples:
  cargo run --release -p beryl-breakdown
  cargo run --release -p beryl-breakdown -- --beryl";

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
    if arguments.beryl {
        sweep::beryl(arguments.workloads, Record::read()?)?.write()?;
    } else if !arguments.plots {
        sweep::all(arguments.workloads)?.write()?;
    }
    page::write(&Record::read()?)
}
