//! The first violation of a run, and when it shows.

use anyhow::{Context, Result};
use beryl_abi::Instant;
use beryl_trace::assertion::Stated;
use beryl_trace::incident::Incident;
use beryl_trace::jobs::History;
use beryl_trace::{Event, Names, decode};

use crate::assertions::first_broken;

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// When the trace shows it.
    pub at: Instant,
    /// What is violated, in words.
    pub what: String,
}

impl Violation {
    /// The first violation that a trace shows, if any. An assertion that couldn't be checked doesn't count.
    pub fn first(trace: &[u8], stated: &[Stated], names: &Names) -> Result<Option<Violation>> {
        let events = decode(trace).context("the trace of the simulation is damaged")?;
        let history = History::of(&events);
        let trouble = events.iter().find_map(|event| trouble(event, &history, names));
        let broken = broken(&events, stated, names);
        Ok(trouble.into_iter().chain(broken).min_by_key(|violation| violation.at))
    }
}

fn trouble(event: &Event, history: &History, names: &Names) -> Option<Violation> {
    let told = Incident::of(event, history, names).filter(|told| told.is_trouble)?;
    let thread = told.thread.map(|thread| format!("{}: ", names.thread(thread))).unwrap_or_default();
    let what = format!("{thread}{} at {}", told.words, names.tick.logical(told.at));
    Some(Violation { at: event.time, what })
}

/// The first broken assertion, at the first event that shows it.
fn broken(events: &[Event], stated: &[Stated], names: &Names) -> Option<Violation> {
    let of = |count: usize| first_broken(stated, events.get(..count)?, names);
    of(events.len())?;
    // More events can only break more assertions, so bisect for the smallest number of events.
    let (mut low, mut high) = (0, events.len());
    while low < high {
        let middle = low.midpoint(high);
        match of(middle) {
            Some(_) => high = middle,
            None => low = middle + 1,
        }
    }
    let last = events.get(high.checked_sub(1)?)?;
    Some(Violation { at: last.time, what: of(high)? })
}
