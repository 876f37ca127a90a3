//! Thread-Metric's programs over CMSIS-RTOS2: instructions per iteration. An interrupt runs no code in C, so those two programs have
//! no form there; memory pools give the suite's program for memory one.

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::calibration;
use crate::console::Console;
use crate::metric::{ROUNDS, SAMPLES, nearest};
use crate::row::Row;
use crate::systems::{METRIC_CMSIS, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &[
    "metric-cmsis/cooperative",
    "metric-cmsis/preemptive",
    "metric-cmsis/message-16",
    "metric-cmsis/synchronisation",
    "metric-cmsis/allocation",
];

/// What an iteration is, the name of its samples, and how many threads' counters a round increments; in the order of [`NAMES`].
const PROGRAMS: [(&str, &str, u64); 5] = [
    ("a thread's turn among five", "metric/cmsis/cooperative", 5),
    ("a thread's run among five", "metric/cmsis/preemptive", 5),
    ("put and got", "metric/cmsis/message", 1),
    ("a semaphore taken and given back", "metric/cmsis/synchronisation", 1),
    ("a block of 128 bytes taken and given back", "metric/cmsis/allocation", 1),
];

/// The length of the run, in millions of instructions.
const MILLIONS: u64 = 200;

/// Builds the system, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(METRIC_CMSIS)?, workshop, MILLIONS)?;
    calibration::check(&console)?;
    NAMES.iter().zip(PROGRAMS).map(|(bench, program)| row(bench, program, &console)).collect()
}

/// A round is a hundredth of a sample, and an iteration a thread's share of a round.
fn row(bench: &str, (case, name, counts): (&str, &str, u64), console: &Console) -> Result<Row> {
    let samples = console.samples(name)?;
    ensure!(samples.len() == SAMPLES, "{bench}: {} samples instead of {SAMPLES}", samples.len());
    let each = samples.iter().map(|sample| Ok(nearest(sample.instructions()?, ROUNDS * counts)));
    Row::instructions(bench, case, &each.collect::<Result<Vec<_>>>().with_context(|| bench.to_owned())?)
}
