//! The sweep over all points: on all processors, with a line of progress for each number of tasks.

use std::time::Instant;

use anyhow::{Result, anyhow};

use crate::costs::{Blocks, Costs, Parse};
use crate::measured::Measured;
use crate::record::{Reading, Record, Row, Set};
use crate::scheduler::{Scheduler, Test};
use crate::workload::{Periods, Work, workload};

/// Numbers of tasks.
pub const TASKS: [u64; 10] = [5, 10, 15, 20, 25, 30, 35, 40, 45, 50];
/// By what periods are divided: figures 11, 12 and 13.
pub const DIVISORS: [u64; 3] = [1, 2, 3];
/// The points about which the paper says numbers: divisor and number of tasks.
pub const STATED: [(u64, u64); 3] = [(1, 15), (1, 40), (2, 15)];
/// The fourth is about RM.
pub const STATED_OF_RM: (u64, u64) = (2, 40);

/// The reading of the figures: see docs/measurements/breakdown.md.
pub const READING: Reading = Reading {
    parse: Parse::OnceAJob,
    blocks: Blocks::AsReasoned,
    periods: Periods::Any,
    work: Work::UpToPeriod,
};
/// Readings are compared by a part of the workloads.
const PART: u64 = 5;

/// All readings: 4 x 2 of costs by 3 x 3 of workloads.
pub fn readings() -> Vec<Reading> {
    let mut readings = Vec::new();
    for periods in [Periods::Whole, Periods::Any, Periods::Logarithmic] {
        for work in [Work::UpToPeriod, Work::UpToSame, Work::Shares] {
            for parse in [Parse::Never, Parse::OnceAJob, Parse::EachSelection, Parse::UpToTheChosen] {
                for blocks in [Blocks::AsPrinted, Blocks::AsReasoned] {
                    readings.push(Reading { parse, blocks, periods, work });
                }
            }
        }
    }
    readings
}

/// Measures everything, with so many workloads a point; a fifth of them for each reading.
///
/// # Errors
/// Recorded costs are missing, or a test fails to answer.
pub fn all(workloads: u64) -> Result<Record> {
    let measured = Measured::read()?;
    let began = Instant::now();
    let mut rows = Vec::new();
    for set in [Set::Printed, Set::Sound, Set::Beryl] {
        rows.extend(figures(set, workloads, &measured, began)?);
    }
    let readings = readings();
    for (number, reading) in readings.iter().enumerate() {
        let set = Set::Reading(*reading);
        for (divisor, tasks) in STATED.into_iter().chain([STATED_OF_RM]) {
            let schedulers = [Scheduler::Csd4, Scheduler::Edf, Scheduler::Rm];
            rows.extend(point(set, divisor, tasks, &schedulers, workloads.div_ceil(PART), &measured)?);
        }
        eprintln!("reading {} of {}: {} s", number + 1, readings.len(), began.elapsed().as_secs());
    }
    eprintln!("{} figures in {} s", rows.len(), began.elapsed().as_secs());
    Ok(Record(rows))
}

/// Measures with Beryl's costs anew, with so many workloads a point, and takes the other rows as they were.
///
/// # Errors
/// As [`all`].
pub fn beryl(workloads: u64, before: Record) -> Result<Record> {
    let mut measured = figures(Set::Beryl, workloads, &Measured::read()?, Instant::now())?.into_iter();
    // Each row stays in its place.
    let anew = |row: Row| if row.set == Set::Beryl { measured.next() } else { Some(row) };
    Ok(Record(before.0.into_iter().filter_map(anew).collect()))
}

/// The three figures of one set.
fn figures(set: Set, workloads: u64, measured: &Measured, began: Instant) -> Result<Vec<Row>> {
    let name = match set {
        Set::Printed => "paper's test",
        Set::Sound => "sound test",
        Set::Beryl => "Beryl's costs",
        Set::Reading(_) => "reading",
    };
    let mut rows = Vec::new();
    for divisor in DIVISORS {
        for tasks in TASKS {
            rows.extend(point(set, divisor, tasks, &Scheduler::ALL, workloads, measured)?);
            eprintln!("{name}, periods / {divisor}, n = {tasks}: {} s", began.elapsed().as_secs());
        }
    }
    Ok(rows)
}

/// One number of tasks under several schedulers.
fn point(
    set: Set,
    divisor: u64,
    tasks: u64,
    schedulers: &[Scheduler],
    workloads: u64,
    measured: &Measured,
) -> Result<Vec<Row>> {
    let workers = std::thread::available_parallelism().map_or(1, |count| count.get());
    let (costs, test, reading) = match set {
        Set::Printed => (Costs::Paper(READING.parse, READING.blocks), Test::Printed, READING),
        Set::Sound => (Costs::Paper(READING.parse, READING.blocks), Test::Sound, READING),
        Set::Beryl => (Costs::Beryl(measured), Test::Sound, READING),
        Set::Reading(reading) => (Costs::Paper(reading.parse, reading.blocks), Test::Printed, reading),
    };
    let part = |worker: usize| -> Result<Vec<u64>> {
        let mut sums = vec![0; schedulers.len()];
        for number in (0..workloads).skip(worker).step_by(workers) {
            let workload = workload(tasks, number, divisor, reading.periods, reading.work);
            for (sum, scheduler) in sums.iter_mut().zip(schedulers) {
                *sum += scheduler.breakdown(&workload, &costs, test)?;
            }
        }
        Ok(sums)
    };
    let parts = std::thread::scope(|scope| {
        let part = &part;
        let running: Vec<_> = (0..workers).map(|worker| scope.spawn(move || part(worker))).collect();
        let ended =
            running.into_iter().map(|worker| worker.join().map_err(|_| anyhow!("a worker panicked"))?);
        ended.collect::<Result<Vec<_>>>()
    })?;
    let row = |(index, scheduler): (usize, &Scheduler)| {
        let sum = parts.iter().map(|sums| sums[index]).sum();
        Row { set, divisor, tasks, scheduler: *scheduler, workloads, sum }
    };
    Ok(schedulers.iter().enumerate().map(row).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same workloads give the same figures, on however many processors; and as they are recorded.
    #[test]
    fn a_recorded_point_comes_out_again() -> Result<()> {
        let record = Record::read()?;
        let measured = Measured::read()?;
        for set in [Set::Printed, Set::Sound, Set::Beryl] {
            let recorded = record.0.iter().find(|row| (row.set, row.divisor, row.tasks) == (set, 2, 5));
            let workloads = recorded.map_or(0, |row| row.workloads);
            for row in point(set, 2, 5, &Scheduler::ALL, workloads, &measured)? {
                assert!(record.0.contains(&row), "{row:?} isn't recorded; run with --record");
            }
        }
        Ok(())
    }
}
