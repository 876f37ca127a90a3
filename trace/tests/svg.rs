//! Drawings as SVG: well-formed, complete, and the same as the recorded ones in `tests/svg`.
//!
//! With `BERYL_BLESS=1` in the environment the recordings are written anew; look at them before you keep them.

mod common;

use beryl_trace::Timeline;
use beryl_trace::timeline::{Mark, Segment, svg};
use common::{assert_recorded, helicopter, lossy, names, tick, troubled, us, workload};
use proptest::prelude::*;

fn check(file: &str, timeline: &Timeline) {
    let drawing = svg::render(timeline);
    assert_eq!(well_formed(&drawing), Ok(()));
    assert_recorded(&format!("svg/{file}.svg"), &drawing);
}

/// Whether every element is closed where it must be and nothing stands raw that XML reserves.
fn well_formed(text: &str) -> Result<(), String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.trim_end();
    while let Some((before, after)) = rest.split_once('<') {
        check_text(before)?;
        if open.is_empty() && rest.len() != text.trim_end().len() {
            return Err("more than one root".to_owned());
        }
        let (tag, behind) = after.split_once('>').ok_or("an element that doesn't end")?;
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened != Some(name) {
                return Err(format!("{name} closes {opened:?}"));
            }
        } else {
            let name = tag.split([' ', '/']).next().unwrap_or_default();
            check_attributes(tag.trim_end_matches('/').strip_prefix(name).unwrap_or_default())?;
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = behind;
    }
    if open.is_empty() && rest.is_empty() { Ok(()) } else { Err(format!("{open:?} left open, then {rest}")) }
}

fn check_text(text: &str) -> Result<(), String> {
    let entity = |part: &str| ["amp;", "lt;", "gt;", "quot;"].iter().any(|entity| part.starts_with(entity));
    if !text.split('&').skip(1).all(entity) || text.contains('>') {
        return Err(format!("raw text: {text}"));
    }
    match text.chars().find(|character| character.is_control() && *character != '\n') {
        Some(control) => Err(format!("{control:?}")),
        None => Ok(()),
    }
}

fn check_attributes(mut text: &str) -> Result<(), String> {
    let mut seen = Vec::new();
    while !text.trim().is_empty() {
        let (name, rest) = text.split_once("=\"").ok_or_else(|| format!("no value: {text}"))?;
        let (value, rest) = rest.split_once('"').ok_or_else(|| format!("no end: {rest}"))?;
        check_text(value)?;
        if seen.contains(&name.trim()) {
            return Err(format!("twice: {name}"));
        }
        seen.push(name.trim());
        text = rest;
    }
    Ok(())
}

#[test]
fn the_checker_sees_what_is_wrong() {
    assert_eq!(well_formed("<a b=\"1\"><c/>x &amp; y</a>"), Ok(()));
    for wrong in [
        "<a>",
        "<a></b>",
        "<a>&</a>",
        "<a b=\"1\" b=\"2\"/>",
        "<a b=1/>",
        "<a/><b/>",
        "<a>\u{7}</a>",
        "<a",
        "",
    ] {
        let is_empty = wrong.is_empty();
        assert_eq!(well_formed(wrong).is_ok(), is_empty, "{wrong}");
    }
}

#[test]
fn one_period_of_the_helicopter() {
    check("helicopter", &Timeline::of(&helicopter(), &names(), us(0), us(20_000)));
}

#[test]
fn misses_faults_and_violations() {
    check("troubled", &Timeline::of(&troubled(), &names(), us(0), us(24_000)));
}

#[test]
fn where_notes_were_lost() {
    check("lossy", &Timeline::of(&lossy(), &names(), us(0), us(40_000)));
}

#[test]
fn a_counter_example() {
    let segment = |row, from, to| Segment { row, from: us(from), to: us(to) };
    let mark = |row, at| Mark { row, at: us(at) };
    let timeline = Timeline::from_segments(
        "counter-example: log misses its deadline",
        tick(),
        &["sense", "log"].map(str::to_owned),
        &[
            segment(0, 0, 4_000),
            segment(1, 4_000, 5_000),
            segment(0, 5_000, 9_000),
            segment(1, 9_000, 10_000),
        ],
        &[mark(0, 0), mark(0, 5_000), mark(1, 0)],
        &[mark(0, 5_000), mark(0, 10_000), mark(1, 10_000)],
        Some(mark(1, 10_000)),
    );
    check("counter-example", &timeline);
}

#[test]
fn an_empty_window() {
    check("empty-window", &Timeline::of(&helicopter(), &names(), us(5_000), us(5_000)));
}

#[test]
fn names_can_not_break_the_document() {
    let mut names = names();
    names.system = "</title><script>&\u{1b}\u{0}\"'".into();
    names.threads[0].name = "a very long name & <one> that \"quotes\" ".repeat(9);
    names.processes[1] = "<b>".into();
    names.threads[1].process = "<b>".into();
    let drawing = svg::render(&Timeline::of(&helicopter(), &names, us(0), us(20_000)));
    assert_eq!(well_formed(&drawing), Ok(()));
    assert!(!drawing.contains("<script>"));
}

#[test]
fn every_job_run_and_driver_has_its_tooltip() {
    let drawing = svg::render(&Timeline::of(&helicopter(), &names(), us(0), us(20_000)));
    let expected = [
        "<title>navigate: logical execution time from 10 ms to 20 ms (10 ms)</title>",
        "<title>navigate: running from 0.21 ms to 3.41 ms (3.2 ms)</title>",
        "<title>command: waiting for the processor from 10.02 ms to 14.01 ms (3.99 ms)</title>",
        "<title>command: completed at 16.9 ms</title>",
        "<title>command: released at 0 ms</title>",
        "<title>command: deadline at 20 ms</title>",
        "<title>Navigation.gps = 1.75 at 10 ms</title>",
        "<title>copies = navigate.fix = 1.75 at 10 ms</title>",
    ];
    for title in expected {
        assert!(drawing.contains(title), "{title}");
    }
}

/// An arrow leads from the bar of who woke a thread to where that one's next bar begins, if the window has both.
#[test]
fn wake_ups_in_pictures() {
    let of = |from, to| {
        let at = beryl_abi::Instant::from_ticks;
        Timeline::of(&workload::waiting(), &workload::waiting_names(), at(from), at(to))
    };
    check("wake-ups", &of(0, 250));
    let titles = |timeline: &Timeline| -> Vec<String> {
        let drawing = svg::render(timeline);
        let arrows = drawing.lines().filter(|line| line.contains(r#"class="wake""#));
        let title = |line: &str| Some(line.split_once("<title>")?.1.split_once("</title>")?.0.to_owned());
        arrows.filter_map(title).collect()
    };
    let [lock, bell] = [
        "task 1 woke task 0 at 0.0056 ms; it ran from 0.0056 ms",
        "task 0 woke task 2 at 0.0062 ms; it ran from 0.0062 ms",
    ];
    assert_eq!(titles(&of(0, 250)), [lock, bell, "woken by"]);
    assert_eq!(titles(&of(0, 150)), [lock, "woken by"]);
    assert_eq!(titles(&of(145, 250)), [bell, "woken by"]);
    assert_eq!(titles(&of(160, 250)), [""; 0]);
}

/// Where they would cover everything, the legend says so.
#[test]
fn too_many_wake_ups_are_said() {
    let mut timeline = Timeline::of(&workload::waiting(), &workload::waiting_names(), us(0), us(10));
    let first = timeline.wakes[0];
    timeline.wakes = vec![first; 200];
    let arrows = |timeline: &Timeline| svg::render(timeline).matches(r#"class="wake""#).count();
    assert_eq!(arrows(&timeline), 201);
    timeline.wakes.push(first);
    assert_eq!(arrows(&timeline), 0);
    assert!(svg::render(&timeline).contains("too many wake-ups to draw"));
}

proptest! {
    #[test]
    fn every_window_is_well_formed(from in 0..50_000_u64, length in 0..50_000_u64, trouble: bool) {
        let events = if trouble { troubled() } else { helicopter() };
        let drawing = svg::render(&Timeline::of(&events, &names(), us(from), us(from + length)));
        prop_assert_eq!(well_formed(&drawing), Ok(()));
    }
}
