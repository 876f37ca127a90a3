//! Thread-Metric's six programs through the C interface: instructions per iteration.

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::calibration;
use crate::console::{Console, Sample};
use crate::row::Row;
use crate::systems::{METRIC, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &[
    "metric/cooperative",
    "metric/preemptive",
    "metric/message-16",
    "metric/synchronisation",
    "metric/interrupt",
    "metric/interrupt-preemption",
];

/// A semaphore that only threads of one process use.
pub const WITHIN: &str = "a binary semaphore, one process";
/// A semaphore that threads of two processes use.
pub const ACROSS: &str = "a binary semaphore, two processes";
/// A counting semaphore, which has no owner.
pub const UNITS: &str = "a counting semaphore";
/// A call instead of the interrupt.
pub const CALLED: &str = "a call in the interrupt's place";
/// An interrupt taken by the same thread.
pub const OWN: &str = "a bit of the same thread";
/// An interrupt for which another thread signals.
pub const SERVED: &str = "a more urgent thread signals";

/// How many samples a program has, and how many rounds each sample covers: `metric.h` has both.
const SAMPLES: usize = 100;
const ROUNDS: u64 = 100;

/// A program: its row, the name of its samples, and how many threads' counters a round increments.
pub struct Program {
    bench: &'static str,
    case: &'static str,
    samples: &'static str,
    counts: u64,
}

const PROGRAMS: [Program; 10] = [
    program("metric/cooperative", "a thread's turn among five", "metric/cooperative", 5),
    program("metric/preemptive", "a thread's run among five", "metric/preemptive", 5),
    program("metric/message-16", "sent and received", "metric/message-16", 1),
    program("metric/synchronisation", ACROSS, "metric/synchronisation/across", 1),
    program("metric/synchronisation", WITHIN, "metric/synchronisation/within", 1),
    program("metric/synchronisation", UNITS, "metric/synchronisation/units", 1),
    program("metric/interrupt", CALLED, "metric/interrupt/called", 1),
    program("metric/interrupt", OWN, "metric/interrupt/own", 1),
    program("metric/interrupt", SERVED, "metric/interrupt/server", 1),
    program(
        "metric/interrupt-preemption",
        "interrupt, a more urgent thread, back",
        "metric/interrupt-preemption",
        1,
    ),
];

/// A program.
pub const fn program(bench: &'static str, case: &'static str, samples: &'static str, counts: u64) -> Program {
    Program { bench, case, samples, counts }
}

/// The length of the run, in millions of instructions.
pub const MILLIONS: u64 = 60;

/// Builds the system, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(METRIC)?, workshop, MILLIONS)?;
    calibration::check(&console)?;
    PROGRAMS.iter().map(|program| row(program, &console)).collect()
}

/// The samples of a program are means: a round is a hundredth of a sample, and an iteration a thread's share
/// of a round.
pub fn row(Program { bench, case, samples, counts }: &Program, console: &Console) -> Result<Row> {
    let samples = console.samples(samples)?;
    ensure!(samples.len() == SAMPLES, "{bench}: {} samples instead of {SAMPLES}", samples.len());
    let each = samples.iter().map(|sample| Ok(nearest(sample.instructions()?, ROUNDS * counts)));
    Row::instructions(bench, case, &each.collect::<Result<Vec<_>>>().with_context(|| (*bench).to_owned())?)
}

/// The samples of a row, and how many iterations each covers.
pub fn samples<'console>(
    bench: &str,
    case: &str,
    console: &'console Console,
) -> Result<(&'console [Sample], u64)> {
    let program = PROGRAMS.iter().find(|program| program.bench == bench && program.case == case);
    let program = program.with_context(|| format!("{bench}, {case}: no such program"))?;
    Ok((console.samples(program.samples)?, ROUNDS * program.counts))
}

/// The quotient, rounded to nearest.
pub const fn nearest(sum: u64, parts: u64) -> u64 {
    (sum + parts / 2) / parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bench_has_a_program_and_every_program_a_bench() {
        let mut benches: Vec<_> = PROGRAMS.iter().map(|program| program.bench).collect();
        benches.dedup();
        assert_eq!(benches, NAMES);
    }

    #[test]
    fn an_iteration_is_a_threads_share_of_a_round() {
        // 100 rounds of five counts, 74 and 2 instructions each, and a reading.
        let lines = "sample metric/cooperative 1000 973877\n".repeat(SAMPLES);
        let console = Console::parse(&(lines + "end\n"), crate::console::TICK).expect("samples");
        let row = row(&PROGRAMS[0], &console).expect("a row");
        assert_eq!((row.figures.min, row.figures.max, row.figures.n), (76, 76, SAMPLES));
        assert_eq!([nearest(7499, 100), nearest(7450, 100), nearest(7449, 100)], [75, 75, 74]);
    }
}
