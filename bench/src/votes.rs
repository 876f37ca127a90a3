//! What a vote of a task takes, by the replicas that it asks and the length of what they say.

use anyhow::Result;
use beryl_builder::workshop::Workshop;

use crate::generated::{band, head, project, thread};
use crate::row::Row;
use crate::systems::run;

/// The benches: instructions of the task's process.
pub const NAMES: &[&str] = &["vote"];
/// The replicas, the bytes of what they say, and who of them is right, as `bench/app` has them.
pub const REPLICAS: [u32; 3] = [3, 5, 7];
pub const BYTES: [u32; 3] = [4, 16, 64];
pub const AGREEING: [&str; 3] = ["same", "outvoted", "apart"];

/// The length of the run, in millions of instructions.
const MILLIONS: u64 = 20;

/// Builds and runs the system that votes.
///
/// # Errors
/// Those of building and running it, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    const NAME: &str = "bench_votes";
    let description = head(NAME, "64k")
        + &band("threads", "fixed")
        + &thread("votes", "threads", "votes", "4k", "priority = 1\n");
    let console = run(&project(workshop, NAME, &description)?, workshop, MILLIONS)?;
    let mut rows = Vec::new();
    for replicas in REPLICAS {
        for bytes in BYTES {
            for agreeing in AGREEING {
                let samples = console.samples(&format!("vote/{replicas}/{bytes}/{agreeing}"))?;
                let counts =
                    samples.iter().map(|sample| sample.instructions()).collect::<Result<Vec<_>>>()?;
                rows.push(Row::instructions(NAMES[0], &case(replicas, bytes, agreeing), &counts)?);
            }
        }
    }
    Ok(rows)
}

/// The case of so many replicas and bytes.
#[must_use]
pub fn case(replicas: u32, bytes: u32, agreeing: &str) -> String {
    format!("{replicas} replicas, {bytes} bytes, {agreeing}")
}
