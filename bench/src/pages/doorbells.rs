//! Doorbells: what the core takes that rings, and the core that hears.

use anyhow::Result;

use super::{Page, markdown};
use crate::bells::{CHARGED, HEARD, NEAR, NOTED, NOTHING, RING, RUNG, WOKEN};
use crate::recorded::Recorded;
use crate::row::Figures;

/// What each row is about.
const SHOWN: [(&str, &str, &str); 6] = [
    ("the call that rings a doorbell", RING, RUNG),
    ("the same call for a notification of its own core: a less urgent thread wakes", RING, NEAR),
    ("the core that hears: from the interrupt to the thread that waited, the processor idled", HEARD, WOKEN),
    ("the same where a more urgent thread goes on", HEARD, NOTED),
    ("a second trap of a bell, which finds nothing: bound from the machine code", HEARD, NOTHING),
    ("what the proof charges for that, once in each separation", HEARD, CHARGED),
];

pub fn page(recorded: &Recorded) -> Result<Page> {
    let mut rows = Vec::new();
    for (what, bench, case) in SHOWN {
        let Figures { n, min, median, max, .. } = recorded.row(bench, case)?.figures;
        let figures = [u64::try_from(n)?, min, median, max].map(|figure| figure.to_string());
        rows.push([what.to_owned()].into_iter().chain(figures).collect());
    }
    let header = ["what", "n", "least", "median", "most"].map(str::to_owned);
    Ok(Page {
        file: "doorbells.md",
        tables: vec![("doorbells", markdown(&header, &rows))],
        plots: Vec::new(),
    })
}
