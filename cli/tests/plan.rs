//! `beryl plan`: what it proposes holds, and bears what it says.

use common::{beryl, example};

mod common;

fn holds(what: &str, times: &str) -> String {
    format!("  {what:<38} holds if everything takes {times:>8} times as long")
}

#[test]
fn the_engine_would_bear_more_in_one_fixed_band() {
    let said = beryl(&["plan", &example("engine")]).ended(0);
    let lines: Vec<_> = said.lines().collect();
    assert!(lines.contains(&holds("a fixed band, by deadline", "1.2870").as_str()), "{said}");
    // Some threads wake up late, and go by deadlines from then on.
    assert!(lines.contains(&(holds("a dynamic band", "1.0533") + " (17 dynamic)").as_str()), "{said}");
    let proposed: Vec<_> = lines.iter().skip_while(|line| **line != "  [[band]]").take(5).collect();
    let expected = [
        "  [[band]]",
        "  name = \"fixed\"",
        "  policy = \"fixed\"",
        "    crank: band = \"fixed\", priority = 16",
        "    sample: band = \"fixed\", priority = 15",
    ];
    assert!(proposed.iter().copied().eq(expected.iter()), "{said}");
    assert!(said.contains("not counted: `keep` may wait for `notes`"), "{said}");
    let checked = beryl(&["check", &example("engine")]).ended(0);
    assert!(checked.contains("took 1.0030 times as long"), "{checked}");
}

/// `thermometer` and `adapt` are released every 100 ms: `adapt` waits for the other unless it comes at another time. `keep`, once a
/// second, is best where nobody with a shorter period begins.
#[test]
fn offsets_keep_threads_apart_whatever_their_periods_are() {
    let said = beryl(&["plan", &example("engine")]).ended(0);
    for row in [
        "  thermometer                \"25ms\"               7.925 ms       3.961 ms       1.651 ms",
        "  adapt                       \"0ns\"              13.301 ms       7.905 ms       0.000 ms",
        "  keep                      \"125ms\"              29.886 ms      19.727 ms       5.224 ms",
    ] {
        assert!(said.lines().any(|line| line == row), "{said}");
    }
    // The most urgent threads of 2 ms are better together: each instant costs the kernel's steps.
    assert!(!said.lines().any(|line| line.starts_with("  ignite  ") && line.contains("ns\"")), "{said}");
    let said = beryl(&["plan", &example("engine"), "--json"]).ended(0);
    let row = r#"{"offset_ns":125000000,"response_ns":29886"#;
    assert!(
        said.lines().any(|line| {
            line.starts_with(row)
                && line.contains(r#""saves_ns":5224"#)
                && line.contains(r#""thread":"keep""#)
        }),
        "{said}"
    );
    // Tasks follow their timing program.
    assert!(!beryl(&["plan", &example("helicopter")]).ended(0).contains("Offsets"));
}

/// The helicopter's own bands are one of the candidates.
#[test]
fn a_candidate_bears_what_check_says_of_it() {
    let planned = beryl(&["plan", &example("helicopter")]).ended(0);
    let checked = beryl(&["check", &example("helicopter")]).ended(0);
    assert!(checked.contains("took 1.5730 times as long"), "{checked}");
    assert!(planned.contains(&(holds("a dynamic band", "1.5730") + " (2 dynamic)")), "{planned}");
}

#[test]
fn where_nothing_holds_nothing_is_proposed() {
    let said = beryl(&["plan", &example("overload")]).ended(1);
    assert!(said.contains("None holds. `beryl check` shows") && !said.contains("[[band]]"), "{said}");
}

#[test]
fn a_machine_can_read_it() {
    let said = beryl(&["plan", &example("helicopter"), "--json"]).ended(0);
    let first = said.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        r#"{"bands":"a fixed band, by deadline","dynamic":[],"holds":true,"slowdown":"1.5730"}"#
    );
}
