//! Calls of CMSIS-RTOS2 that wait for nobody, beside Beryl's own calls in C for the same, by a handle and by a value:
//! instructions of each pair of calls.

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::console::Console;
use crate::metric::nearest;
use crate::row::Row;
use crate::systems::{CMSIS, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &[
    "cmsis/lock",
    "cmsis/mutex",
    "cmsis/semaphore",
    "cmsis/flags",
    "cmsis/thread-flags",
    "cmsis/queue",
    "cmsis/memory",
    "cmsis/thread",
    "cmsis/time",
];

/// How the calls are made: the case of a row, and the end of its samples' name.
pub const WAYS: [(&str, &str); 3] =
    [("by a handle", "handle"), ("by a value", "value"), ("CMSIS-RTOS2", "cmsis")];

/// How many samples each has, and how many rounds a sample: `bench/metric/c/metric.h` has both.
const SAMPLES: usize = 100;
const ROUNDS: u64 = 100;

/// The length of the run, in millions of instructions.
const MILLIONS: u64 = 500;

/// Builds the system, runs it, and counts.
///
/// # Errors
/// Those of building and running it, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(CMSIS)?, workshop, MILLIONS)?;
    let all = NAMES.iter().flat_map(|bench| ways(bench).map(move |way| (*bench, way)));
    all.map(|(bench, way)| row(&console, bench, way)).collect()
}

/// In which ways something can be done. Some of the interface is nothing that the kernel has.
fn ways(bench: &str) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
    let first = match bench {
        "cmsis/thread-flags" | "cmsis/memory" | "cmsis/thread" => 2,
        // It needs no handle.
        "cmsis/time" => 1,
        _ => 0,
    };
    WAYS.into_iter().skip(first)
}

fn row(console: &Console, bench: &str, (case, way): (&str, &str)) -> Result<Row> {
    let samples = console.samples(&format!("{bench}/{way}"))?;
    ensure!(samples.len() == SAMPLES, "{bench}, {case}: {} samples instead of {SAMPLES}", samples.len());
    let each = samples.iter().map(|sample| Ok(nearest(sample.instructions()?, ROUNDS)));
    Row::instructions(bench, case, &each.collect::<Result<Vec<_>>>().with_context(|| bench.to_owned())?)
}
