//! The conformance suite: the simulator and each emulated board did the same, and the suite notices if they hadn't.

use std::fs;

use common::{beryl, folder, lock, root};

mod common;

/// Systems of which all events are compared.
const IN_STEP: [&str; 10] = [
    "bands",
    "inheritance",
    "ceiling",
    "mailbox",
    "endpoint",
    "timeouts",
    "late",
    "faults",
    "program",
    "table",
];
const WHOLE: [&str; 5] = ["helicopter", "lift", "landing", "stray", "engine"];

#[test]
fn simulator_and_board_pass_the_suite() {
    let _locks = WHOLE.map(lock);
    let suite = root().join("conformance/suite.toml").display().to_string();
    let said = beryl(&["conformance", &suite]).ended(0);
    let rows: Vec<Vec<&str>> = said
        .lines()
        .skip_while(|line| !line.starts_with("Conformance"))
        .skip(2)
        .map(|line| line.split_whitespace().take(5).collect())
        .collect();
    let systems: Vec<_> = rows.iter().filter_map(|row| row.first().copied()).collect();
    assert_eq!(systems, [&IN_STEP[..], &WHOLE].concat(), "{said}");
    let number = |text: &str| text.parse::<u32>().unwrap_or(0);
    for row in rows {
        let [system, result, logical, ends, all] = row[..] else { panic!("{said}") };
        assert_eq!(result, "ok", "{system}");
        assert!(number(logical) > 14 && number(ends) > 14, "{system}: {logical}, {ends}");
        assert_eq!(number(all) > 80, IN_STEP.contains(&system), "{system}: {all}");
    }
}

/// Overload takes its time with `spend`, which takes none on a board: there it is no overload.
#[test]
fn a_host_that_does_something_else_differs() {
    let _lock = lock("overload");
    let suite = folder().join("differing.toml");
    let text = format!(
        "[[system]]\nfolder = {:?}\nfor = \"200ms\"\nshows = \"execution times\"\n",
        root().join("examples/overload").display().to_string()
    );
    fs::write(&suite, text).expect("written");
    let said = beryl(&["conformance", &suite.display().to_string()]).ended(1);
    assert!(said.contains("differs") && said.contains("plan violates time safety at 80 ms"), "{said}");
}

#[test]
fn what_is_no_suite_is_refused_in_words() {
    let suite = folder().join("wrong_suite.toml");
    let path = suite.display().to_string();
    for (text, reason) in [
        ("", "missing field `system`"),
        ("[[system]]\nfolder = \"x\"", "missing field `for`"),
        ("[[system]]\nfolder = \"x\"\nfor = \"1\"\nshows = \"\"\n", "doesn't exist"),
        ("system = []", "has no such system"),
        (
            "[[system]]\nfolder = \"x\"\nfor = \"1s\"\nshows = \"\"\ncompare = \"most\"\n",
            "unknown variant `most`",
        ),
    ] {
        fs::write(&suite, text).expect("written");
        let ran = beryl(&["conformance", &path]);
        assert!(ran.code == Some(1) && ran.err.contains(reason), "{text}: {ran:?}");
    }
}
