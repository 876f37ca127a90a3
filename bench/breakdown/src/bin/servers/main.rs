//! Policies for work of unknown arrivals beside hard tasks: the two experiments of an OSPERT 2007 paper, in a model.
#![forbid(unsafe_code)]

mod application;
mod claims;
mod page;
mod policy;
mod record;
mod sweep;

use std::process::ExitCode;

use anyhow::Result;
use clap::Parser;
use record::Record;

/// Mean responses of soft work under ten policies, beside those in the background.
///
/// Writes figures, tables and plots to docs/measurements, and says at the end how long it took.
#[derive(Parser)]
#[command(name = "servers", after_help = "Example:  cargo run --release -p beryl-breakdown --bin servers")]
struct Arguments {
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
        sweep::all()?.write()?;
    }
    page::write(&Record::read()?, &Record::of_kernel()?)
}
