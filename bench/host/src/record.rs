//! What `docs/measurements/host.md` shows: all rows, and two plots of them.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use beryl_builder::toolchain::root;
use serde::Deserialize;
use serde_json::Value;

use crate::bars::{Bar, Bars};
use crate::plot::{Line, Plot};
use crate::time::{Row, a_second};
use crate::tracing::TASKS;

const FIGURES: &str = "host.jsonl";

/// A row as it was recorded.
#[derive(Debug, Deserialize)]
struct Figure {
    bench: String,
    ns: u64,
    theirs_ns: Option<u64>,
    events: Option<u64>,
}

/// Writes the rows of a run, and their plots. Those that weren't measured this time stay as they are.
pub fn record(rows: &[(String, Row)]) -> Result<()> {
    let rows: Vec<_> = rows.iter().map(|(name, row)| row.json(name)).collect();
    let path = place(FIGURES);
    let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let known: Result<Vec<Value>, _> = text.lines().map(serde_json::from_str).collect();
    let known = known.with_context(|| format!("{} is damaged", path.display()))?;
    let lines: String = merged(known, rows).iter().map(|row| row.to_string() + "\n").collect();
    write(FIGURES, &lines)?;
    plots()
}

/// Each row in the place of the one of its name, new ones behind.
fn merged(mut known: Vec<Value>, rows: Vec<Value>) -> Vec<Value> {
    for row in rows {
        match known.iter_mut().find(|old| old["bench"] == row["bench"]) {
            Some(old) => *old = row,
            None => known.push(row),
        }
    }
    known
}

/// Draws the plots of the rows that were recorded last.
pub fn plots() -> Result<()> {
    let path = place(FIGURES);
    let text = fs::read_to_string(&path).with_context(|| format!("can't read {}", path.display()))?;
    let figures: Result<Vec<Figure>, _> = text.lines().map(serde_json::from_str).collect();
    let figures = figures.with_context(|| format!("{} is damaged", path.display()))?;
    write("host-simulator.svg", &simulator(&figures).svg())?;
    write("host-page.svg", &page(&figures).svg())?;
    write("host-explorer.svg", &explorer(&figures).svg())?;
    write("tracing-engine.svg", &telling(&figures).svg())
}

fn place(name: &str) -> PathBuf {
    root().join("docs/measurements").join(name)
}

fn write(name: &str, text: &str) -> Result<()> {
    let path = place(name);
    fs::write(&path, text).with_context(|| format!("can't write {}", path.display()))
}

/// Thousands of events a second over the number of threads.
fn simulator(figures: &[Figure]) -> Plot<'static> {
    let line = |name: &str, kind: &str, took: fn(&Figure) -> Option<u64>| {
        let point = |count: u64| {
            let figure = find(figures, &kind.replace('N', &count.to_string()))?;
            Some((count, a_second(figure.events?, took(figure)?)? / 1000))
        };
        Line { name: name.to_owned(), points: [10, 20, 30].into_iter().filter_map(point).collect() }
    };
    let ours = |figure: &Figure| Some(figure.ns);
    Plot {
        title: "The simulator: events of a schedule",
        across: "threads",
        up: "thousands a second",
        lines: vec![
            line("by deadline, no records", "simulator/edf-N-quiet", ours),
            line("by deadline", "simulator/edf-N", ours),
            line("by priority, no records", "simulator/priorities-N-quiet", ours),
            line("by priority", "simulator/priorities-N", ours),
            line("SimSo, by deadline", "simulator/edf-N", |figure| figure.theirs_ns),
        ],
    }
}

/// Milliseconds over the number of events.
fn page(figures: &[Figure]) -> Plot<'static> {
    let line = |name: &str, kind: &str, parts: u64| {
        let point = |count: u64| {
            let figure = find(figures, &format!("page/{kind}-{count}"))?;
            Some((count / 1000, figure.ns.saturating_mul(parts) / 1_000_000))
        };
        let points = [10_000, 100_000, 1_000_000].into_iter().filter_map(point).collect();
        Line { name: name.to_owned(), points }
    };
    Plot {
        title: "The page of a trace",
        across: "thousands of events",
        up: "ms",
        lines: vec![
            line("until it is there", "load", 1),
            line("100 frames of all", "pan", 100),
            line("100 of a thousandth", "near", 100),
        ],
    }
}

/// States a second.
fn explorer(figures: &[Figure]) -> Bars<'static> {
    let bar = |name: &str, system: &str| {
        let figure = find(figures, &format!("explore/{system}"))?;
        Some(Bar::ours(name, a_second(figure.events?, figure.ns)?))
    };
    let bars = [
        bar("tasks (helicopter), states compared", "helicopter"),
        bar("threads (engine), by running again", "engine"),
    ];
    Bars { title: "The explorer", across: "states a second", bars: bars.into_iter().flatten().collect() }
}

/// Nanoseconds of virtual time.
fn telling(figures: &[Figure]) -> Bars<'static> {
    let bar = |task: &str, classes: &str, foreign| {
        let figure = find(figures, &format!("telling/{classes}/{task}"))?;
        Some(Bar { foreign, ..Bar::ours(&format!("{task}, {classes} classes"), figure.ns) })
    };
    let both = TASKS.into_iter().flat_map(|task| [bar(task, "few", true), bar(task, "many", false)]);
    Bars {
        title: "Telling of more: the engine's jobs",
        across: "median response, ns of virtual time; grey: jobs, switches and faults; blue: waits, locks, messages, interrupts, events, too",
        bars: both.flatten().collect(),
    }
}

fn find<'a>(figures: &'a [Figure], name: &str) -> Option<&'a Figure> {
    figures.iter().find(|figure| figure.bench.strip_prefix("host/") == Some(name))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_not_measured_stays_as_it_is() {
        let row = |bench: &str, ns: u64| json!({ "bench": bench, "ns": ns });
        let known = vec![row("host/a", 1), row("host/b", 2)];
        let rows = merged(known, vec![row("host/b", 3), row("host/c", 4)]);
        assert_eq!(rows, [row("host/a", 1), row("host/b", 3), row("host/c", 4)]);
    }
}
