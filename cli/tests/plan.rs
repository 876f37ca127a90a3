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
    assert!(lines.contains(&holds("a fixed band, by deadline", "1.3738").as_str()), "{said}");
    assert!(lines.contains(&(holds("a dynamic band", "1.0436") + " (15 dynamic)").as_str()), "{said}");
    let proposed: Vec<_> = lines.iter().skip_while(|line| **line != "  [[band]]").take(5).collect();
    let expected = [
        "  [[band]]",
        "  name = \"fixed\"",
        "  policy = \"fixed\"",
        "    sample: band = \"fixed\", priority = 14",
        "    inject: band = \"fixed\", priority = 13",
    ];
    assert!(proposed.iter().copied().eq(expected.iter()), "{said}");
    assert!(said.contains("not counted: blocking by lock `fuel_map`"), "{said}");
    let checked = beryl(&["check", &example("engine")]).ended(0);
    assert!(checked.contains("took 1.1511 times as long"), "{checked}");
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
