//! What is counted on the board: calls, switches, releases.

use anyhow::{Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::calibration::{check, words};
use crate::console::{Console, Sample, across};
use crate::row::Row;
use crate::systems::{BENCH, load, run};

/// What is measured here.
pub const NAMES: &[&str] =
    &["null-subroutine", "null-call", "yield/same-process", "yield/two-processes", "release/to-task"];

/// How often everything is measured.
const SAMPLES: usize = 1000;

/// Builds the measured system, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(BENCH)?, workshop, 25)?;
    check(&console)?;
    eprintln!("{}", words());
    NAMES.iter().map(|bench| row(bench, &console)).collect()
}

fn row(bench: &str, console: &Console) -> Result<Row> {
    let own = console.samples(bench)?;
    let (case, pairs) = match bench {
        "null-subroutine" | "null-call" => ("caller to caller", own.to_vec()),
        "release/to-task" => ("instant to first instruction", own.to_vec()),
        _ => ("caller to next caller", across(own)?),
    };
    ensure!(pairs.len() >= SAMPLES, "{bench}: {} samples instead of {SAMPLES}", pairs.len());
    let counts = pairs[..SAMPLES].iter().map(|sample: &Sample| sample.instructions());
    Row::instructions(bench, case, &counts.collect::<Result<Vec<_>>>()?)
}
