//! The conformance suite: the simulator and each emulated board did the same, and the suite notices if they hadn't.

use std::fs;
use std::path::Path;

use beryl_abi::CallNumber;
use beryl_builder::board::BOARDS;
use beryl_trace::{Happening, Names, Nanoseconds, decode, table};
use serde_json::Value;

use common::{beryl, change, folder, left, left_text, lock, root, threads};

mod common;

/// What is tried whenever anything is: a mechanism each.
const ALWAYS: [&str; 10] = [
    "bands",
    "inheritance",
    "mailbox",
    "endpoint",
    "timeouts",
    "faults",
    "program",
    "slots",
    "interrupts",
    "helicopter",
];
/// In how many shares the others have their turn.
const SHARES: usize = 3;
/// What threads tell is compared.
const TOLD: [&str; 1] = ["numbers"];
/// All events can't be compared: code takes longer on one host.
const WHOLE: [&str; 5] = ["helicopter", "lift", "landing", "stray", "engine"];

/// The suite's tables, and each one's name.
fn suite() -> Vec<(String, toml::Table)> {
    let text = fs::read_to_string(root().join("conformance/suite.toml")).expect("the suite");
    let mut suite: toml::Table = text.parse().expect("TOML");
    let Some(toml::Value::Array(systems)) = suite.remove("system") else { panic!("systems: {suite}") };
    let table = |system: toml::Value| {
        let toml::Value::Table(mut system) = system else { panic!("a table: {system}") };
        let folder = system["folder"].as_str().expect("a folder").to_owned();
        let absolute = root().join("conformance").join(&folder).canonicalize().expect("its folder");
        system.insert("folder".to_owned(), absolute.display().to_string().into());
        (folder.rsplit('/').next().expect("a name").to_owned(), system)
    };
    systems.into_iter().map(table).collect()
}

/// Those of the suite that are run: some always, the others if it is their turn, in so many shares. And the file that has
/// them, called `file`.
fn whose_turn(
    suite: &[(String, toml::Table)],
    always: &[&str],
    shares: usize,
    file: &str,
) -> (Vec<(String, toml::Table)>, String) {
    let is_always = |name: &str| always.contains(&name);
    let others = suite.iter().map(|(name, _)| name.as_str()).filter(|name| !is_always(name));
    let others = beryl_testing::whose_turn(others, shares);
    let chosen = suite.iter().filter(|(name, _)| is_always(name) || others.contains(&name.as_str()));
    let chosen: Vec<_> = chosen.cloned().collect();
    let text: String = chosen.iter().map(|(_, system)| format!("[[system]]\n{system}\n")).collect();
    let path = folder().join(file);
    fs::write(&path, text).expect("written");
    (chosen, path.display().to_string())
}

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
    let (suite, path) = whose_turn(&suite(), &ALWAYS, SHARES, "whose_turn.toml");
    let said = beryl(&["--json", "conformance", &path]).ended(0);
    let rows = rows(&said);
    assert!(rows.iter().map(|(system, _)| system).eq(suite.iter().map(|(system, _)| system)), "{said}");
    for (system, row) in &rows {
        assert_eq!(row["agrees"], true, "{system}: {row}");
        let number = |figure: &str| row[figure].as_u64().unwrap_or(0);
        let is_among = |names: &[&str]| names.contains(&system.as_str());
        assert!(number("logical") > 14 && number("ends") > 14 || is_among(&TOLD), "{row}");
        assert_eq!(number("told") >= 10_000, is_among(&TOLD), "{row}");
        // Of most systems all events are compared.
        assert_eq!(number("events") > 80, !is_among(&TOLD) && !is_among(&WHOLE), "{row}");
        // Its thread stops where a transfer's end is seen twice.
        assert!(number("events") > 300 || system != "transfers", "{row}");
    }
    every_call_of_the_kernel_is_in_some_system(&rows);
    no_event_is_close_before_a_release(&suite);
    the_page_shows_the_run(&rows, &suite, "");
}

/// In the simulation no event comes less than this before a release: it might be behind it on a board, where the kernel
/// takes time.
const MICROSECONDS_BEFORE_A_RELEASE: u64 = 10;

/// Events of systems of which all are compared are as far from the next release as the page says.
fn no_event_is_close_before_a_release(suite: &[(String, toml::Table)]) {
    let is_compared =
        |system: &toml::Table| system.get("compare").is_some_and(|how| how.as_str() == Some("all"));
    for (system, _) in suite.iter().filter(|(_, system)| is_compared(system)) {
        let names = Names::parse(&left_text("conformance", &format!("{system}/names.json"))).expect("names");
        let events = decode(&left("conformance", &format!("{system}/sim.trace"))).expect("a whole trace");
        for pair in events.windows(2).filter(|pair| pair[0].time < pair[1].time) {
            let between = names.tick.length(pair[1].time.since(pair[0].time)).number();
            let is_release = matches!(pair[1].happening, Happening::Release { .. });
            let is_far = between >= MICROSECONDS_BEFORE_A_RELEASE * 1_000;
            assert!(is_far || !is_release, "{system}: {between} ns between {pair:?}");
        }
    }
}

/// Of the suite, what shows that a board has its clock, its protection, its interrupts and its environment.
/// All of it is `beryl conformance conformance/suite.toml --board BOARD`, which takes minutes.
const SHORT: [&str; 4] = ["bands", "faults", "interrupts", "helicopter"];

#[test]
fn each_other_board_passes_a_part_of_the_suite() {
    let _locks = (lock("conformance"), lock("helicopter"));
    let suite = root().join("conformance/suite.toml").display().to_string();
    let is_other = |name: &str| OTHERS.iter().any(|(other, _)| *other == name);
    for board in BOARDS.iter().skip(1).filter(|board| !is_other(board.name)) {
        for system in SHORT {
            let ran = ["--json", "conformance", &suite, "--board", board.name, "--only", system];
            let said = beryl(&ran).ended(0);
            for (system, row) in rows(&said) {
                assert_eq!(row["board"], board.name, "{system}: {row}");
                assert_eq!(row["agrees"], true, "{system}: {row}");
            }
        }
    }
}

/// The boards with another processor or other devices, and what is always tried on each.
const OTHERS: [(&str, [&str; 2]); 3] = [
    ("virt", ["bands", "helicopter"]),
    ("mps2-an505", ["faults", "shared"]),
    ("stm32f405", ["mailbox", "lift"]),
];
/// In how many shares the others have their turn on them.
const SHARES_ON_OTHERS: usize = 8;

/// All that the board has the devices and the compiler for; the rest is refused, for a reason that the page shows.
#[test]
fn another_processor_passes_the_suite() {
    passes("virt");
}

#[test]
fn another_protection_unit_passes_the_suite() {
    passes("mps2-an505");
}

#[test]
fn a_chip_that_one_can_buy_passes_the_suite() {
    passes("stm32f405");
}

fn passes(board: &str) {
    let _locks = (lock("conformance"), TOLD.map(lock), WHOLE.map(lock));
    let always =
        OTHERS.iter().find(|(other, _)| *other == board).map(|(_, always)| always).expect("one of them");
    let (suite, path) =
        whose_turn(&suite(), always, SHARES_ON_OTHERS, &format!("whose_turn_on_{board}.toml"));
    let said = beryl(&["--json", "conformance", &path, "--board", board]).ended(0);
    let rows = rows(&said);
    assert!(rows.iter().map(|(system, _)| system).eq(suite.iter().map(|(system, _)| system)), "{said}");
    for (system, row) in &rows {
        assert_eq!(row["board"], board, "{system}: {row}");
        let became = (&row["agrees"], row["not_run"].is_string());
        let expected = row["expected"] == true;
        assert_eq!(became, (&expected.into(), !expected), "{system}: {row}");
        let number = |figure: &str| row[figure].as_u64().unwrap_or(0);
        let is_compared = number("events") > 80 || number("logical") > 200 || number("told") >= 10_000;
        assert!(is_compared || !expected, "{row}");
    }
    the_page_shows_the_run(&rows, &suite, &format!(" --board {board}"));
}

/// The page's sample of the run with these `options` has this run's lines; `BERYL_BLESS=1` writes it there, if the whole
/// suite was run.
fn the_page_shows_the_run(rows: &[(String, Value)], suite: &[(String, toml::Table)], options: &str) {
    let line = |((system, row), (_, written)): (&(String, Value), &(String, toml::Table))| {
        let number = |figure: &str| row[figure].as_u64().map_or("-".to_owned(), |number| number.to_string());
        let apart = row["apart_ns"].as_u64().map(|apart| Nanoseconds::new(apart).to_string());
        let [logical, ends, told, events] = ["logical", "ends", "told", "events"].map(number);
        let apart = apart.unwrap_or_else(|| "-".to_owned());
        let shows = written["shows"].as_str().expect("a text").to_owned();
        let result = if row["not_run"].is_string() { "not run" } else { "ok" };
        [system.clone(), result.to_owned(), logical, ends, told, events, apart, shows]
    };
    let lines: Vec<_> = rows.iter().zip(suite).map(line).collect();
    let heads = ["system", "result", "logical", "ends", "told", "all events", "apart", "shows"];
    let reason = |(system, row): &(String, Value)| {
        Some(format!("  {system}: not run: {}\n", row["not_run"].as_str()?))
    };
    let path = root().join("docs/reference/conformance.md");
    let page = fs::read_to_string(&path).expect("the page");
    let sample = format!("```\nberyl conformance conformance/suite.toml{options}\n");
    let (before, rest) = page.split_once(&sample).expect("the page's sample");
    let (shown, after) = rest.split_once("```").expect("the end of the sample");
    let is_whole = beryl_testing::turn().is_none();
    if is_whole {
        let table = table::table(heads, &lines);
        let table: String = table.lines().map(|line| format!("  {line}\n")).collect();
        let said = table + &rows.iter().filter_map(reason).collect::<String>();
        if std::env::var_os("BERYL_BLESS").is_some() {
            fs::write(&path, format!("{before}{sample}{said}```{after}")).expect("the page can be written");
            return;
        }
        assert_eq!(shown, said, "docs/reference/conformance.md shows another run");
    }
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for line in lines.iter().map(|line| line.join(" ")).chain(rows.iter().filter_map(reason)) {
        let is_shown = shown.lines().any(|shown| words(shown) == words(&line));
        assert!(is_shown, "docs/reference/conformance.md shows no run with\n{line}");
    }
}

/// The page says which system makes which call, and there is none that no system makes.
fn every_call_of_the_kernel_is_in_some_system(rows: &[(String, Value)]) {
    let page = fs::read_to_string(root().join("docs/reference/conformance.md")).expect("the page");
    let ran: Vec<_> = rows.iter().map(|(system, _)| format!("`{system}`")).collect();
    let may_be_listed = |one: &str| beryl_testing::turn().is_none() || ran.iter().any(|ran| ran == one);
    for call in CallNumber::ALL {
        let makes = |row: &Value| {
            row["calls"].as_array().is_some_and(|calls| calls.iter().any(|made| *made == format!("{call:?}")))
        };
        let systems = rows.iter().filter(|(_, row)| makes(row)).map(|(system, _)| format!("`{system}`"));
        let systems: Vec<_> = systems.collect();
        let begin = format!("| `{call:?}` | ");
        let listed = page.lines().find_map(|line| line.strip_prefix(&begin)?.strip_suffix(" |"));
        let listed = listed.unwrap_or_else(|| panic!("no system of the suite makes the call {call:?}"));
        let listed: Vec<_> = listed.split(", ").filter(|one| may_be_listed(one)).collect();
        assert_eq!(listed, systems, "docs/reference/conformance.md on {call:?}");
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

/// A system that is refused for its board is a row, and the next one is tried. The suite says of which that is right; it
/// mustn't say so of one that runs.
#[test]
fn what_is_refused_for_a_board_is_a_row() {
    let _locks = (lock("conformance"), lock("rung_on_virt"));
    let rung = threads("rung_on_virt", "app", "").display().to_string();
    change(
        &Path::new(&rung).join("beryl.toml"),
        "memory = \"64\"",
        "memory = \"64\"\ndevices = [\"dualtimer\"]",
    );
    let bands = root().join("conformance/bands").display().to_string();
    let suite = folder().join("refused.toml");
    let path = suite.display().to_string();
    let run = |rows: &[(&str, &str)]| {
        let row = |(folder, not_on): &(&str, &str)| {
            let row = format!(
                "folder = {folder:?}\nfor = \"61ms\"\ncompare = \"all\"\nshows = \"it\"\nnot_on = [{not_on}]\n"
            );
            format!("[[system]]\n{row}")
        };
        fs::write(&suite, rows.iter().map(row).collect::<String>()).expect("written");
        beryl(&["conformance", &path, "--board", "virt"])
    };
    let result = |said: &str, system: &str| {
        let mut words = said.lines().find(|line| line.contains(&format!("  {system} ")))?.split_whitespace();
        (words.next() == Some(system)).then(|| words.take(2).collect::<Vec<_>>().join(" "))
    };
    let reason = "rung_on_virt: not run: the system has neither a timing program nor a thread, so nothing would ever run; nothing on virt stands in for `dualtimer`, a device of mps2-an385";
    // Nobody said so: it fails, but the other one was tried.
    let said = run(&[(&rung, ""), (&bands, "")]).ended(1);
    assert_eq!(result(&said, "rung_on_virt").as_deref(), Some("not run"), "{said}");
    assert_eq!(result(&said, "bands").as_deref(), Some("ok 54"), "{said}");
    assert!(said.contains(&format!("{reason}; the suite doesn't say so")), "{said}");
    // The suite says so.
    let said = run(&[(&rung, "\"virt\"")]).ended(0);
    assert!(said.contains(reason) && !said.contains("doesn't say so"), "{said}");
    // It says so of one that runs.
    let said = run(&[(&bands, "\"virt\"")]).ended(1);
    assert_eq!(result(&said, "bands").as_deref(), Some("ok 54"), "{said}");
    assert!(said.contains("  bands: it runs, so take `virt` out of its `not_on`"), "{said}");
    // A board that isn't.
    let said = run(&[(&bands, "\"moon\"")]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.err.contains("`not_on` of") && said.err.contains("there are `mps2-an385`"), "{said:?}");
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
        // Where the message is wrapped depends on how long the folder's path is.
        let said = ran.err.replace("\n  │ ", " ");
        assert!(ran.code == Some(1) && said.contains(reason), "{text}: {ran:?}");
    }
}
