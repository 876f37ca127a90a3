//! Curves as comma-separated values, for spreadsheets and scripts: a column for each, a line for each instant at which any
//! of them has a new value.

use super::Curve;
use crate::clock::LogicalInstant;
use crate::value::Number;

/// The lines of a window. Before the first value of a curve, and after the end of its run, its column is empty; in between
/// it has the value that counts. Where one has several values at an instant, the last counts.
#[must_use]
pub fn table(curves: &[Curve], from: LogicalInstant, to: LogicalInstant) -> String {
    let titles = curves.iter().map(|curve| quoted(&curve.title()));
    let mut text = ["instant_ns".to_owned()].into_iter().chain(titles).collect::<Vec<_>>().join(",") + "\n";
    let mut instants: Vec<LogicalInstant> =
        curves.iter().flat_map(|curve| curve.within(from, to)).map(|step| step.at.max(from)).collect();
    instants.sort_unstable();
    instants.dedup();
    let mut next = vec![0; curves.len()];
    for at in instants {
        text.push_str(&at.nanoseconds().to_string());
        for (curve, next) in curves.iter().zip(&mut next) {
            while curve.steps.get(*next).is_some_and(|step| step.at <= at) {
                *next += 1;
            }
            let last = next.checked_sub(1).and_then(|last| curve.steps.get(last));
            let last = last.filter(|_| at <= curve.end).map(|step| step.number);
            text.push(',');
            text.push_str(&last.as_ref().map(Number::to_string).unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

/// A cell, in quotation marks where it has to be.
fn quoted(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_owned(),
    }
}
