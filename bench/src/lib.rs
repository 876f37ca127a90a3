//! `./x bench`: instructions and bytes of the kernel that users get, as a table.
#![forbid(unsafe_code)]

mod aims;
mod bars;
mod calibration;
mod console;
mod contention;
mod counted;
pub mod events;
mod generated;
mod grid;
mod idle;
pub mod jobs;
pub mod kinds;
mod machine;
mod machine_text;
mod metric;
pub mod objects;
pub mod observed;
mod pages;
mod peers;
pub mod plot;
pub mod purposes;
mod queues;
mod recorded;
pub mod row;
mod sections;
mod semaphores;
mod sizes;
pub mod step;
pub mod systems;
mod table;
mod traced;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use clap::Parser;

use machine::{LENGTHS, Length};
use recorded::Recorded;
use row::Row;

/// Measures the kernel on an emulated board: executed instructions and bytes.
///
/// A missed aim is printed and is no failure. A calibration that is off, two runs that differ, a step that
/// was seen to be longer than its bound, and a figure that is worse than recorded are failures.
#[derive(Parser)]
#[command(name = "bench", after_help = "Example:\n  ./x bench yield semaphore")]
struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Record the figures in docs/measurements, and make its tables and plots anew.
    #[arg(long, conflicts_with_all = ["filters", "plots"])]
    record: bool,
    /// Only make tables and plots anew, from the recorded figures; measures nothing.
    #[arg(long, conflicts_with = "filters")]
    plots: bool,
    /// Of the 48 systems of the programmable microkernel's paper only those with short jobs: a few minutes less.
    #[arg(long, conflicts_with_all = ["record", "plots"])]
    brief: bool,
    /// Measure everything once more, and fail if a figure differs.
    #[arg(long, conflicts_with = "plots")]
    twice: bool,
    /// Only benches whose name contains one of these.
    filters: Vec<String>,
}

/// Benches that are measured together: their names, and the function that measures them, fully or briefly.
type Group = (&'static [&'static str], fn(&Workshop, bool) -> Result<Vec<Row>>);

const GROUPS: [Group; 14] = [
    (counted::NAMES, |workshop, _| counted::rows(workshop)),
    (objects::NAMES, |workshop, _| objects::rows(workshop)),
    (sections::NAMES, |workshop, _| sections::rows(workshop)),
    (metric::NAMES, |workshop, _| metric::rows(workshop)),
    (semaphores::NAMES, |workshop, _| semaphores::rows(workshop)),
    (jobs::NAMES, |workshop, _| jobs::rows(workshop)),
    (traced::NAMES, |workshop, _| traced::rows(workshop)),
    (sizes::NAMES, |workshop, _| sizes::rows(workshop)),
    (machine_text::NAMES, |workshop, _| machine_text::rows(workshop)),
    (step::NAMES, |workshop, _| step::rows(workshop)),
    (queues::WITH_CONTENTION, |workshop, _| queues::rows(workshop)),
    (machine::NAMES, |workshop, is_brief| machine::rows(workshop, if is_brief { BRIEF } else { &LENGTHS })),
    (machine::check::NAMES, |workshop, _| machine::check::rows(workshop)),
    (idle::NAMES, |workshop, _| idle::rows(workshop)),
];

/// The job lengths of the paper's systems that yield the figures with aims.
const BRIEF: &[Length] = &[Length::Short];

/// Runs the program.
#[must_use]
pub fn run() -> ExitCode {
    match measure(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: &Arguments) -> Result<()> {
    if arguments.plots {
        return pages::write(&Recorded::read()?);
    }
    let workshop = Workshop::new(&root());
    let rows = rows(arguments, &workshop)?;
    if arguments.twice {
        same(&rows, &self::rows(arguments, &workshop)?)?;
    }
    match arguments.json {
        true => rows.iter().for_each(|row| println!("{}", row.json())),
        false => print!("{}", table::table(&rows)),
    }
    if arguments.twice {
        eprintln!("two runs: identical figures");
    }
    if arguments.record {
        let recorded = Recorded::of(rows);
        recorded.write()?;
        return pages::write(&recorded);
    }
    Recorded::read()?.compare(&rows)
}

fn rows(arguments: &Arguments, workshop: &Workshop) -> Result<Vec<Row>> {
    let filters = &arguments.filters;
    let is_wanted = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter));
    let mut rows = Vec::new();
    for (names, measure) in GROUPS {
        // Some benches add a number to the name of their group.
        let is_numbered = |name: &str| filters.iter().any(|filter| filter.starts_with(name));
        if names.iter().any(|name| is_wanted(name) || is_numbered(name)) {
            rows.extend(measure(workshop, arguments.brief)?.into_iter().filter(|row| is_wanted(&row.bench)));
        }
    }
    ensure!(!rows.is_empty(), "no bench has `{}` in its name; `./x bench` runs all", filters.join("` or `"));
    Ok(rows)
}

/// The figures are exact, so another run must give the same.
fn same(first: &[Row], second: &[Row]) -> Result<()> {
    for (one, other) in first.iter().zip(second) {
        ensure!(one == other, "two runs differ:\n  {}\n  {}", one.json(), other.json());
    }
    ensure!(first.len() == second.len(), "two runs have different benches");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[u64]) -> Row {
        Row::instructions("null-call", "caller to caller", values).expect("values")
    }

    #[test]
    fn runs_that_differ_are_refused() {
        assert!(same(&[row(&[7, 8])], &[row(&[8, 7])]).is_ok());
        let error = same(&[row(&[7, 8])], &[row(&[7, 9])]).expect_err("they differ").to_string();
        assert!(error.contains("\"max\":8") && error.contains("\"max\":9"), "{error}");
        assert!(same(&[row(&[7])], &[]).is_err());
    }
}
