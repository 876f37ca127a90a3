//! `./x bench purposes`: breaks the instructions of rows that missed their aims down by purpose.
//!
//! A sample of each row is taken from the emulator's log of executed instructions: the last one with the
//! row's largest figure. Instructions outside of the kernel are counted; each instruction of the kernel has a
//! purpose, by the function that it comes from ([`rules`]). The total must equal the row's figure, or it is
//! an error.

mod between;
mod breakdown;
mod code;
mod executed;
mod origin;
mod purpose;
mod rules;
mod steps;
mod system;
mod table;
mod take;

use std::process::ExitCode;
use std::sync::mpsc;

use anyhow::{Context, Result, anyhow, ensure};
use beryl_builder::toolchain::root;
use beryl_builder::workshop::Workshop;
use clap::Parser;

pub use breakdown::{Breakdown, Breakdowns};
pub use purpose::Purpose;
pub use table::not_attributed;

use crate::pages;
use crate::recorded::Recorded;
use crate::row::{Row, Unit};
use steps::Steps;
use system::System;
use take::{Apart, Ready};

/// Tells what the instructions of rows are for that have missed their aims, by
/// docs/measurements/recorded.jsonl: one sample of each, from the emulator's log of executed instructions,
/// attributed by the kernel's line tables. Takes about four minutes, and with a filter less.
///
/// A sample whose instructions aren't those that were counted is an error.
#[derive(Parser)]
#[command(
    name = "purposes",
    after_help = "\
Examples:
  ./x bench purposes                       all of them
  ./x bench purposes yield wake            only benches with `yield` or `wake` in their name
  ./x bench purposes semaphore/poll --each each instruction, what it is for, and where it comes from
  ./x bench purposes --record              all of them, into docs/measurements/purposes.jsonl and the pages
  ./x bench --plots                        the pages again, from what is recorded"
)]
struct Arguments {
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
    /// Print each instruction of the kernel with what it is for and where it comes from.
    #[arg(long, conflicts_with = "json")]
    each: bool,
    /// Record what they are for in docs/measurements, and make its pages anew.
    #[arg(long, conflicts_with = "filters")]
    record: bool,
    /// Only benches whose name contains one of these.
    filters: Vec<String>,
}

/// Runs the program.
#[must_use]
pub fn run() -> ExitCode {
    match tell(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("error: {reason:#}");
            ExitCode::FAILURE
        }
    }
}

fn tell(arguments: &Arguments) -> Result<()> {
    let recorded = Recorded::read()?;
    let rows = wanted(&recorded, &arguments.filters)?;
    let mut all = taken_apart(&rows, &Workshop::new(&root()))?;
    let place = |apart: &Apart| {
        let Breakdown { bench, case, .. } = &apart.breakdown;
        rows.iter().position(|row| row.bench == *bench && row.case == *case)
    };
    all.sort_by_key(place);
    if arguments.each {
        for Apart { breakdown, instructions } in &all {
            println!("{}: {} instructions outside of the kernel, then", breakdown.name(), breakdown.outside);
            instructions.iter().for_each(|line| println!("{line}"));
            println!();
        }
    }
    let breakdowns: Vec<_> = all.into_iter().map(|apart| apart.breakdown).collect();
    match arguments.json {
        true => breakdowns.iter().for_each(|row| println!("{}", row.json())),
        false => print!("{}", table::table(&breakdowns)),
    }
    if let Err(stale) = agree(&breakdowns, &recorded) {
        ensure!(!arguments.record, "{stale}");
        eprintln!("{stale}");
    }
    if arguments.record {
        Breakdowns(breakdowns).write()?;
        pages::write(&recorded)?;
    }
    Ok(())
}

/// Rows that documents use as explanations: they stay when they meet their aims.
const EXAMPLES: [&str; 1] = ["yield/same-process"];

/// The rows to break down: those that missed an aim in instructions, and examples.
pub fn told_apart(recorded: &Recorded) -> Vec<Row> {
    let missed = pages::missed_rows(recorded.rows()).into_iter().filter(|row| row.unit == Unit::Instructions);
    let mut rows: Vec<_> = missed.collect();
    let examples = recorded.rows().iter().filter(|row| EXAMPLES.contains(&row.bench.as_str()));
    let met = examples.filter(|row| !rows.contains(row)).cloned().collect::<Vec<_>>();
    rows.extend(met);
    rows
}

fn wanted(recorded: &Recorded, filters: &[String]) -> Result<Vec<Row>> {
    let is_wanted =
        |row: &Row| filters.is_empty() || filters.iter().any(|filter| row.bench.contains(filter.as_str()));
    let rows: Vec<_> = told_apart(recorded).into_iter().filter(is_wanted).collect();
    ensure!(
        !rows.is_empty(),
        "no bench that missed its aim has `{}` in its name; the table `missed` in bench/README.md has all",
        filters.join("` or `")
    );
    Ok(rows)
}

/// Checks that the breakdowns match the recorded rows.
///
/// # Errors
/// The rows that don't match, and what to do.
pub fn agree(breakdowns: &[Breakdown], recorded: &Recorded) -> Result<()> {
    let mut stale = Vec::new();
    for breakdown in breakdowns {
        let said = recorded.row(&breakdown.bench, &breakdown.case).map(|row| row.figures.max);
        if said.as_ref().ok() != Some(&breakdown.figure) {
            let said = said.map_or_else(|_| "nothing".to_owned(), |said| said.to_string());
            stale.push(format!("{}: {} here, {said} there", breakdown.name(), breakdown.figure));
        }
    }
    ensure!(
        stale.is_empty(),
        "what instructions are for isn't of the kernel whose rows docs/measurements/recorded.jsonl has; \
         run ./x bench --record, or ./x bench purposes --record if the rows are new:\n  {}",
        stale.join("\n  ")
    );
    Ok(())
}

/// Breaks rows down. While one system makes its second run, the next is built and makes its first.
fn taken_apart(rows: &[Row], workshop: &Workshop) -> Result<Vec<Apart>> {
    let (systems, others) = by_system(rows)?;
    let number = systems.len();
    let (sender, receiver) = mpsc::channel::<Ready>();
    std::thread::scope(|scope| {
        let second = scope.spawn(move || {
            let mut all = Vec::new();
            for (count, ready) in receiver.into_iter().enumerate() {
                eprintln!("purposes: {} is logged, {} of {number}", ready.name(), count + 1);
                all.extend(ready.take().with_context(|| ready.name().to_owned())?);
            }
            Ok::<_, anyhow::Error>(all)
        });
        for (system, rows) in &systems {
            let ready = Ready::of(*system, rows, workshop)?;
            // If the receiver is gone, it has failed and reports why.
            if sender.send(ready).is_err() {
                break;
            }
        }
        drop(sender);
        let (mut apart, mut steps) = (Vec::new(), Steps::new(workshop));
        for row in &others {
            eprintln!("purposes: {}, {}", row.bench, row.case);
            apart.push(steps.take(row)?);
        }
        apart.extend(second.join().map_err(|_| anyhow!("whoever took samples apart failed"))??);
        Ok(apart)
    })
}

/// Systems with their rows.
type Systems = Vec<(System, Vec<Row>)>;

/// The rows of each system, those with the longest runs first, and the rows without a system.
fn by_system(rows: &[Row]) -> Result<(Systems, Vec<Row>)> {
    let (mut systems, mut others) = (Systems::new(), Vec::new());
    for row in rows {
        match System::of(row) {
            Some(system) => match systems.iter_mut().find(|(own, _)| *own == system) {
                Some((_, rows)) => rows.push(row.clone()),
                None => systems.push((system, vec![row.clone()])),
            },
            None if steps::is_of_steps(row) => others.push(row.clone()),
            None => {
                let reason = "nothing here takes its samples apart; add where they lie to bench/src/purposes/system.rs";
                return Err(anyhow!("{}, {}: {reason}", row.bench, row.case));
            }
        }
    }
    systems.sort_by_key(|(system, _)| *system);
    Ok((systems, others))
}

#[cfg(test)]
mod tests;
