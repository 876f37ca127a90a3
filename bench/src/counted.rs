//! Measurements on the board: calls, switches, releases.

use anyhow::{Result, ensure};
use beryl_builder::Project;
use beryl_builder::workshop::Workshop;

use crate::calibration::{check, words};
use crate::console::{Console, Sample, across};
use crate::row::Row;
use crate::systems::{BENCH, load, run};

/// The benches in this file.
pub const NAMES: &[&str] =
    &["null-subroutine", "null-call", "yield/same-process", "yield/two-processes", "release/to-task"];

/// How often to measure each one.
const SAMPLES: usize = 1000;

/// The length of the run, in millions of instructions.
pub const MILLIONS: u64 = 25;

/// Builds the measured system, runs it, and counts.
///
/// # Errors
/// Those of building and running it, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    rows_of(&load(BENCH)?, workshop)
}

/// The same of this system, or of one that differs from it in its description only.
///
/// # Errors
/// As [`rows`].
pub fn rows_of(project: &Project, workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(project, workshop, MILLIONS)?;
    check(&console)?;
    eprintln!("{}", words());
    NAMES.iter().map(|bench| row(bench, &console)).collect()
}

fn row(bench: &str, console: &Console) -> Result<Row> {
    let (case, samples) = samples(bench, console)?;
    let counts = samples.iter().map(|sample: &Sample| sample.instructions());
    Row::instructions(bench, case, &counts.collect::<Result<Vec<_>>>()?)
}

/// The case of a bench, and its samples.
pub fn samples(bench: &str, console: &Console) -> Result<(&'static str, Vec<Sample>)> {
    let own = console.samples(bench)?;
    let (case, mut pairs) = match bench {
        "null-subroutine" | "null-call" => ("caller to caller", own.to_vec()),
        "release/to-task" => ("instant to first instruction", own.to_vec()),
        _ => ("caller to next caller", across(own)?),
    };
    ensure!(pairs.len() >= SAMPLES, "{bench}: {} samples instead of {SAMPLES}", pairs.len());
    pairs.truncate(SAMPLES);
    Ok((case, pairs))
}
