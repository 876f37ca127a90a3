//! `./x bench`: instructions and bytes of the kernel that users get, as a table.
#![forbid(unsafe_code)]

mod aims;
mod apart;
mod bars;
pub mod bells;
mod boards;
mod buffers;
mod calibration;
mod cmsis;
mod cmsis_waits;
mod console;
mod contention;
pub mod cores;
pub mod counted;
pub mod ecosystem;
mod entered;
pub mod events;
mod generated;
mod grid;
mod idle;
pub mod jobs;
pub mod kinds;
mod l4;
pub mod looks;
mod machine;
mod machine_text;
mod metric;
mod metric_cmsis;
mod modules;
pub mod objects;
pub mod observed;
mod pages;
mod peers;
pub mod plot;
mod policing;
pub mod purposes;
mod queues;
mod recorded;
mod restarts;
mod rings;
pub mod row;
mod sections;
mod semaphores;
mod shielded;
mod sizes;
mod slack;
pub mod step;
pub mod systems;
mod table;
mod traced;
mod votes;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use clap::Parser;

use machine::{LENGTHS, Length};
use policing::{accounting, anew, latency, returns, storm, text, wakes};
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
    /// Record the figures in docs/measurements, and make its tables and plots anew; of some benches only theirs.
    #[arg(long, conflicts_with = "plots")]
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
    /// Of the benches that take long only those whose turn it is: a third, by this number's remainder.
    #[arg(long, conflicts_with_all = ["record", "plots"])]
    turn: Option<usize>,
    /// Only benches whose name contains one of these.
    filters: Vec<String>,
}

/// Benches that are measured together: their names, and the function that measures them, fully or briefly. What takes
/// longer than half a minute of a processor has a turn, from 0 to [`TURNS`].
type Group = (&'static [&'static str], fn(&Workshop, bool) -> Result<Vec<Row>>, Option<usize>);

/// How many numbers of turns there are.
const TURNS: usize = 3;

const GROUPS: [Group; 36] = [
    (counted::NAMES, |workshop, _| counted::rows(workshop), None),
    (objects::NAMES, |workshop, _| objects::rows(workshop), None),
    (sections::NAMES, |workshop, _| sections::rows(workshop), None),
    (metric::NAMES, |workshop, _| metric::rows(workshop), None),
    (metric_cmsis::NAMES, |workshop, _| metric_cmsis::rows(workshop), None),
    (semaphores::NAMES, |workshop, _| semaphores::rows(workshop), Some(0)),
    (jobs::NAMES, |workshop, _| jobs::rows(workshop), Some(1)),
    (traced::NAMES, |workshop, _| traced::rows(workshop), None),
    (restarts::NAMES, |workshop, _| restarts::rows(workshop), None),
    (sizes::NAMES, |workshop, _| sizes::rows(workshop), None),
    (machine_text::NAMES, |workshop, _| machine_text::rows(workshop), None),
    (step::NAMES, |workshop, _| step::rows(workshop), None),
    (queues::WITH_CONTENTION, |workshop, _| queues::rows(workshop), Some(0)),
    (slack::NAMES, |workshop, _| slack::rows(workshop), None),
    (buffers::NAMES, |workshop, _| buffers::rows(workshop), None),
    (l4::NAMES, |workshop, _| l4::rows(workshop), None),
    (
        machine::NAMES,
        |workshop, is_brief| machine::rows(workshop, if is_brief { BRIEF } else { &LENGTHS }),
        Some(2),
    ),
    (machine::check::NAMES, |workshop, _| machine::check::rows(workshop), None),
    (idle::NAMES, |workshop, _| idle::rows(workshop), Some(1)),
    (boards::NAMES, |workshop, _| boards::rows(workshop), Some(1)),
    (accounting::NAMES, accounting::rows, None),
    (latency::NAMES, latency::rows, None),
    (returns::NAMES, returns::rows, None),
    (wakes::NAMES, wakes::rows, None),
    (anew::NAMES, |_, _| anew::rows(), None),
    (storm::NAMES, |workshop, _| storm::rows(workshop), None),
    (text::NAMES, text::rows, None),
    (modules::NAMES, modules::rows, Some(0)),
    (cmsis::NAMES, |workshop, _| cmsis::rows(workshop), None),
    (cmsis_waits::NAMES, |workshop, _| cmsis_waits::rows(workshop), None),
    (ecosystem::NAMES, |workshop, _| ecosystem::rows(workshop), None),
    (bells::NAMES, |workshop, _| bells::rows(workshop), None),
    (shielded::NAMES, |workshop, _| shielded::rows(workshop), Some(2)),
    (looks::NAMES, |workshop, _| looks::rows(workshop), None),
    (votes::NAMES, |workshop, _| votes::rows(workshop), None),
    (apart::NAMES, |workshop, _| apart::rows(workshop), Some(0)),
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
        let recorded = match arguments.filters.is_empty() {
            true => Recorded::of(rows),
            false => Recorded::read()?.with(rows),
        };
        recorded.write()?;
        return pages::write(&recorded);
    }
    Recorded::read()?.compare(&rows)
}

fn rows(arguments: &Arguments, workshop: &Workshop) -> Result<Vec<Row>> {
    let filters = &arguments.filters;
    let is_wanted = |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter));
    let mut rows = Vec::new();
    for (names, measure, own) in GROUPS {
        if !has_turn(own, arguments.turn) {
            continue;
        }
        // Some benches add a number to the name of their group.
        let is_numbered = |name: &str| filters.iter().any(|filter| filter.starts_with(name));
        if names.iter().any(|name| is_wanted(name) || is_numbered(name)) {
            rows.extend(measure(workshop, arguments.brief)?.into_iter().filter(|row| is_wanted(&row.bench)));
        }
    }
    ensure!(!rows.is_empty(), "no bench has `{}` in its name; `./x bench` runs all", filters.join("` or `"));
    Ok(rows)
}

/// Whether benches with their `own` turn are measured; all are if nobody says whose `turn` it is.
fn has_turn(own: Option<usize>, turn: Option<usize>) -> bool {
    own.zip(turn).is_none_or(|(own, turn)| turn % TURNS == own)
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
    fn what_takes_long_has_its_turn_once_in_three_times() {
        let measured = |turn: Option<usize>| GROUPS.map(|(.., own)| has_turn(own, turn));
        let turns = [30, 31, 32].map(|turn| measured(Some(turn)));
        for (place, (.., own)) in GROUPS.iter().enumerate() {
            let times = turns.iter().filter(|measured| measured[place]).count();
            assert_eq!(times, if own.is_some() { 1 } else { 3 }, "{place}");
        }
        assert_eq!(measured(None), [true; 36], "all without turns");
    }

    #[test]
    fn runs_that_differ_are_refused() {
        assert!(same(&[row(&[7, 8])], &[row(&[8, 7])]).is_ok());
        let error = same(&[row(&[7, 8])], &[row(&[7, 9])]).expect_err("they differ").to_string();
        assert!(error.contains("\"max\":8") && error.contains("\"max\":9"), "{error}");
        assert!(same(&[row(&[7])], &[]).is_err());
    }
}
