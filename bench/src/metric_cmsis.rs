//! Thread-Metric's programs over CMSIS-RTOS2: instructions per iteration. An interrupt runs no code in C, so those two programs have
//! no form there; memory pools give the suite's program for memory one.

use anyhow::Result;
use beryl_builder::workshop::Workshop;

use crate::calibration;
use crate::metric::{Program, program, row};
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

/// In the order of [`NAMES`].
const PROGRAMS: [Program; 5] = [
    program(NAMES[0], "a thread's turn among five", "metric/cmsis/cooperative", 5),
    program(NAMES[1], "a thread's run among five", "metric/cmsis/preemptive", 5),
    program(NAMES[2], "put and got", "metric/cmsis/message", 1),
    program(NAMES[3], "a semaphore taken and given back", "metric/cmsis/synchronisation", 1),
    program(NAMES[4], "a block of 128 bytes taken and given back", "metric/cmsis/allocation", 1),
];

/// The length of the run, in millions of instructions.
const MILLIONS: u64 = 200;

/// Builds the system, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(METRIC_CMSIS)?, workshop, MILLIONS)?;
    calibration::check(&console)?;
    PROGRAMS.iter().map(|program| row(program, &console)).collect()
}
