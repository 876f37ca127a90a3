//! Whole drawings for the terminal, compared with the recorded ones in `tests/terminal`.
//!
//! With `BERYL_BLESS=1` in the environment the recordings are written anew; read them before you keep them.

mod common;

use beryl_abi::Instant;
use beryl_trace::timeline::terminal::{Options, render};
use beryl_trace::timeline::{Mark, Segment};
use beryl_trace::{Event, Names, Timeline};
use common::{assert_recorded, helicopter, lossy, names, tick, troubled, us, workload};
use proptest::prelude::*;

fn options(width: usize) -> Options {
    Options { width, ascii: false, colour: false }
}

fn check(file: &str, timeline: &Timeline, options: Options) {
    let drawing = render(timeline, options);
    assert_recorded(&format!("terminal/{file}.txt"), &drawing);
    if !options.colour {
        assert_box(&drawing, options.width);
    }
}

/// Every line is as wide as the box.
fn assert_box(drawing: &str, width: usize) {
    for line in drawing.lines() {
        assert_eq!(line.chars().count(), width.max(Options::NARROWEST), "{line}");
    }
}

/// Three tasks of which the last one misses its deadline.
fn counter_example() -> Timeline {
    let rows = ["sense", "plan", "log"].map(str::to_owned);
    let segment = |row, from, to| Segment { row, from: us(from), to: us(to) };
    let mark = |row, at| Mark { row, at: us(at) };
    Timeline::from_segments(
        "counter-example: log misses its deadline",
        tick(),
        &rows,
        &[
            segment(0, 0, 2_000),
            segment(1, 2_000, 5_000),
            segment(0, 5_000, 7_000),
            segment(1, 7_000, 8_000),
            segment(2, 8_000, 10_000),
            segment(0, 10_000, 12_000),
        ],
        &[mark(0, 0), mark(0, 5_000), mark(0, 10_000), mark(1, 0), mark(2, 0)],
        &[mark(0, 5_000), mark(0, 10_000), mark(0, 15_000), mark(1, 10_000), mark(2, 12_000)],
        Some(mark(2, 12_000)),
    )
}

#[test]
fn one_period_of_the_helicopter() {
    let timeline = Timeline::of(&helicopter(), &names(), us(0), us(20_000));
    check("helicopter-80", &timeline, options(80));
    check("helicopter-120", &timeline, options(120));
    check("helicopter-200", &timeline, options(200));
    check("helicopter-ascii", &timeline, Options { ascii: true, ..options(100) });
    check("helicopter-colour", &timeline, Options { colour: true, ..options(100) });
}

#[test]
fn a_window_within_the_trace() {
    let timeline = Timeline::of(&helicopter(), &names(), us(9_500), us(11_000));
    check("window", &timeline, options(100));
}

#[test]
fn misses_faults_and_violations() {
    let timeline = Timeline::of(&troubled(), &names(), us(0), us(24_000));
    check("troubled", &timeline, options(100));
    check("troubled-ascii", &timeline, Options { ascii: true, ..options(80) });
}

#[test]
fn where_notes_were_lost() {
    let timeline = Timeline::of(&lossy(), &names(), us(0), us(40_000));
    check("lossy", &timeline, options(100));
    check("lossy-ascii", &timeline, Options { ascii: true, ..options(80) });
}

#[test]
fn seconds_where_they_are_seconds() {
    let (names, events) = (common::workload::names(), common::workload::events(20_000, 5));
    let timeline = Timeline::of(&events, &names, us(0), us(1_600_000));
    let drawn = render(&timeline, options(100));
    assert!(drawn.contains("workload ─ 0 to 1.6 s ") && drawn.contains(" s 0        0.2  "), "{drawn}");
}

#[test]
fn a_counter_example() {
    check("counter-example", &counter_example(), options(100));
}

#[test]
fn an_empty_window() {
    check("empty-window", &Timeline::of(&helicopter(), &names(), us(5_000), us(5_000)), options(80));
    check("empty-trace", &Timeline::of(&[], &names(), us(0), us(10_000)), options(80));
}

#[test]
fn one_event() {
    let timeline = Timeline::of(&helicopter()[..1], &names(), us(0), us(20_000));
    check("one-event", &timeline, options(80));
}

#[test]
fn one_tick_wide() {
    let tick = |ticks| Instant::from_ticks(ticks);
    let switch =
        |ticks, from, to| Event { time: tick(ticks), happening: beryl_trace::Happening::Switch { from, to } };
    let events = [
        switch(0, common::IDLE, common::IDLE),
        switch(250_000, common::IDLE, common::NAVIGATE),
        switch(250_001, common::NAVIGATE, common::COMMAND),
        switch(250_002, common::COMMAND, common::IDLE),
    ];
    check("one-tick", &Timeline::of(&events, &names(), us(0), us(20_000)), options(80));
    check("one-tick-close", &Timeline::of(&events, &names(), tick(249_998), tick(250_004)), options(80));
}

#[test]
fn very_long_names() {
    let mut names = names();
    names.system = "a system that somebody has given quite a long name because it was allowed".repeat(3);
    names.threads[0].name = "navigate_with_all_the_filters_that_were_ever_written".into();
    names.processes[1] = "control\u{1b}[31m\nred".into();
    names.threads[1].process = names.processes[1].clone();
    names.drivers[1].name = "Navigation.global_positioning_system_receiver".into();
    check("long-names", &Timeline::of(&helicopter(), &names, us(0), us(20_000)), options(80));
}

fn fifty() -> Timeline {
    let rows: Vec<String> = (0..50).map(|row| format!("thread {row}")).collect();
    let segments: Vec<Segment> = (0..50_u64)
        .zip(0..)
        .map(|(k, row)| Segment { row, from: us(k * 100), to: us(k * 100 + 100) })
        .collect();
    Timeline::from_segments("fifty threads", tick(), &rows, &segments, &[], &[], None)
}

#[test]
fn fifty_threads() {
    check("fifty-threads", &fifty(), options(80));
}

#[test]
fn a_box_too_narrow_is_widened() {
    assert_box(&render(&fifty(), options(0)), 0);
}

/// Who woke is above, or below, and what lies between isn't covered.
#[test]
fn wake_ups_in_the_terminal() {
    let at = Instant::from_ticks;
    let of = |to| Timeline::of(&workload::waiting(), &workload::waiting_names(), at(0), at(to));
    check("wake-ups", &of(250), options(80));
    let ascii = render(&of(250), Options { ascii: true, ..options(80) });
    assert!(ascii.contains('V') && ascii.contains('A') && ascii.is_ascii(), "{ascii}");
    // Three in the window, and columns for two: none is drawn.
    let mut timeline = of(250);
    let first = timeline.wakes[0];
    timeline.wakes = vec![first; 60];
    let crowded = render(&timeline, options(80));
    assert!(!crowded.contains('↑') && crowded.contains("… too many wake-ups to draw"), "{crowded}");
}

proptest! {
    #[test]
    fn every_window_gives_a_box(from in 0..50_000_u64, length in 0..50_000_u64, width in 0..250_usize, trouble: bool) {
        let events = if trouble { troubled() } else { helicopter() };
        let timeline = Timeline::of(&events, &names(), us(from), us(from + length));
        assert_box(&render(&timeline, options(width)), width);
    }

    #[test]
    fn nonsense_is_drawn_too(
        segments in prop::collection::vec((0..5_usize, any::<u64>(), any::<u64>()), 0..10),
        marks in prop::collection::vec((0..5_usize, any::<u64>()), 0..10),
    ) {
        let at = Instant::from_ticks;
        let segments: Vec<Segment> =
            segments.into_iter().map(|(row, from, to)| Segment { row, from: at(from), to: at(to) }).collect();
        let marks: Vec<Mark> = marks.into_iter().map(|(row, ticks)| Mark { row, at: at(ticks) }).collect();
        let rows = ["a", "b", "c"].map(str::to_owned);
        let miss = marks.first().copied();
        let timeline = Timeline::from_segments("nonsense", tick(), &rows, &segments, &marks, &marks, miss);
        assert_box(&render(&timeline, options(80)), 80);
    }
}

#[test]
fn names_survive_their_file() {
    let json = names().to_json().expect("serialisable");
    assert_recorded("names.json", &json);
    assert_eq!(Names::parse(&json).expect("just written"), names());
}
