//! A stage that is held by tasks of three rates, which read each other's values of the same instant: a period earlier than with
//! logical execution times, whatever jobs take, in the simulator and on boards.

use std::fs;

use common::{beryl, example, lock, root};

mod common;

/// What the stage says at the end: how late it was answered, and where it is.
fn answer(options: &[&str]) -> String {
    let _lock = lock("relay");
    let system = example("relay");
    let said = beryl(&[&["sim", &system, "--for", "800ms"], options].concat()).ended(0);
    let line = said.lines().map(str::trim).find(|line| line.starts_with("the push was answered"));
    line.unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn values_of_the_same_instant_answer_a_period_earlier() {
    let at_once = answer(&[]);
    assert_eq!(at_once, "the push was answered 34999 us later; the stage is at 1038 um");
    for times in [&["--times", "best"][..], &["--times", "random", "--seed", "5", "--costs", "worst"]] {
        assert_eq!(answer(times), at_once, "{times:?}");
    }
    assert_eq!(
        answer(&["--outputs", "let"]),
        "the push was answered 54999 us later; the stage is at 1048 um"
    );
    let page = fs::read_to_string(root().join("examples/relay/README.md")).expect("a page");
    for row in ["| `\"synchronous\"` | 34.999 ms |", "| `\"let\"` | 54.999 ms |"] {
        assert!(page.contains(row), "{row}");
    }
}

#[test]
fn boards_write_what_the_simulation_writes() {
    for board in ["mps2-an385", "virt"] {
        let _lock = lock("relay");
        let said = beryl(&["run", &example("relay"), "--for", "800ms", "--board", board]).ended(0);
        let expected = format!("relay: 40 actuator writes, identical on sim and {board}; 0 deadline misses");
        assert_eq!(said.lines().last(), Some(expected.as_str()), "{said}");
    }
}

#[test]
fn the_proof_counts_copies_at_completions_and_the_chain_goes_through_one_instant() {
    let said = beryl(&["check", &example("relay")]).ended(0);
    for line in [
        "time-safe",
        "call     filter.smooth fed to estimate",
        "enforced: no job of `filter`, `estimate` waits",
        "40.000 ms    20.000 ms   place -> filter -> estimate -> control -> motor",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
}
