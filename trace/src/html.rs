//! A trace as one self-contained web page: lanes to zoom and pan, with an explanation for every job.
//!
//! The page holds the events as columns of small numbers ([`columns`]) and draws them itself. The work for a
//! lane is bounded by its width in pixels: if intervals are shorter than a pixel, sums made when the page was
//! loaded give the covered part of the pixel.

mod columns;
mod lanes;
mod packed;
mod samples;
mod spans;
mod words;

use std::iter::once;

use beryl_abi::Instant;
use serde_json::{Value, json};

use crate::coverage::gaps;
use crate::event::Event;
use crate::jobs::History;
use crate::names::Names;
use crate::sampled::Sampled;
use crate::wakes::wakes;
use columns::Columns;

const PAGE: &str = include_str!("html/page.html");
const STYLE: &str = include_str!("html/style.css");
/// Each builds on the ones before it.
const SCRIPTS: [&str; 13] = [
    include_str!("html/read.js"),
    include_str!("html/model.js"),
    include_str!("html/curves.js"),
    include_str!("html/load.js"),
    include_str!("html/wakes.js"),
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
}

/// The page of a whole trace; `title` names the run.
#[must_use]
pub fn page(events: &[Event], names: &Names, title: &str) -> String {
    page_of(&[Run { events, names, title }])
}

/// The page of the first of some runs, with the values of the others over its own; empty where there is none.
#[must_use]
pub fn page_of(runs: &[Run<'_>]) -> String {
    let Some(Run { events, names, title }) = runs.first().copied() else { return String::new() };
    let history = History::of(events);
    let mut columns = Columns::default();
    columns.runs(&history);
    columns.jobs(&history);
    let sampled: Vec<_> = runs.iter().map(|run| Sampled::all(run.events, run.names)).collect();
    let of_runs: Vec<_> = sampled.iter().zip(runs).map(|(own, run)| (own.as_slice(), run.names)).collect();
    let written = columns.samples(&of_runs);
    let troubles = columns.troubles(events, &history, names);
    let waits = columns.waits(&history, names);
    let (bands, held, spans, spans_left) = columns.spans(&history, events, names);
    columns.wakes(&wakes(events, &history));
    let ends = once(history.span.1).chain(runs.iter().skip(1).map(|run| History::of(run.events).span.1));
    let own = sampled.first().map(Vec::as_slice).unwrap_or_default();
    let lanes = [bands, lanes::lanes(&history, own, names), held].concat();
    let missing = missing(events, spans_left);
    let facts = json!({
        "missing": missing,
        "title": title,
        "system": names.system,
        "tick": names.tick,
        "span": [history.span.0.ticks(), history.span.1.ticks()],
        "events": events.len(),
        "lanes": lanes,
        "threads": lanes::threads(&history, names),
        "runs": runs.iter().zip(ends).map(|(run, end)| run_facts(run, end, names)).collect::<Vec<_>>(),
        "sampled": written.sampled,
        "values": written.texts,
        "troubles": troubles,
        "waits": waits,
        "spans": spans,
    });
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

/// What a run is called, and its end in the ticks of the first.
fn run_facts(run: &Run<'_>, end: Instant, first: &Names) -> Value {
    json!({ "title": run.title, "end": first.tick.instant(run.names.tick.logical(end)).ticks() })
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
