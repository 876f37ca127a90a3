//! What it takes until a process begins anew after a fault, by the memory that it has for itself.

use anyhow::{Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::row::Row;
use crate::systems::{RESTARTS, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &["restart"];

/// Bytes of memory, as in `bench/restarts`, in words, and the process that has them.
pub const MEMORY: [(u32, &str, &str); 3] =
    [(64, "hardly any memory", "least"), (1024, "a kilobyte", "more"), (4096, "four kilobytes", "most")];
/// How often each process may begin anew.
const SAMPLES: usize = 8;

/// Builds the system, runs it, and counts: from the fault to the first instruction of the thread's function.
///
/// # Errors
/// Those of building and running it, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(RESTARTS)?, workshop, 20)?;
    let row = |(bytes, case, _): (u32, &str, &str)| {
        let samples = console.samples(&format!("restart/{bytes}"))?;
        ensure!(samples.len() == SAMPLES, "{bytes} bytes: {} samples instead of {SAMPLES}", samples.len());
        let counts = samples.iter().map(|sample| sample.instructions());
        Row::instructions(NAMES[0], case, &counts.collect::<Result<Vec<_>>>()?)
    };
    MEMORY.into_iter().map(row).collect()
}
