//! The conformance suite: the simulator and each emulated board did the same, and the suite notices if they hadn't.

use std::fs;
use std::path::Path;

use beryl_abi::CallNumber;
use beryl_builder::board::{BOARDS, Board, MEASURED};
use beryl_trace::{Happening, Names, Nanoseconds, decode, table};
use serde_json::Value;

use common::{beryl, change, folder, left, left_text, lock, root, threads};

mod common;

/// The suites, in the workspace: what a port has to pass, and the other examples.
const SUITE: &str = "conformance/suite.toml";
const EXAMPLES: &str = "conformance/examples.toml";
/// What threads tell is compared.
const TOLD: [&str; 1] = ["numbers"];
/// All events can't be compared: code takes longer on one host.
const WHOLE: [&str; 5] = ["helicopter", "lift", "landing", "stray", "engine"];

/// A suite's tables, and each one's name.
fn suite(file: &str) -> Vec<(String, toml::Table)> {
    let text = fs::read_to_string(root().join(file)).expect("the suite");
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

/// Whether the suite says that a board refuses a system.
fn refuses(board: &str, system: &toml::Table) -> bool {
    let not_on = system.get("not_on").and_then(toml::Value::as_array);
    not_on.is_some_and(|boards| boards.iter().any(|name| name.as_str() == Some(board)))
}

/// The systems that are tried on a board: those that rotation has there, of the boards that don't refuse them, and those that
/// it refuses, which takes no time.
fn tried_on(board: &str, suite: &[(String, toml::Table)]) -> Vec<(String, toml::Table)> {
    let is_tried = |(name, system): &&(String, toml::Table)| {
        let boards: Vec<_> =
            BOARDS.iter().map(|board| board.name).filter(|board| !refuses(board, system)).collect();
        refuses(board, system) || beryl_testing::rotation(name, &boards).contains(&board)
    };
    suite.iter().filter(is_tried).cloned().collect()
}

/// A file with these systems.
fn written(systems: &[(String, toml::Table)], file: &str) -> String {
    let text: String = systems.iter().map(|(_, system)| format!("[[system]]\n{system}\n")).collect();
    let path = folder().join(file);
    fs::write(&path, text).expect("written");
    path.display().to_string()
}

/// The rows of a run of the suite: name of the system, and all that was found.
fn rows(said: &str) -> Vec<(String, Value)> {
    let rows = said.lines().map(|line| serde_json::from_str::<Value>(line).expect("an object a line"));
    let name = |row: &Value| Some(row["system"].as_str()?.rsplit('/').next()?.to_owned());
    rows.filter_map(|row| Some((name(&row)?, row))).collect()
}

/// Each system of a suite on one board, which its name says; without turns each on all. What was found where each first ran,
/// in the order of the suite.
fn passed(
    suite: &[(String, toml::Table)],
    looked_at: impl Fn(&Board, &[(String, Value)]),
) -> Vec<(String, Value)> {
    let mut once: Vec<(String, Value)> = Vec::new();
    for board in BOARDS {
        let tried = tried_on(board.name, suite);
        let names: Vec<_> = tried.iter().map(|(name, _)| name.as_str()).collect();
        println!("on {}: {}", board.name, names.join(", "));
        if tried.is_empty() {
            continue;
        }
        let path = written(&tried, &format!("tried_on_{}.toml", board.name));
        let said = beryl(&["--json", "conformance", &path, "--board", board.name]).ended(0);
        let rows = rows(&said);
        assert!(rows.iter().map(|(system, _)| system).eq(names.iter()), "{said}");
        for ((system, row), (_, written)) in rows.iter().zip(&tried) {
            let is_expected = !refuses(board.name, written);
            let became = (&row["agrees"], row["not_run"].is_string());
            assert_eq!(became, (&is_expected.into(), !is_expected), "{system}: {row}");
        }
        looked_at(board, &rows);
        let is_new = |system: &str| once.iter().all(|(other, _)| other != system);
        let ran: Vec<_> =
            rows.into_iter().filter(|(name, row)| row["not_run"].is_null() && is_new(name)).collect();
        once.extend(ran);
    }
    once.sort_by_key(|(system, _)| suite.iter().position(|(name, _)| name == system));
    assert!(once.iter().map(|(system, _)| system).eq(suite.iter().map(|(system, _)| system)), "{once:?}");
    once
}

/// What must hold of the suite is looked at with the same runs, since they take minutes.
#[test]
fn each_system_of_the_suite_passes_on_its_boards() {
    let _locks = (lock("conformance"), TOLD.map(lock), WHOLE.map(lock));
    let suite = suite(SUITE);
    let once = passed(&suite, |board, rows| {
        rows.iter()
            .filter(|(_, row)| row["not_run"].is_null())
            .for_each(|(system, row)| is_enough(system, row));
        the_page_shows_the_run(rows, &tried_on(board.name, &suite), board);
    });
    every_call_of_the_kernel_is_in_some_system(&once);
    no_event_is_close_before_a_release(&suite);
}

#[test]
fn each_example_passes_on_its_boards() {
    let suite = suite(EXAMPLES);
    let _locks = (lock("conformance"), suite.iter().map(|(name, _)| lock(name)).collect::<Vec<_>>());
    passed(&suite, |_, rows| {
        for (system, row) in rows.iter().filter(|(_, row)| row["not_run"].is_null()) {
            assert!(row["logical"].as_u64().is_some_and(|logical| logical > 3), "{system}: {row}");
        }
    });
}

/// An example is in a suite, or its writes alone are compared, which the file of the examples says.
#[test]
fn no_example_is_in_no_suite() {
    let said = fs::read_to_string(root().join(EXAMPLES)).expect("the suite");
    let suites = [suite(SUITE), suite(EXAMPLES)].concat();
    for entry in fs::read_dir(root().join("examples")).expect("examples") {
        let path = entry.expect("readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_in_one = suites.iter().filter(|(system, _)| *system == name).count();
        let is_named = said.contains(&format!("`{name}`"));
        assert!(is_in_one == 1 && !is_named || is_in_one == 0 && is_named, "{name} is in {is_in_one} suites");
    }
}

/// Both hosts did enough that is the same.
fn is_enough(system: &str, row: &Value) {
    let number = |figure: &str| row[figure].as_u64().unwrap_or(0);
    let is_among = |names: &[&str]| names.contains(&system);
    assert!(number("logical") > 14 && number("ends") > 14 || is_among(&TOLD), "{row}");
    assert_eq!(number("told") >= 10_000, is_among(&TOLD), "{row}");
    // Of most systems all events are compared.
    assert_eq!(number("events") > 80, !is_among(&TOLD) && !is_among(&WHOLE), "{row}");
    // Its thread stops where a transfer's end is seen twice.
    assert!(number("events") > 300 || system != "transfers", "{row}");
}

/// A million operations have the same bits everywhere, so everywhere they are tried.
#[test]
fn no_board_refuses_the_corpus_of_operations() {
    for (name, system) in suite(SUITE).iter().filter(|(name, _)| TOLD.contains(&name.as_str())) {
        assert!(!system.contains_key("not_on"), "{name}: {system}");
    }
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

/// The page's sample of a run on the board has this run's lines; one that has no sample of its own does what the described
/// board does. `BERYL_BLESS=1` writes it there, if the whole suite was run.
fn the_page_shows_the_run(rows: &[(String, Value)], suite: &[(String, toml::Table)], board: &Board) {
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
    let own = format!("```\nberyl conformance {SUITE} --board {}\n", board.name);
    let has_own = page.contains(&own);
    let sample = if has_own { own } else { format!("```\nberyl conformance {SUITE}\n") };
    let (before, rest) = page.split_once(&sample).expect("the page's sample");
    let (shown, after) = rest.split_once("```").expect("the end of the sample");
    let is_whole = beryl_testing::turn().is_none();
    if is_whole {
        let table = table::table(heads, &lines);
        let table: String = table.lines().map(|line| format!("  {line}\n")).collect();
        let said = table + &rows.iter().filter_map(reason).collect::<String>();
        let is_written = has_own || board.name == MEASURED;
        if is_written && std::env::var_os("BERYL_BLESS").is_some() {
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
    for call in CallNumber::ALL {
        let makes = |row: &Value| {
            row["calls"].as_array().is_some_and(|calls| calls.iter().any(|made| *made == format!("{call:?}")))
        };
        let systems = rows.iter().filter(|(_, row)| makes(row)).map(|(system, _)| format!("`{system}`"));
        let systems: Vec<_> = systems.collect();
        let begin = format!("| `{call:?}` | ");
        let listed = page.lines().find_map(|line| line.strip_prefix(&begin)?.strip_suffix(" |"));
        let listed = listed.unwrap_or_else(|| panic!("no system of the suite makes the call {call:?}"));
        assert_eq!(listed, systems.join(", "), "docs/reference/conformance.md on {call:?}");
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
