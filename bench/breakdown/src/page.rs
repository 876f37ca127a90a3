//! The page docs/measurements/breakdown.md: prose by hand, tables and plots from recorded figures.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use beryl_breakdown::plot::{Line, Plot};
use beryl_breakdown::{folder, markdown, with_table};

use crate::record::{Reading, Record, Set};
use crate::scheduler::Scheduler;
use crate::sweep::{DIVISORS, READING, STATED, STATED_OF_RM, TASKS, readings};

const FILE: &str = "breakdown.md";
/// What the paper says about these points: so many hundredths less overhead.
const SAID: [i64; 4] = [17, 40, 25, 50];
const SETS: [(Set, &str, &str); 3] = [
    (Set::Printed, "printed", "the paper's costs and test"),
    (Set::Sound, "sound", "the paper's costs, a sound test"),
    (Set::Beryl, "beryl", "Beryl's costs, a sound test"),
];

/// Writes tables and plots.
///
/// # Errors
/// A figure isn't recorded, the page lacks a region, or a file can't be written.
pub fn write(record: &Record) -> Result<()> {
    beryl_breakdown::write(files(record)?)
}

fn files(record: &Record) -> Result<Vec<(PathBuf, String)>> {
    let path = folder().join(FILE);
    let mut text = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
    let mut files = Vec::new();
    for (set, name, title) in SETS {
        text = with_table(&text, name, &table(record, set)?)?;
        for divisor in DIVISORS {
            let figure = divisor + 10;
            let title = format!("Figure {figure} with {title}");
            files.push((
                folder().join(format!("breakdown-{figure}-{name}.svg")),
                plot(record, set, divisor, &title)?,
            ));
        }
    }
    text = with_table(&text, "conclusions", &conclusions(record)?)?;
    text = with_table(&text, "readings", &table_of_readings(record)?)?;
    files.push((path, text));
    Ok(files)
}

/// Average breakdown utilisations in percent.
fn table(record: &Record, set: Set) -> Result<String> {
    let header = std::iter::once("n".to_owned()).chain(TASKS.iter().map(u64::to_string)).collect();
    let mut rows = Vec::new();
    for divisor in DIVISORS {
        for scheduler in Scheduler::ALL {
            let mut row = vec![format!("Figure {}, {}", divisor + 10, scheduler.name())];
            for tasks in TASKS {
                row.push(tenths(rounded(record.mean(set, divisor, tasks, scheduler)?)));
            }
            rows.push(row);
        }
    }
    Ok(markdown(header, rows))
}

/// What is lost of the processor, since that begins at nothing: in tenths of a percent.
fn plot(record: &Record, set: Set, divisor: u64, title: &str) -> Result<String> {
    let line = |scheduler: &Scheduler| -> Result<Line> {
        let point = |tasks: &u64| Ok((*tasks, rounded(lost(record, set, divisor, *tasks, *scheduler)?)));
        let points = TASKS.iter().map(point).collect::<Result<_>>()?;
        Ok(Line { name: scheduler.name().to_owned(), points })
    };
    let lines = Scheduler::ALL.iter().map(line).collect::<Result<_>>()?;
    let up = "lost to scheduling: 1 - breakdown utilisation, in 1/10 %";
    Ok(Plot { title, across: "tasks", up, lines }.svg())
}

/// In hundred-thousandths.
fn lost(record: &Record, set: Set, divisor: u64, tasks: u64, scheduler: Scheduler) -> Result<u64> {
    Ok(100_000_u64.saturating_sub(record.mean(set, divisor, tasks, scheduler)?))
}

/// By how many tenths of a percent one scheduler loses less than another.
fn less(
    record: &Record,
    set: Set,
    (divisor, tasks): (u64, u64),
    one: Scheduler,
    other: Scheduler,
) -> Result<i64> {
    let one = i64::try_from(lost(record, set, divisor, tasks, one)?)?;
    let other = i64::try_from(lost(record, set, divisor, tasks, other)?)?;
    Ok((other - one) * 1_000 / other.max(1))
}

/// The points about which the paper says a number, and who is compared there.
const POINTS: [((u64, u64), Scheduler, Scheduler); 5] = [
    (STATED[0], Scheduler::Csd4, Scheduler::Edf),
    (STATED[1], Scheduler::Csd4, Scheduler::Edf),
    (STATED[2], Scheduler::Csd4, Scheduler::Edf),
    (STATED_OF_RM, Scheduler::Csd4, Scheduler::Rm),
    (STATED_OF_RM, Scheduler::Rm, Scheduler::Edf),
];

/// What is said there.
fn at_points(record: &Record, set: Set) -> Result<[i64; 5]> {
    let mut all = [0; 5];
    for (found, (point, one, other)) in all.iter_mut().zip(POINTS) {
        *found = less(record, set, point, one, other)?;
    }
    Ok(all)
}

fn names_of_points() -> impl Iterator<Item = String> {
    POINTS.into_iter().map(|((divisor, tasks), one, other)| {
        format!("n = {tasks}, periods / {divisor}: {} than {}", one.name(), other.name())
    })
}

fn conclusions(record: &Record) -> Result<String> {
    let header = std::iter::once("loses less".to_owned()).chain(names_of_points()).collect();
    let said = ["the paper says", "17 %", "> 40 %", "25 %", "50 %", "yes"].map(str::to_owned).to_vec();
    let mut rows = vec![said];
    for (set, _, title) in SETS {
        rows.push(std::iter::once(title.to_owned()).chain(at_points(record, set)?.map(percent)).collect());
    }
    Ok(markdown(header, rows))
}

/// How far a reading is from the numbers that the paper says, in percent over all four. At the second it says
/// *more than*.
fn distance(less: [i64; 5]) -> u64 {
    let off = |(point, (less, said)): (usize, (i64, i64))| {
        let less = (less + 5) / 10;
        if point == 1 && less >= said { 0 } else { less.abs_diff(said) }
    };
    less.into_iter().zip(SAID).enumerate().map(off).sum()
}

/// The nearest first.
fn table_of_readings(record: &Record) -> Result<String> {
    let header =
        ["looking at queues", "DP2 blocks", "periods", "execution times"].map(str::to_owned).into_iter();
    let header = header.chain(names_of_points()).chain(["off by".to_owned()]).collect();
    let mut rows = Vec::new();
    for reading in readings() {
        let less = at_points(record, Set::Reading(reading))?;
        let Reading { parse, blocks, periods, work } = reading;
        let mark = if reading == READING { " **(the figures')**" } else { "" };
        let words = [parse.name(), blocks.name(), periods.name(), work.name()];
        let mut row = words.map(str::to_owned).to_vec();
        row[0] += mark;
        row.extend(less.map(percent));
        row.push(distance(less).to_string());
        rows.push((distance(less), row));
    }
    rows.sort_by_key(|(distance, _)| *distance);
    Ok(markdown(header, rows.into_iter().map(|(_, row)| row).collect()))
}

/// Hundred-thousandths as tenths of a percent.
fn rounded(hundred_thousandths: u64) -> u64 {
    (hundred_thousandths + 50) / 100
}

fn tenths(value: u64) -> String {
    format!("{}.{}", value / 10, value % 10)
}

fn percent(tenths_of_percent: i64) -> String {
    let sign = if tenths_of_percent < 0 { "-" } else { "" };
    format!("{sign}{} %", tenths(tenths_of_percent.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_committed_page_is_what_the_recorded_figures_make() -> Result<()> {
        for (path, text) in files(&Record::read()?)? {
            let committed = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
            assert!(committed == text, "{} is old; run it with --plots", path.display());
        }
        Ok(())
    }

    #[test]
    fn numbers_have_one_digit_behind_the_point() {
        assert_eq!([percent(173), percent(-5), percent(0)], ["17.3 %", "-0.5 %", "0.0 %"]);
        assert_eq!((distance([170, 440, 250, 500, 0]), distance([180, 380, 250, 505, 9])), (0, 4));
    }
}
