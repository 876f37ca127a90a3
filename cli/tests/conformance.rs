//! The conformance suite: the simulator and each emulated board did the same, and the suite notices if they hadn't.

use std::fs;

use beryl_abi::CallNumber;
use beryl_builder::board::BOARDS;
use beryl_trace::{Nanoseconds, table};
use serde_json::Value;

use common::{beryl, folder, lock, root};

mod common;

/// Systems of which all events are compared.
const IN_STEP: [&str; 22] = [
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
    "conditions",
    "event_groups",
    "priorities",
    "shared",
    "turns",
    "interrupts",
    "transfers",
    "events",
    "reactions",
    "slots",
    "records",
    "tasks",
];
/// What threads tell is compared.
const TOLD: [&str; 1] = ["numbers"];
const WHOLE: [&str; 5] = ["helicopter", "lift", "landing", "stray", "engine"];

/// The rows of a run of the suite: name of the system, and all that was found.
fn rows(said: &str) -> Vec<(String, Value)> {
    let rows = said.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object a line"));
    let name = |row: &Value| Some(row["system"].as_str()?.rsplit('/').next()?.to_owned());
    rows.filter_map(|row| Some((name(&row)?, row))).collect()
}

/// One run of the suite for what must hold of it, since it takes minutes.
#[test]
fn simulator_and_board_pass_the_suite() {
    let _locks = (lock("conformance"), TOLD.map(lock), WHOLE.map(lock));
    let suite = root().join("conformance/suite.toml").display().to_string();
    let said = beryl(&["--json", "conformance", &suite]).ended(0);
    let rows = rows(&said);
    let systems: Vec<_> = rows.iter().map(|(system, _)| system.as_str()).collect();
    assert_eq!(systems, [&IN_STEP[..], &TOLD, &WHOLE].concat(), "{said}");
    for (system, row) in &rows {
        assert_eq!(row["agrees"], true, "{system}: {row}");
        let number = |figure: &str| row[figure].as_u64().unwrap_or(0);
        let is_told = TOLD.contains(&system.as_str());
        assert!(number("logical") > 14 && number("ends") > 14 || is_told, "{row}");
        assert_eq!(number("told") >= 10_000, is_told, "{row}");
        assert_eq!(number("events") > 80, IN_STEP.contains(&system.as_str()), "{row}");
    }
    every_call_of_the_kernel_is_in_some_system(&rows);
    the_page_shows_the_run(&rows, &suite);
    let transfers = rows.iter().find(|(system, _)| system == "transfers").expect("in step");
    assert!(
        transfers.1["events"].as_u64() > Some(300),
        "its thread stops where a transfer's end is seen twice: {said}"
    );
}

/// Of the suite, what shows that a board has its clock, its protection, its interrupts and its environment.
/// All of it is `beryl conformance conformance/suite.toml --board BOARD`, which takes minutes.
const SHORT: [&str; 4] = ["bands", "faults", "interrupts", "helicopter"];

#[test]
fn each_other_board_passes_a_part_of_the_suite() {
    let _locks = (lock("conformance"), lock("helicopter"));
    let suite = root().join("conformance/suite.toml").display().to_string();
    for board in BOARDS.iter().skip(1) {
        for system in SHORT {
            let ran = ["--json", "conformance", &suite, "--board", board.name, "--only", system];
            let said = beryl(&ran).ended(0);
            for (system, row) in rows(&said) {
                assert_eq!(
                    (&row["agrees"], &row["board"]),
                    (&true.into(), &board.name.into()),
                    "{system}: {row}"
                );
            }
        }
    }
}

/// How the sample of a run on the page begins.
const SAMPLE: &str = "```\nberyl conformance conformance/suite.toml\n";

/// The page's sample is this run's table; `BERYL_BLESS=1` writes it there.
fn the_page_shows_the_run(rows: &[(String, Value)], suite: &str) {
    let systems: toml::Table = fs::read_to_string(suite).expect("the suite").parse().expect("TOML");
    let shows = systems["system"].as_array().expect("systems").iter().map(|system| system["shows"].as_str());
    let line = |((system, row), shows): (&(String, Value), Option<&str>)| {
        let number = |figure: &str| row[figure].as_u64().map_or("-".to_owned(), |number| number.to_string());
        let apart = row["apart_ns"].as_u64().map(|apart| Nanoseconds::new(apart).to_string());
        let [logical, ends, told, events] = ["logical", "ends", "told", "events"].map(number);
        let apart = apart.unwrap_or_else(|| "-".to_owned());
        [
            system.clone(),
            "ok".to_owned(),
            logical,
            ends,
            told,
            events,
            apart,
            shows.unwrap_or_default().to_owned(),
        ]
    };
    let lines: Vec<_> = rows.iter().zip(shows).map(line).collect();
    let heads = ["system", "result", "logical", "ends", "told", "all events", "apart", "shows"];
    let table = table::table(heads, &lines);
    let table: String = table.lines().map(|line| format!("  {line}\n")).collect();
    let path = root().join("docs/reference/conformance.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(SAMPLE).expect("the page's sample");
    let (shown, after) = rest.split_once("```").expect("the end of the sample");
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, format!("{before}{SAMPLE}{table}```{after}")).expect("the page can be written");
        return;
    }
    assert_eq!(shown, table, "docs/reference/conformance.md shows another run");
}

/// The page says which system makes which call, and there is none that no system makes.
fn every_call_of_the_kernel_is_in_some_system(rows: &[(String, Value)]) {
    let page = fs::read_to_string(root().join("docs/reference/conformance.md")).expect("the page");
    for call in CallNumber::ALL {
        let makes = |row: &Value| {
            row["calls"].as_array().is_some_and(|calls| calls.iter().any(|made| *made == format!("{call:?}")))
        };
        let systems = rows.iter().filter(|(_, row)| makes(row)).map(|(system, _)| format!("`{system}`"));
        let systems: Vec<_> = systems.collect();
        assert!(!systems.is_empty(), "no system of the suite makes the call {call:?}");
        let row = format!("| `{call:?}` | {} |", systems.join(", "));
        assert!(page.lines().any(|line| line == row), "docs/reference/conformance.md lacks\n{row}");
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
