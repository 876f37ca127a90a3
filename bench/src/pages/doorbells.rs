//! Doorbells: what the core takes that rings, and the core that hears, on each board with several.

use anyhow::Result;

use super::{Page, markdown};
use crate::bells::{CHARGED, NEAR, NOTED, NOTHING, RUNG, WOKEN};
use crate::recorded::Recorded;
use crate::row::Figures;

/// What each row is about.
const SHOWN: [(&str, &str); 6] = [
    ("the call that rings a doorbell", RUNG),
    ("the same call for a notification of its own core: a less urgent thread wakes", NEAR),
    ("the core that hears: from the interrupt to the thread that waited, the processor idled", WOKEN),
    ("the same where a more urgent thread goes on", NOTED),
    ("a second trap of a bell, which finds nothing: bound from the machine code", NOTHING),
    ("what the proof charges for that, once in each separation", CHARGED),
];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let mut rows = Vec::new();
    for (what, bench) in SHOWN {
        for row in recorded.rows().iter().filter(|row| row.bench == bench) {
            let Figures { n, min, median, max, .. } = row.figures;
            let figures = [u64::try_from(n)?, min, median, max].map(|figure| figure.to_string());
            rows.push([what.to_owned(), row.case.clone()].into_iter().chain(figures).collect());
        }
    }
    let header = ["what", "board", "n", "least", "median", "most"].map(str::to_owned);
    Ok(Page {
        file: "doorbells.md",
        tables: vec![("doorbells", markdown(&header, &rows))],
        plots: Vec::new(),
    })
}
