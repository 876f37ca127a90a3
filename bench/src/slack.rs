//! Slack stealing: what it takes to work out the slack of so many tasks.

use anyhow::Result;
use beryl_builder::workshop::Workshop;

use crate::console::Console;
use crate::row::Row;
use crate::systems::{SLACK, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &["slack"];
/// Numbers of tasks, as `bench/slack/app` has them.
const TASKS: [u32; 4] = [4, 8, 12, 16];

/// The length of the run, in millions of instructions.
const MILLIONS: u64 = 60;

/// Builds and runs the system that works slack out.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(SLACK)?, workshop, MILLIONS)?;
    TASKS.iter().map(|tasks| row(&console, *tasks)).collect()
}

fn row(console: &Console, tasks: u32) -> Result<Row> {
    let samples = console.samples(&format!("slack/{tasks}"))?;
    let counts: Result<Vec<u64>> = samples.iter().map(|sample| sample.instructions()).collect();
    Row::instructions(NAMES[0], &format!("{tasks} tasks"), &counts?)
}
