//! The cost of tracing an event: with no listener, into the buffer, or into a full one; and into a journal. And what a log
//! statement takes, which is some events.

use anyhow::{Result, ensure};
use beryl_builder::workshop::Workshop;

use crate::console::{Console, Sample};
use crate::row::Row;
use crate::systems::{JOURNAL, LOGGED, TRACED, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &["trace/event", "trace/stored", "trace/journal", "trace/read", "trace/log"];

/// How often to measure each one.
const SAMPLES: usize = 1000;

/// Builds the system, runs it, and counts.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let consoles = [
        run(&load(TRACED)?, workshop, 25)?,
        run(&load(JOURNAL)?, workshop, 25)?,
        run(&load(LOGGED)?, workshop, 50)?,
    ];
    let [called, written, logged] = [0, 1, 2].map(|number: usize| &consoles[number]);
    let counts = |console: &Console, case: &str| -> Result<Vec<u64>> {
        let samples = console.samples(&format!("trace/{case}"))?;
        ensure!(samples.len() >= SAMPLES, "{case}: {} samples instead of {SAMPLES}", samples.len());
        samples.iter().map(|sample: &Sample| sample.instructions()).collect()
    };
    // Both differ only in what is done with the event.
    let more = |less: &[u64], more: &[u64]| -> Vec<u64> {
        less.iter().zip(more).map(|(less, more)| more.saturating_sub(*less)).collect()
    };
    let (other, stored) = (counts(called, "event/other")?, counts(called, "event/stored")?);
    let read = |events: &str| counts(written, &format!("read/{events}"));
    let said = |case: &str, words: &str| -> Result<Row> {
        Row::instructions(NAMES[4], words, &counts(logged, &format!("log/{case}"))?)
    };
    Ok(vec![
        Row::instructions(NAMES[0], "nobody listens", &counts(called, "event/silent")?)?,
        Row::instructions(NAMES[0], "somebody listens to something else", &other)?,
        Row::instructions(NAMES[0], "stored", &stored)?,
        Row::instructions(NAMES[0], "lost, the buffer is full", &counts(called, "event/lost")?)?,
        Row::instructions(NAMES[1], "stored, less the same call that isn't", &more(&other, &stored))?,
        Row::instructions(NAMES[2], "nobody listens", &counts(written, "journal/silent")?)?,
        Row::instructions(NAMES[2], "written down", &counts(written, "journal/written")?)?,
        Row::instructions(NAMES[2], "the journal is full", &counts(written, "journal/full")?)?,
        Row::instructions(NAMES[3], "a look", &more(&read("other")?, &read("nothing")?))?,
        Row::instructions(NAMES[3], "the first event", &more(&read("nothing")?, &read("one")?))?,
        Row::instructions(NAMES[3], "each further event", &more(&read("one")?, &read("two")?))?,
        said("text/silent", "a text, nobody listens")?,
        said("text/written", "a text")?,
        said("number/silent", "a text and a u32, nobody listens")?,
        said("number/written", "a text and a u32")?,
        said("string/silent", "a string of 16 bytes, nobody listens")?,
        said("string/written", "a string of 16 bytes")?,
    ])
}
