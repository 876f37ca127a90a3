//! Calls of CMSIS-RTOS2 in which a more urgent thread waits, beside Beryl's own calls in C for the same: instructions until that thread is
//! through with its call, and until the one that woke it goes on.

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::cmsis::WAYS;
use crate::console::Console;
use crate::row::Row;
use crate::systems::{WAITS, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &[
    "cmsis/waits/mutex",
    "cmsis/waits/semaphore",
    "cmsis/waits/flags",
    "cmsis/waits/thread-flags",
    "cmsis/waits/queue",
];

/// The one in which who is woken doesn't wait for the same again.
const ONCE: &str = NAMES[0];

/// How many samples each has: `bench/metric/c/metric.h` says so, too.
const SAMPLES: usize = 100;

/// The length of the run, in millions of instructions.
const MILLIONS: u64 = 100;

/// The case of a way, until the thread that waited is through, or `back` where the other goes on.
pub fn case(way: &str, back: bool) -> String {
    if back { format!("{way}, and back") } else { way.to_owned() }
}

/// Builds the system, runs it, and counts.
///
/// # Errors
/// Those of building and running it, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(WAITS)?, workshop, MILLIONS)?;
    let mut rows = Vec::new();
    for bench in NAMES {
        for (way, end) in WAYS {
            rows.push(row(&console, bench, &case(way, false), end)?);
            if *bench != ONCE {
                rows.push(row(&console, bench, &case(way, true), &format!("{end}/back"))?);
            }
        }
    }
    Ok(rows)
}

fn row(console: &Console, bench: &str, case: &str, end: &str) -> Result<Row> {
    let samples = console.samples(&format!("{bench}/{end}"))?;
    ensure!(samples.len() == SAMPLES, "{bench}, {case}: {} samples instead of {SAMPLES}", samples.len());
    let each = samples.iter().map(|sample| sample.instructions());
    Row::instructions(bench, case, &each.collect::<Result<Vec<_>>>().with_context(|| bench.to_string())?)
}
