//! Curves as comma-separated values, for spreadsheets and scripts: a column for each, a line for each instant at which any
//! of them has a new value. What threads said is beside them, a line for each statement.

use super::Curve;
use crate::clock::LogicalInstant;
use crate::log::Entry;
use crate::names::Names;
use crate::value::Number;

/// What a thread said, in the cells of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    /// When.
    pub at: LogicalInstant,
    /// Who, how much it matters, and what.
    cells: [String; 3],
}

impl Said {
    /// A statement of a run.
    #[must_use]
    pub fn of(entry: &Entry, names: &Names) -> Said {
        let cells =
            [names.thread(entry.thread).to_string(), entry.level.word().to_owned(), entry.text.clone()];
        Said { at: names.tick.logical(entry.time), cells: cells.map(|cell| quoted(&cell)) }
    }
}

/// The heads of these cells.
const SAID: [&str; 3] = ["said_by", "level", "said"];

/// The lines of a window. Before the first value of a curve, and after the end of its run, its column is empty; in between
/// it has the value that counts. Where one has several values at an instant, the last counts.
///
/// With what was said, in the order of time, three more columns have who said it, how much it matters, and what. Each statement has a line, and lines of
/// values alone have nothing there.
#[must_use]
pub fn table(curves: &[Curve], said: Option<&[Said]>, from: LogicalInstant, to: LogicalInstant) -> String {
    let titles = curves.iter().map(|curve| quoted(&curve.title()));
    let heads = said.iter().flat_map(|_| SAID.map(str::to_owned));
    let heads: Vec<_> = ["instant_ns".to_owned()].into_iter().chain(titles).chain(heads).collect();
    let mut text = heads.join(",") + "\n";
    let within = |said: &&Said| (from..=to).contains(&said.at);
    let mut words = said.unwrap_or_default().iter().filter(within).peekable();
    let silence = if said.is_some() { ",".repeat(SAID.len()) } else { String::new() };
    for (at, values) in rows(curves, words.clone().map(|said| said.at).collect(), from, to) {
        let mut is_silent = true;
        while let Some(Said { cells, .. }) = words.next_if(|said| said.at <= at) {
            text += &format!("{values},{}\n", cells.join(","));
            is_silent = false;
        }
        if is_silent {
            text += &format!("{values}{silence}\n");
        }
    }
    text
}

/// The values of all curves at each instant of a window at which one of them has a new value, and at these others.
fn rows(
    curves: &[Curve],
    others: Vec<LogicalInstant>,
    from: LogicalInstant,
    to: LogicalInstant,
) -> Vec<(LogicalInstant, String)> {
    let steps = curves.iter().flat_map(|curve| curve.within(from, to)).map(|step| step.at.max(from));
    let mut instants: Vec<LogicalInstant> = steps.chain(others).collect();
    instants.sort_unstable();
    instants.dedup();
    let mut next = vec![0; curves.len()];
    let row = |at: LogicalInstant| {
        let mut text = at.nanoseconds().to_string();
        for (curve, next) in curves.iter().zip(&mut next) {
            while curve.steps.get(*next).is_some_and(|step| step.at <= at) {
                *next += 1;
            }
            let last = next.checked_sub(1).and_then(|last| curve.steps.get(last));
            let last = last.filter(|_| at <= curve.end).map(|step| step.number);
            text.push(',');
            text.push_str(&last.as_ref().map(Number::to_string).unwrap_or_default());
        }
        (at, text)
    };
    instants.into_iter().map(row).collect()
}

/// A cell, in quotation marks where it has to be.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
