//! Ready queues: the paper's three and the kernel's three (EMERALDS, Table 3), and the dispatch tables of TDL's scheduler; and, from
//! the same run, the paper's semaphores.

use anyhow::Result;
use beryl_builder::workshop::Workshop;

use crate::console::Console;
use crate::contention;
use crate::row::Row;
use crate::systems::{QUEUES, load, run};

/// The benches of queues.
pub const NAMES: [&str; 3] = ["queue/block", "queue/unblock", "queue/select"];
/// The same, and contention: one system measures both.
pub const WITH_CONTENTION: &[&str] =
    &[NAMES[0], NAMES[1], NAMES[2], contention::NAMES[0], contention::NAMES[1]];

/// The structures, as `bench/queues` names them.
pub const STRUCTURES: [&str; 7] = [
    "unsorted-list",
    "sorted-list",
    "sorted-heap",
    "dispatch-tables",
    "winner-tree",
    "ring-by-deadline",
    "rings",
];
/// Numbers of tasks, as `bench/queues/app` has them.
pub const TASKS: [u32; 12] = [5, 8, 10, 15, 20, 30, 40, 50, 60, 70, 85, 100];
/// The workload for the mean.
pub const RANDOM: &str = "random";
/// All workloads, including the worst ones for lists: for the maximum.
pub const ALL: &str = "all";

/// Builds and runs the system that measures queues.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(QUEUES)?, workshop, 190)?;
    let mut rows = Vec::new();
    for structure in STRUCTURES {
        for operation in NAMES {
            for tasks in TASKS {
                rows.extend(pair(&console, structure, operation, tasks)?);
            }
        }
    }
    rows.extend(contention::rows(&console)?);
    Ok(rows)
}

fn pair(console: &Console, structure: &str, bench: &str, tasks: u32) -> Result<[Row; 2]> {
    let operation = bench.trim_start_matches("queue/");
    let row = |workload: &str| {
        let tally = console.tally(&format!("{structure}/{operation}/{tasks}/{workload}"))?;
        Row::instructions(bench, &case(structure, tasks, workload), tally)
    };
    Ok([row(RANDOM)?, row(ALL)?])
}

/// The case of a structure, a number of tasks and a workload.
pub fn case(structure: &str, tasks: u32, workload: &str) -> String {
    format!("{structure}, {tasks} tasks, {workload}")
}
