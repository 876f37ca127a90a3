//! What the faces that crates of others are given cost, beside the calls below them.

use anyhow::{Context, Result};

use super::{Page, markdown};
use crate::ecosystem::{CASES, NAMES};
use crate::recorded::Recorded;

/// What is done, in the order of [`NAMES`].
const DONE: [&str; 7] = [
    "a byte for the console",
    "sixteen bytes for the console",
    "a byte that has come from there",
    "keeping others out, and letting them in",
    "another thread tells, to behind the wait",
    "the same to where the other goes on",
    "a byte of a memory chip on the I2C bus",
];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let mut rows = Vec::new();
    for ((bench, cases), done) in NAMES.iter().zip(CASES).zip(DONE) {
        let median = |case: &str| {
            let row = recorded.row(bench, case).with_context(|| format!("{bench}, {case} isn't recorded"))?;
            Ok::<_, anyhow::Error>(row.figures.median)
        };
        let below = cases.first().map(|(case, _)| median(case)).transpose()?.unwrap_or_default();
        for (place, (case, _)) in cases.iter().enumerate() {
            let taken = median(case)?;
            let more = match place {
                0 => String::new(),
                _ => format!("{:+}", taken as i64 - below as i64),
            };
            let done = if place == 0 { done } else { "" };
            rows.push(vec![done.to_owned(), (*case).to_owned(), taken.to_string(), more]);
        }
    }
    let header = ["what", "by", "instructions", "more"].map(str::to_owned);
    Ok(Page {
        file: "ecosystem.md",
        tables: vec![("ecosystem", markdown(&header, &rows))],
        plots: Vec::new(),
    })
}
