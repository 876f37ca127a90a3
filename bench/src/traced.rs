//! What an event costs that is told: to nobody, to the buffer, or to a full one.

use anyhow::{Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::console::Sample;
use crate::row::Row;
use crate::systems::{TRACED, load, run};

/// What is measured here.
pub const NAMES: &[&str] = &["trace/event", "trace/stored"];

/// How often everything is measured.
const SAMPLES: usize = 1000;

/// Builds the system, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run(&load(TRACED)?, workshop, 25)?;
    let counts = |case: &str| -> Result<Vec<u64>> {
        let samples = console.samples(&format!("trace/event/{case}"))?;
        ensure!(samples.len() >= SAMPLES, "{case}: {} samples instead of {SAMPLES}", samples.len());
        samples.iter().map(|sample: &Sample| sample.instructions()).collect()
    };
    let (other, stored) = (counts("other")?, counts("stored")?);
    // Both ways are the same but for what storing takes.
    let storing: Vec<u64> =
        other.iter().zip(&stored).map(|(other, stored)| stored.saturating_sub(*other)).collect();
    Ok(vec![
        Row::instructions(NAMES[0], "nobody listens", &counts("silent")?)?,
        Row::instructions(NAMES[0], "somebody listens to something else", &other)?,
        Row::instructions(NAMES[0], "stored", &stored)?,
        Row::instructions(NAMES[0], "lost, the buffer is full", &counts("lost")?)?,
        Row::instructions(NAMES[1], "stored, less the same call that isn't", &storing)?,
    ])
}
