//! The promise: what an example writes to its actuators depends neither on its board, nor on who schedules it, nor on how
//! fast the board is.
//!
//! Tests try one example, on the board that its name says. All of them, on all boards:
//! `cargo test -p beryl --test promise -- --ignored --nocapture`, which says what can't be tried, and why, and takes half an
//! hour. With `BERYL_BLESS=1` it is recorded in `docs/measurements/promise.md`.

use std::fs;

use beryl_builder::board::BOARDS;
use beryl_builder::rescheduled::SCHEDULERS;
use serde_json::Value as Json;

use common::{application, beryl, change, copy, example, folder, lock, root};

mod common;

/// Examples with a timing program, and how long they run. Of the others nothing is promised: what their
/// threads write depends on when they run.
const EXAMPLES: [(&str, &str); 9] = [
    ("helicopter", "200ms"),
    ("idle", "1s"),
    ("landing", "1s"),
    ("lift", "6s"),
    ("limp", "400ms"),
    ("meter", "1s"),
    ("robot", "2s"),
    ("sampler", "1s"),
    ("stray", "200ms"),
];

/// What can't be: an example, a scheduler, and a part of the reason that the program gives.
const REFUSED: [(&str, &str, &str); 9] = [
    ("idle", "fixed", "can't be offered: it isn't a dynamic one"),
    ("idle", "code", "can't be offered: it isn't a dynamic one"),
    ("landing", "code", "no mode of the image releases task `land`"),
    ("lift", "code", "belongs to module `Cabin`, which switches"),
    ("limp", "code", "belongs to module `Drive`, which switches"),
    ("robot", "dynamic", "no band by deadline whose tasks could be scheduled otherwise"),
    ("robot", "fixed", "no band by deadline whose tasks could be scheduled otherwise"),
    ("robot", "csd", "no band by deadline whose tasks could be scheduled otherwise"),
    ("robot", "code", "no band by deadline whose tasks could be scheduled otherwise"),
];

/// An example that a board refuses says so with a part of one of these reasons: it lacks a device, or the device of a line.
const LACKING: [&str; 2] = ["stands in for `", "for which nothing stands in on"];

/// At how many speeds each example is the same on each board.
const SPEEDS: usize = 5;

/// What was found of an example on a machine, a row of the comparison each.
struct Compared {
    said: String,
    rows: Vec<Json>,
}

impl Compared {
    fn of(name: &str, length: &str, boards: &[&str]) -> Compared {
        let system = example(name);
        let boards = boards.iter().flat_map(|board| ["--board", board]);
        let compare = ["--json", "compare", &system, "--for", length];
        let arguments: Vec<_> = compare.into_iter().chain(boards).collect();
        let said = beryl(&arguments).ended(0);
        let rows = said.lines().map(|line| serde_json::from_str::<Json>(line).expect("an object a line"));
        let rows = rows.filter(|row| row["machine"].is_string()).collect();
        Compared { said, rows }
    }

    /// What was found on a machine with a scheduler, or with the described one: the word, and the reason.
    fn with(&self, machine: &str, scheduler: Option<&str>) -> Option<(&str, &str)> {
        let is_it = |row: &&Json| {
            row["machine"] == machine && row["scheduler"].as_str() == scheduler && row["speed"].is_null()
        };
        let row = self.rows.iter().find(is_it)?;
        Some((row["found"].as_str()?, row["reason"].as_str().unwrap_or_default()))
    }

    /// How often a word was found at some speed.
    fn at_speeds(&self, machine: &str, word: &str) -> usize {
        let is_it = |row: &&Json| row["machine"] == machine && row["speed"].is_u64() && row["found"] == word;
        self.rows.iter().filter(is_it).count()
    }

    /// What shouldn't be.
    fn wrong(&self, name: &str, boards: &[&str]) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut hold = |holds: bool, what: String| {
            if !holds {
                wrong.push(format!("{name}: {what}"))
            }
        };
        let lacks = |board: &str| match self.with(board, None) {
            Some(("refused", reason)) => LACKING.iter().any(|part| reason.contains(part)),
            _ => false,
        };
        let machines = ["sim"].into_iter().chain(boards.iter().copied().filter(|board| !lacks(board)));
        for machine in machines {
            for scheduler in SCHEDULERS.map(|scheduler| scheduler.name()) {
                let refused = REFUSED.iter().find(|(example, by, _)| (*example, *by) == (name, scheduler));
                let found = self.with(machine, Some(scheduler));
                let is_right = match (refused, found) {
                    (None, Some((word, _))) => word == "same",
                    (Some((.., part)), Some((word, reason))) => word == "refused" && reason.contains(part),
                    (_, None) => false,
                };
                hold(is_right, format!("{scheduler} on {machine}: {found:?}"));
            }
            if machine != "sim" {
                let found = self.with(machine, None);
                hold(found == Some(("same", "")), format!("as described on {machine}: {found:?}"));
                let same = self.at_speeds(machine, "same");
                hold(same == SPEEDS, format!("the same at {same} speeds on {machine}"));
                hold(self.at_speeds(machine, "differs") == 0, format!("differs at a speed on {machine}"));
            }
        }
        wrong
    }
}

fn all_boards() -> Vec<&'static str> {
    BOARDS.iter().map(|board| board.name).collect()
}

/// In the simulation under each scheduler; and on its boards as described, under each scheduler, and at five speeds.
#[test]
fn the_helicopter_flies_the_same_wherever_whoever_schedules_it_and_however_fast() {
    let _lock = lock("helicopter");
    let boards = beryl_testing::rotation("helicopter", &all_boards());
    println!("on {}", boards.join(", "));
    let compared = Compared::of("helicopter", "200ms", &boards);
    assert_eq!(compared.wrong("helicopter", &boards), [""; 0], "{}", compared.said);
}

/// A task that looks where it is does something else on a board, and that is found.
#[test]
fn what_differs_is_found() {
    let name = "compared_otherwise";
    let _lock = lock(name);
    let system = folder().join("systems").join(name);
    let limp = root().join("examples/limp");
    copy(&limp, &system);
    change(&system.join("beryl.toml"), "name = \"limp\"", &format!("name = {name:?}"));
    let code = fs::read_to_string(limp.join("app/src/lib.rs")).expect("its code");
    let otherwise = code.replace("*speed = 1;", "*speed = if cfg!(target_os = \"none\") { 2 } else { 1 };");
    assert_ne!(code, otherwise);
    application(&system, name, &otherwise);
    let system = system.display().to_string();
    let arguments = ["compare", &system, "--board", "mps2-an385", "--speeds", "0", "--for", "400ms"];
    let said = beryl(&arguments).ended(1);
    assert!(said.contains("  as described  same     differs\n"), "{said}");
    assert!(said.contains("the first difference is at actuator write"), "{said}");
    assert!(said.ends_with("3 runs wrote the same, 4 differ\n"), "{said}");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let _lock = lock("overload");
    // On a board its jobs take no time, so that nothing is late there; and what is late in the simulation isn't proved.
    let overload = example("overload");
    let board = ["--board", "mps2-an385", "--speeds", "0", "--for", "200ms"];
    let said = beryl(&[&["compare", &overload], &board[..]].concat()).ended(1);
    assert!(said.contains("  as described  same     refused\n"), "{said}");
    assert!(
        said.contains(", as described on mps2-an385, dynamic on mps2-an385: task `plan`, released at"),
        "{said}"
    );
    assert!(said.ends_with("0 runs wrote the same, 0 differ\n"), "{said}");
    let said = beryl(&[&["compare", &overload, "--unchecked"], &board[..]].concat()).ended(1);
    assert!(said.contains("  as described  same     violated\n"), "{said}");
    assert!(said.contains("0 deadline misses, in the simulation"), "{said}");
    let said = beryl(&["compare", &example("console")]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("console has no timing program, so nothing is promised"), "{said:?}");
}

#[test]
#[ignore = "the whole matrix takes half an hour; a cut of it is always run: see the top of this file"]
fn every_example_writes_the_same_on_every_board() {
    let (boards, mut wrong) = (all_boards(), Vec::new());
    for (name, length) in EXAMPLES {
        let _lock = lock(name);
        let compared = Compared::of(name, length, &boards);
        println!("{}", compared.said);
        wrong.extend(compared.wrong(name, &boards));
        record(name, length, &compared.said);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Writes what was found into the page, if that is asked for.
fn record(name: &str, length: &str, said: &str) {
    if std::env::var_os("BERYL_BLESS").is_none() {
        return;
    }
    let last = said.lines().last().expect("sums");
    let sums: Json = serde_json::from_str(last).expect("an object");
    let lines = sums["said"].as_array().expect("a table").iter();
    let table: String =
        lines.map(|line| format!("  {}\n", line.as_str().expect("a line").trim_end())).collect();
    let path = root().join("docs/measurements/promise.md");
    let page = fs::read_to_string(&path).expect("the page");
    let begin = format!("<!-- table: {name} -->\n");
    let (before, rest) = page.split_once(&begin).expect("the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("its end");
    let block = format!("```\nberyl compare examples/{name} --for {length}\n{table}```\n");
    fs::write(&path, format!("{before}{begin}{block}<!-- end -->{after}")).expect("written");
}

/// An example that isn't in the list has no timing program, or isn't time-safe, or a job of it is ended for what it
/// has used, or is about a process, or has bands in windows, which other bands wouldn't have, or a network or a bus, which
/// few boards have, or values of one instant, which bands without priorities don't have.
#[test]
fn no_example_is_forgotten() {
    for entry in fs::read_dir(root().join("examples")).expect("examples") {
        let path = entry.expect("readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(path.join("beryl.toml")).expect("a description");
        let is_promised = text.contains("\ntiming = ")
            && ![
                "avionics",
                "ethernet",
                "formation",
                "graft",
                "logbook",
                "overload",
                "phoenix",
                "relay",
                "runaway",
                "shell",
                "warden",
            ]
            .contains(&name.as_str());
        assert_eq!(EXAMPLES.iter().any(|(example, _)| *example == name), is_promised, "{name}");
    }
}

/// The page has what each example came to, on boards that there are.
#[test]
fn the_page_shows_each_example() {
    let page = fs::read_to_string(root().join("docs/measurements/promise.md")).expect("the page");
    for (name, length) in EXAMPLES {
        let begin = format!("<!-- table: {name} -->\n```\nberyl compare examples/{name} --for {length}\n");
        let (_, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no sample of {name}"));
        let head: Vec<_> = rest.lines().next().unwrap_or_default().split_whitespace().collect();
        let is_known = |machine: &&str| *machine == "sim" || all_boards().contains(machine);
        assert!(head.len() > 4 && head.iter().all(is_known), "{name}: {head:?}");
    }
}
