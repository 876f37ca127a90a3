//! A trace as one self-contained web page: lanes to zoom and pan, with an explanation for every job. The traces of several
//! kernels of one run are one page too: a group of lanes for each on one axis, and arrows for what goes from one to another.
//!
//! The page holds the events as columns of small numbers ([`columns`]) and draws them itself. The work for a
//! lane is bounded by its width in pixels: if intervals are shorter than a pixel, sums made when the page was
//! loaded give the covered part of the pixel.

mod columns;
mod lanes;
mod messages;
mod packed;
mod samples;
mod spans;
mod words;

use std::iter::once;

use beryl_abi::Instant;
use serde_json::{Value, json};

use crate::clock::Tick;
use crate::coverage::gaps;
use crate::event::Event;
use crate::jobs::History;
use crate::log::Log;
use crate::names::Names;
use crate::sampled::Sampled;
use crate::several::{Several, messages as messages_of};
use crate::wakes::wakes;
use columns::Columns;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
/// Each builds on the ones before it.
const SCRIPTS: [&str; 15] = [
    include_str!("html/read.js"),
    include_str!("html/model.js"),
    include_str!("html/whole.js"),
    include_str!("html/curves.js"),
    include_str!("html/load.js"),
    include_str!("html/wakes.js"),
    include_str!("html/messages.js"),
    include_str!("html/why.js"),
    include_str!("html/draw.js"),
    include_str!("html/plot.js"),
    include_str!("html/tell.js"),
    include_str!("html/help.js"),
    include_str!("html/seen.js"),
    include_str!("html/measure.js"),
    include_str!("html/page.js"),
];

/// A run to show.
#[derive(Clone, Copy, Debug)]
pub struct Run<'a> {
    /// What happened.
    pub events: &'a [Event],
    /// What its numbers are called.
    pub names: &'a Names,
    /// What it is called.
    pub title: &'a str,
    /// What its threads said, if it is known.
    pub log: Option<&'a Log>,
}

/// The page of a whole trace; `title` names the run.
#[must_use]
pub fn page(events: &[Event], names: &Names, title: &str) -> String {
    page_of(&[Run { events, names, title, log: None }])
}

/// The page of the first of some runs, with the values of the others over its own; empty where there is none.
#[must_use]
pub fn page_of(runs: &[Run<'_>]) -> String {
    let Some(Run { names, title, .. }) = runs.first().copied() else { return String::new() };
    let mut columns = Columns::default();
    let history = History::of(runs.first().map_or(&[], |run| run.events));
    let kernel = kernel(&mut columns, (runs, &history), names.tick);
    messages::none(&mut columns);
    finished((title, &names.system), names.tick, vec![kernel], &columns)
}

/// The page of a run of several kernels, each with its trace, in their order.
#[must_use]
pub fn page_of_several(title: &str, several: &Several, kernels: &[Run<'_>]) -> String {
    let histories: Vec<_> = kernels.iter().map(|run| History::of(run.events)).collect();
    let tick = common(kernels.iter().map(|run| run.names.tick));
    let mut columns = Columns::default();
    let of_each = kernels.iter().zip(&histories).zip(&several.kernels).map(|((run, history), told)| {
        columns.come_in(run.names.tick, tick);
        let mut kernel = kernel(&mut columns, (std::slice::from_ref(run), history), tick);
        kernel["title"] = json!(told.title);
        kernel["name"] = json!(told.name);
        kernel
    });
    let mut all: Vec<_> = of_each.collect();
    columns.come_in(tick, tick);
    all.extend(messages::bus(&mut columns, several, tick));
    let parts: Vec<_> = histories.iter().zip(kernels.iter().map(|run| run.names)).collect();
    messages::messages(&mut columns, &messages_of(several, &parts), tick);
    finished((title, &several.system), tick, all, &columns)
}

/// In which ticks a page tells the instants of several kernels: in their own if all have the same, else in nanoseconds.
fn common(mut ticks: impl Iterator<Item = Tick>) -> Tick {
    let first = ticks.next().unwrap_or(Tick::NANOSECOND);
    if ticks.all(|tick| tick == first) { first } else { Tick::NANOSECOND }
}

/// Writes what a kernel did, with the values of other runs beside its own; what the page is told of it besides.
fn kernel(columns: &mut Columns, (runs, history): (&[Run<'_>], &History), tick: Tick) -> Value {
    let Some(Run { events, names, log, .. }) = runs.first().copied() else { return Value::Null };
    columns.runs(history);
    columns.jobs(history);
    let sampled: Vec<_> = runs.iter().map(|run| Sampled::all(run.events, run.names)).collect();
    let of_runs: Vec<_> = sampled.iter().zip(runs).map(|(own, run)| (own.as_slice(), run.names)).collect();
    let written = columns.samples(&of_runs);
    let troubles = columns.troubles(events, history, names, log);
    let waits = columns.waits(history, names);
    let (bands, held, spans, spans_left) = columns.spans(history, events, names);
    columns.wakes(&wakes(events, history));
    let ends = once(history.span.1).chain(runs.iter().skip(1).map(|run| History::of(run.events).span.1));
    let own = sampled.first().map(Vec::as_slice).unwrap_or_default();
    let end = |(run, end): (&Run<'_>, Instant)| json!({ "title": run.title, "end": tick.instant(run.names.tick.logical(end)).ticks() });
    let lanes = [bands, lanes::lanes(history, own, names), held].concat();
    json!({
        "missing": missing(events, spans_left),
        "system": names.system,
        "span": [columns.at(history.span.0).ticks(), columns.at(history.span.1).ticks()],
        "events": events.len(),
        "lanes": lanes,
        "threads": lanes::threads(history, names),
        "runs": runs.iter().zip(ends).map(end).collect::<Vec<_>>(),
        "sampled": written.sampled,
        "values": written.texts,
        "troubles": troubles,
        "waits": waits,
        "spans": spans,
    })
}

/// The page of these kernels.
fn finished((title, system): (&str, &str), tick: Tick, kernels: Vec<Value>, columns: &Columns) -> String {
    let facts = json!({ "title": title, "system": system, "tick": tick, "kernels": kernels });
    let parts = [
        ("{{title}}", escaped(title)),
        ("{{style}}", STYLE.to_owned()),
        // In a script, `<` could end it.
        ("{{facts}}", facts.to_string().replace('<', "\\u003c")),
        ("{{columns}}", columns.to_base64()),
        ("{{script}}", SCRIPTS.concat()),
    ];
    filled(PAGE, &parts)
}

/// What the page lacks: lost notes, and anything there was no room for.
fn missing(events: &[Event], spans_left: usize) -> Vec<String> {
    let lost: u64 = gaps(events).iter().map(|gap| gap.lost).sum();
    let lost = (lost > 0).then(|| format!("{lost} notes were lost"));
    let left = (spans_left > 0).then(|| format!("{spans_left} modes, holds and interrupts had no room"));
    lost.into_iter().chain(left).collect()
}

/// The page with its parts inserted. Inserted text isn't scanned again.
fn filled(page: &str, parts: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some((before, mark, part)) = next_part(rest, parts) {
        text.push_str(&rest[..before]);
        text.push_str(part);
        rest = &rest[before + mark.len()..];
    }
    text + rest
}

fn next_part<'a>(text: &str, parts: &'a [(&'a str, String)]) -> Option<(usize, &'a str, &'a str)> {
    let places = parts.iter().filter_map(|(mark, part)| Some((text.find(mark)?, *mark, part.as_str())));
    places.min_by_key(|(place, ..)| *place)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_in_once_and_not_looked_at_again() {
        let parts = [("{{a}}", "{{b}}".to_owned()), ("{{b}}", "2".to_owned())];
        assert_eq!(filled("<{{a}}|{{b}}>", &parts), "<{{b}}|2>");
    }

    #[test]
    fn names_cannot_break_out_of_the_page() {
        let mut names = Names::parse(include_str!("../tests/names.json")).expect("names");
        names.threads[0].name = "</script><script>alert(1)</script>".to_owned();
        let page = page(&[], &names, "<b>&\"");
        assert!(
            !page.contains("alert(1)</script>") && page.contains("<title>&lt;b&gt;&amp;&quot;"),
            "{page}"
        );
        assert_eq!(page.matches("</script>").count(), 3);
    }
}
