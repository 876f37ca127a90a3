//! The cost of trace points, next to Feather-Trace.

use anyhow::Result;

use super::{Page, markdown};
use crate::bars::{Bar, Bars};
use crate::recorded::Recorded;

/// Instructions per stored event in the Feather-Trace paper (OSPERT 2007), on another kind of processor.
const FEATHER_TRACE: u64 = 61;
/// The aim for a stored event.
const AIM: u64 = 40;

/// The cost of an application's event, by the kind of listener.
pub fn page(recorded: &Recorded) -> Result<Page> {
    let event = |case: &str| Ok::<_, anyhow::Error>(recorded.row("trace/event", case)?.figures.max);
    let rows = [
        ("an event, nobody listens", event("nobody listens")?),
        ("an event, of a class to which nobody listens", event("somebody listens to something else")?),
        ("an event, stored", event("stored")?),
        ("an event, lost: the buffer is full", event("lost, the buffer is full")?),
        ("storing alone", recorded.only("trace/stored")?.figures.max),
    ];
    let mut bars: Vec<_> = rows.iter().map(|(name, value)| Bar::ours(name, *value)).collect();
    bars.push(Bar { foreign: true, ..Bar::ours("storing alone, aim", AIM) });
    bars.push(Bar { foreign: true, ..Bar::ours("storing alone, Feather-Trace on x86", FEATHER_TRACE) });
    let plot = Bars {
        title: "What telling of an event costs",
        across: "instructions from caller to caller; of storing alone, what it adds",
        bars,
    };
    let cells: Vec<_> =
        rows.iter().map(|(name, value)| vec![(*name).to_owned(), value.to_string()]).collect();
    let header = ["from caller to caller", "instructions"].map(str::to_owned);
    Ok(Page {
        file: "tracing.md",
        tables: vec![("triggers", markdown(&header, &cells))],
        plots: vec![("tracing-triggers.svg", plot.svg())],
    })
}
