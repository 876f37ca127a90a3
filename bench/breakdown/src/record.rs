//! Recorded figures: a row a line in docs/measurements/breakdown.jsonl.

use anyhow::{Context, Result};
use beryl_breakdown::{read_rows, write_rows};
use serde::{Deserialize, Serialize};

use crate::costs::{Blocks, Parse};
use crate::scheduler::Scheduler;
use crate::workload::{Periods, Work};

/// One of the ways to read what the paper leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// How often looking at a queue is charged.
    pub parse: Parse,
    /// Which form of Table 2.
    pub blocks: Blocks,
    /// How periods are drawn.
    pub periods: Periods,
    /// How execution times are drawn.
    pub work: Work,
}

/// By which costs and which test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Set {
    /// The paper's costs and its test as printed.
    Printed,
    /// The paper's costs and a sound test.
    Sound,
    /// Beryl's costs and a sound test.
    Beryl,
    /// A reading, by the paper's costs and its test as printed.
    Reading(Reading),
}

/// A point of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Costs and test.
    pub set: Set,
    /// By what the periods are divided.
    pub divisor: u64,
    /// The number of tasks.
    pub tasks: u64,
    /// The scheduler.
    pub scheduler: Scheduler,
    /// How many workloads.
    pub workloads: u64,
    /// The sum of their breakdown utilisations, in ten-thousandths.
    pub sum: u64,
}

/// All rows.
pub struct Record(pub Vec<Row>);

const FILE: &str = "breakdown.jsonl";

impl Record {
    /// What is recorded.
    ///
    /// # Errors
    /// The file can't be read.
    pub fn read() -> Result<Record> {
        Ok(Record(read_rows(FILE)?))
    }

    /// Records it.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn write(&self) -> Result<()> {
        write_rows(FILE, &self.0)
    }

    /// The average breakdown utilisation of a point, in hundred-thousandths.
    ///
    /// # Errors
    /// The point isn't recorded.
    pub fn mean(&self, set: Set, divisor: u64, tasks: u64, scheduler: Scheduler) -> Result<u64> {
        let is_it =
            |row: &&Row| (row.set, row.divisor, row.tasks, row.scheduler) == (set, divisor, tasks, scheduler);
        let row = self.0.iter().find(is_it).with_context(|| {
            format!(
                "no figure for {set:?}, {divisor}, {tasks} tasks, {}; run it with --record",
                scheduler.name()
            )
        })?;
        Ok((10 * row.sum + row.workloads / 2) / row.workloads.max(1))
    }
}
