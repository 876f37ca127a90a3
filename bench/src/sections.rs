//! Critical sections by ceiling locks and by calls, while other threads are told to run; and calls of a
//! thread with and without locks (OSPERT 2014, Tables II and III).

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::console::Console;
use crate::row::Row;
use crate::systems::{SECTIONS, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &["section/locks", "section/calls", "with-locks", "without-locks"];

/// How a section keeps others out, or what the measuring thread has; as in [`NAMES`].
const WAYS: [&str; 2] = ["locks", "calls"];

/// A section, alone or nested, and at how many of its points others may be told to run.
pub const SHAPES: [(&str, u8); 2] = [("single", 2), ("nested", 3)];

/// Which thread may be told.
pub const OTHERS: [&str; 3] = ["low", "medium", "high"];

/// The other measurements: a call that does nothing, one that gives no other thread the processor, telling a
/// less urgent thread, and telling a more urgent one that runs and waits again.
pub const CALLS: [&str; 4] = ["null", "yield", "low", "high"];

/// How often to measure each one.
const SAMPLES: usize = 100;

/// Builds the system, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(SECTIONS)?, workshop, 20)?;
    let mut rows = Vec::new();
    for (way, [sections, calls]) in WAYS.into_iter().zip([[0, 2], [1, 3]]) {
        for case in cases() {
            rows.push(row(&console, NAMES[sections], &format!("section/{way}"), &case)?);
        }
        for case in CALLS {
            rows.push(row(&console, NAMES[calls], &format!("call/{way}"), case)?);
        }
    }
    Ok(rows)
}

fn row(console: &Console, bench: &str, samples: &str, case: &str) -> Result<Row> {
    let samples = console.samples(&format!("{samples}/{case}"))?;
    ensure!(samples.len() == SAMPLES, "{bench}, {case}: {} samples instead of {SAMPLES}", samples.len());
    let counts = samples.iter().map(|sample| sample.instructions());
    Row::instructions(bench, case, &counts.collect::<Result<Vec<_>>>().with_context(|| case.to_owned())?)
}

/// All cases of a section.
fn cases() -> Vec<String> {
    let mut cases = Vec::new();
    for (shape, points) in SHAPES {
        cases.push(nobody(shape));
        cases.extend(OTHERS.iter().flat_map(|who| (1..=points).map(move |point| told(shape, who, point))));
    }
    cases
}

/// The case of a section in which no thread is told to run.
pub fn nobody(shape: &str) -> String {
    format!("{shape}/nobody")
}

/// The case in which a thread is told at a point.
pub fn told(shape: &str, who: &str, point: u8) -> String {
    format!("{shape}/{who}/{point}")
}
