//! The book: its samples are a system that runs, its figures are the recorded ones, and the tests that it
//! names are there.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use beryl_trace::names::Names;
use beryl_trace::{Event, Happening};
use common::{Ran, TWIN, beryl, folder, left, left_text, lock, root, spoken};

mod common;

const CHAPTER: &str = include_str!("../../docs/04-threads-and-what-they-share.md");
const COSTS: &str = include_str!("../../docs/08-costs.md");

/// How the line begins that follows what a system has printed.
const AFTER: [&str; 2] = ["0 sensor values", "task "];

/// The fenced blocks of a kind in the chapter on threads, in order.
fn blocks(kind: &str) -> Vec<String> {
    blocks_of(CHAPTER, kind)
}

/// Those of a page.
fn blocks_of(page: &str, kind: &str) -> Vec<String> {
    let fence = format!("```{kind}");
    let mut lines = page.lines();
    let mut found = Vec::new();
    while lines.by_ref().any(|line| line == fence) {
        let block = lines.by_ref().take_while(|line| *line != "```");
        found.push(block.map(|line| format!("{line}\n")).collect());
    }
    assert!(!found.is_empty(), "the chapter has no {kind}");
    found
}

/// The system that the chapter's samples make together. Each piece of Rust is a module of its own, so that a reader may
/// copy it as it stands.
fn system() -> PathBuf {
    let system = folder().join("systems/book");
    let source = system.join("app/src");
    fs::create_dir_all(&source).expect("a folder");
    fs::write(system.join("beryl.toml"), blocks("toml").join("\n")).expect("a description");
    let user = root().join("user");
    let manifest = format!(
        "[package]\nname = \"book\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\nberyl-user = {{ path = {user:?} }}\n"
    );
    fs::write(system.join("app/Cargo.toml"), manifest).expect("a manifest");
    let mut library = "#![no_std]\n#![forbid(unsafe_code)]\n#![deny(warnings)]\n".to_owned();
    for (number, block) in blocks("rust").into_iter().enumerate() {
        fs::write(source.join(format!("sample_{number}.rs")), block).expect("a sample");
        library += &format!("\nmod sample_{number};\npub use sample_{number}::*;\n");
    }
    fs::write(source.join("lib.rs"), library).expect("a library");
    system
}

/// What stands under a title.
fn console<'a>(ran: &'a Ran, title: &str) -> Vec<&'a str> {
    let lines = ran.out.lines().skip_while(|line| *line != title).skip(1);
    lines.map(str::trim).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn the_samples_of_the_chapter_on_threads_are_a_system() {
    let _lock = lock("book");
    let system = system().display().to_string();
    let said = beryl(&["check", &system]).ended(0);
    for line in blocks("check").concat().lines() {
        assert!(said.lines().any(|found| found == line), "check doesn't say {line:?}: {said}");
    }
    let expected = blocks("console").concat();
    let expected: Vec<_> = expected.lines().collect();
    for (command, title) in [("sim", "Simulation"), ("run", "On mps2-an385")] {
        let ran = beryl(&[command, &system, "--for", "100ms"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let said: Vec<_> = console(&ran, title).into_iter().map(spoken).collect();
        let (said, rest) = said.split_at(expected.len().min(said.len()));
        assert_eq!(said, expected, "{title}: {ran:?}");
        assert!(
            rest.first().is_some_and(|line| AFTER.iter().any(|next| line.starts_with(next))),
            "{title}: {rest:?}"
        );
    }
}

/// All files under a folder whose names end so, without what is built.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).expect("a folder") {
            let path = entry.expect("readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && !["target", "build", "out"].contains(&name.as_str()) && !name.starts_with('.')
            {
                folders.push(path);
            } else if name.ends_with(ending) {
                found.push(path);
            }
        }
    }
    found
}

/// How functions of other kernels begin.
const OTHERS: [&str; 2] = ["k_", "tx_"];

/// What stands between backquotes and is a sentence: that is how tests are called, and little else.
fn sentences(page: &str) -> BTreeSet<String> {
    let is_sentence = |word: &&str| {
        word.matches('_').count() >= 3
            && word
                .chars()
                .all(|letter| letter == '_' || letter.is_ascii_lowercase() || letter.is_ascii_digit())
            && !OTHERS.iter().any(|other| word.starts_with(other))
    };
    page.split('`').skip(1).step_by(2).filter(is_sentence).map(str::to_owned).collect()
}

/// The tests of projects that `beryl new` makes are tried by `newcomer.rs`; what these don't need is tried where it is
/// made.
#[test]
fn the_chapter_on_unit_tests_shows_tests_that_are_run() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut tried = files(&root().join("cli/templates"), "rs");
    tried.push(root().join("user/src/fake/tests.rs"));
    let texts: Vec<_> = tried.iter().map(|path| fs::read_to_string(path).expect("a text")).collect();
    let all = words(&texts.join("\n"));
    let shown = blocks_of(include_str!("../../docs/11-unit-tests.md"), "rust");
    for part in shown.iter().flat_map(|block| block.split("\n\n")) {
        assert!(all.contains(&words(part)), "no test has this:\n{part}");
    }
}

#[test]
fn the_tests_that_the_book_names_are_there() {
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a text");
    let code: String = files(&root(), ".rs").iter().map(read).collect();
    // Calls in C have names as long as those of tests.
    let calls = read(&root().join("builder/tests/c/beryl.h"));
    // Recorded expectations are tests, too.
    let recorded: BTreeSet<_> = files(&root(), ".txt")
        .iter()
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    let pages = files(&root(), ".md");
    assert!(pages.len() > 20, "{pages:?}");
    let mut named = 0;
    for page in pages {
        for name in sentences(&read(&page).replace("```", "")) {
            let is_there = ["(", "<"].iter().any(|end| code.contains(&format!("fn {name}{end}")))
                || recorded.contains(&name)
                || calls.contains(&format!(" {name}("));
            assert!(is_there, "{} names {name}, which isn't there", page.display());
            named += 1;
        }
    }
    assert!(named > 100, "only {named}");
}

const BEGIN: &str = "<!-- figures -->\n";
const END: &str = "<!-- end of the figures -->\n";

/// The recorded median of a bench and case, in instructions.
fn median(bench: &str, case: &str) -> u64 {
    let recorded =
        fs::read_to_string(root().join("docs/measurements/recorded.jsonl")).expect("recorded figures");
    let rows = recorded.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("a row"));
    let mut medians = rows
        .filter(|row| row["bench"] == bench && row["case"] == case && row["subject"] == "beryl")
        .map(|row| row["median"].as_u64().expect("a number"));
    let median = medians.next().unwrap_or_else(|| panic!("{bench}, {case} isn't recorded"));
    assert_eq!(medians.next(), None, "{bench}, {case} is recorded twice");
    median
}

/// `BERYL_BLESS=1` writes the recorded figures into the chapter.
#[test]
fn the_chapters_costs_are_the_recorded_ones() {
    let (before, rest) = COSTS.split_once(BEGIN).expect("the mark before the figures");
    let (table, after) = rest.split_once(END).expect("the mark behind the figures");
    let expected: String = table.lines().map(|line| with_figure(line) + "\n").collect();
    if std::env::var_os("BERYL_BLESS").is_some() {
        let path = root().join("docs/08-costs.md");
        fs::write(path, format!("{before}{BEGIN}{expected}{END}{after}")).expect("the page can be written");
        return;
    }
    assert!(table.lines().count() > 10);
    assert_eq!(table, expected);
}

/// A row of operation, bench with case, and figure, with the figure that is recorded; other lines as they are.
fn with_figure(line: &str) -> String {
    let cells: Vec<_> = line.split(" | ").collect();
    let [operation, what, _] = cells[..] else { return line.to_owned() };
    let Some((bench, case)) = what.strip_prefix('`').and_then(|what| what.split_once("`, ")) else {
        return line.to_owned();
    };
    format!("{operation} | {what} | {} |", median(bench, case))
}

/// Where the chapter on the kernel shows what happens from an instant on, in ms.
const FROM: &str = "<!-- figures: what happens from ";

/// An event as that chapter calls it.
fn called(names: &Names, event: &Event) -> String {
    match &event.happening {
        Happening::Release { task, .. } => format!("release {}", names.thread(*task)),
        Happening::Switch { to, .. } => format!("switch to {}", names.thread(*to)),
        Happening::Complete { task } => format!("complete {}", names.thread(*task)),
        Happening::Driver { driver, .. } => names.driver(*driver),
        _ => String::new(),
    }
}

/// An instant as that chapter writes it.
fn milliseconds(ns: u64) -> String {
    format!("{}.{:05} ms", ns / 1_000_000, ns % 1_000_000 / 10)
}

/// Whether a time on the board is the one that is shown, up to a twentieth and a microsecond: compilers differ by that.
fn is_near(from: u64, shown: &str, ns: u64) -> bool {
    let digits: String = shown.chars().filter(char::is_ascii_digit).collect();
    let shown = digits.parse::<u64>().map_or(0, |number| number * 10).saturating_sub(from);
    shown.abs_diff(ns - from) <= shown / 20 + 1000
}

/// The records of a period are those of a run on both machines; `BERYL_BLESS=1` writes their times.
#[test]
fn the_chapter_on_the_kernel_shows_what_the_traces_say() {
    const TICK: u64 = 40;
    let path = root().join("docs/10-the-kernel-from-inside.md");
    let page = fs::read_to_string(&path).expect("the page");
    let _lock = lock("helicopter");
    beryl(&["run", &common::example("helicopter"), "--for", "100ms"]).ended(0);
    let names = Names::parse(&left_text("helicopter", "names.json")).expect("names");
    let traces = ["mps2-an385.trace", &format!("{TWIN}.trace")]
        .map(|file| beryl_trace::decode(&left("helicopter", file)).expect("a whole trace"));
    let is_writing = std::env::var_os("BERYL_BLESS").is_some();
    let mut parts = page.split(FROM);
    let mut new = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (from, _) = part.split_once(" ms on").expect("an instant");
        let from = from.parse::<u64>().expect("whole milliseconds") * 1_000_000;
        let (table, after) = part.split_once(END).expect("its end");
        let row = |line: &str| {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            let [_, label, shown, _, _] = cells[..] else { return line.to_owned() };
            let time = |trace: &[Event]| {
                let times = trace.iter().filter(|event| called(&names, event) == label);
                times.map(|event| event.time.ticks() * TICK).find(|ns| *ns >= from)
            };
            let [Some(board), Some(simulator)] = [time(&traces[0]), time(&traces[1])] else {
                assert!(!shown.ends_with(" ms"), "no trace says `{label}`");
                return line.to_owned();
            };
            let is_same = !is_writing && is_near(from, shown, board);
            let board = if is_same { shown.to_owned() } else { milliseconds(board) };
            format!("| {label} | {board} | {} |", milliseconds(simulator))
        };
        let rows: Vec<_> = table.lines().map(row).collect();
        new += &format!("{FROM}{}\n{END}{after}", rows.join("\n"));
    }
    if is_writing {
        fs::write(&path, new).expect("the page can be written");
        return;
    }
    assert!(page == new, "the chapter should say:\n{new}");
}

/// Where the chapter on proof says how many times as long everything might take in other bands, and in those
/// that the engine has.
const BEARS: [&str; 3] =
    ["`examples/engine` that is one fixed band: ", " times as long, where the bands that it has bear ", "."];

/// `BERYL_BLESS=1` writes what `plan` and `check` say.
#[test]
fn the_bands_of_the_engine_bear_what_the_chapter_on_proof_says() {
    let engine = common::example("engine");
    let said = beryl(&["plan", &engine]).ended(0);
    let factor = |line: &str| line.split_once("takes")?.1.split_once("times")?.0.trim().parse::<f64>().ok();
    let fixed = said
        .lines()
        .find(|line| line.trim_start().starts_with("a fixed band,"))
        .and_then(factor)
        .expect("a factor");
    assert!(
        said.lines().filter_map(factor).all(|other| other <= fixed),
        "one fixed band isn't the best any more: {said}"
    );
    let checked = beryl(&["--json", "check", &engine]).out;
    let rows = checked.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let has = rows.filter_map(|row| row["slowdown"].as_str()?.parse::<f64>().ok()).next().expect("a factor");
    let expected = format!("{}{fixed:.2}{}{has:.2}{}", BEARS[0], BEARS[1], BEARS[2]);
    let path = root().join("docs/05-proof.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(BEARS[0]).expect("the sentence");
    let (_, rest) = rest.split_once(BEARS[1]).expect("its middle");
    let after = rest.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let new = format!("{before}{expected}{after}");
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, new).expect("the page can be written");
        return;
    }
    assert!(page == new, "the chapter on proof should say: {expected}");
}

/// What a line says apart from its figures.
fn words(line: &str) -> String {
    line.split_whitespace().filter(|word| !word.contains(|letter: char| letter.is_ascii_digit())).collect()
}

/// The front page's sample, line by line, is what the helicopter's commands say; `BERYL_BLESS=1` writes the
/// figures there.
#[test]
fn the_front_page_shows_what_the_helicopter_says() {
    const SAMPLE: &str = "`./x run` prints (shortened at `...`):\n\n```\n";
    let path = root().join("README.md");
    let page = fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once(SAMPLE).expect("the sample");
    let (sample, after) = rest.split_once("```").expect("its end");
    let _lock = lock("helicopter");
    let helicopter = common::example("helicopter");
    let said = ["check", "sim", "run"].map(|command| beryl(&[command, &helicopter]).ended(0)).concat();
    let said: Vec<_> = said
        .lines()
        .map(|line| line.replace(&format!("{}/", folder().display()), "").trim_end().to_owned())
        .collect();
    let line = |shown: &str| match shown == "..." || said.iter().any(|line| line == shown) {
        true => format!("{shown}\n"),
        // The board's lines come last.
        false => said
            .iter()
            .rev()
            .find(|line| words(line) == words(shown))
            .map_or_else(String::new, |line| format!("{line}\n")),
    };
    let expected: String = sample.lines().map(line).collect();
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, format!("{before}{SAMPLE}{expected}```{after}")).expect("the page can be written");
        return;
    }
    assert_eq!(sample, expected);
}

/// Where a system's response times begin and end.
const RESPONSES: [&str; 2] =
    ["Response times", "  time-safe: every job completes within its logical execution time"];

/// Where the table of a system's memory begins and ends.
const MEMORY: [&str; 2] = ["Memory (of flash", "```"];

/// A piece of the page from one word to the next.
fn piece<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let start = page.find(from).unwrap_or_else(|| panic!("no {from}"));
    let length = page[start..].find(to).unwrap_or_else(|| panic!("no {to} behind {from}"));
    &page[start..start + length]
}

/// A file of the lamp, as its chapter has it.
fn file_of_the_lamp<'a>(page: &'a str, name: &str) -> &'a str {
    let behind = &page[page.find(&format!("`lamp/{name}`")).unwrap_or_else(|| panic!("no {name}"))..];
    let start = behind.find("```").expect("a block") + 3;
    let text = &behind[start..];
    let text = &text[text.find('\n').expect("a line") + 1..];
    &text[..text.find("```").expect("its end")]
}

/// The helicopter's response times, and where things are in memory, of it and of the lamp that the reader
/// builds, is what `check` says; `BERYL_BLESS=1` writes it there.
#[test]
fn the_first_minutes_show_where_things_are() {
    let path = root().join("docs/02-first-ten-minutes.md");
    let page = fs::read_to_string(&path).expect("a page");
    let lamp = folder().join("first/lamp");
    for name in ["lamp.tdl", "beryl.toml", "app/Cargo.toml", "app/src/lib.rs"] {
        let file = lamp.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        let text = file_of_the_lamp(&page, name).replace("../../beryl", &root().display().to_string());
        fs::write(file, text).expect("written");
    }
    let mut right = page.clone();
    let said = beryl(&["check", &common::example("helicopter")]).ended(0);
    let shown = piece(&page, RESPONSES[0], "```");
    let told = piece(&said, RESPONSES[0], RESPONSES[1]).to_owned() + RESPONSES[1] + "\n";
    right = right.replace(shown, &told);
    let mut behind = 0;
    for system in [common::example("helicopter"), lamp.display().to_string()] {
        let said = beryl(&["check", &system]).ended(0);
        let told = said[said.find(MEMORY[0]).expect("a table")..].trim_end().to_owned() + "\n";
        let shown = piece(&right[behind..], MEMORY[0], MEMORY[1]).to_owned();
        let at = behind + right[behind..].find(&shown).expect("it was there");
        right.replace_range(at..at + shown.len(), &told);
        behind = at + told.len();
    }
    if std::env::var_os("BERYL_BLESS").is_some() {
        fs::write(&path, &right).expect("written");
    } else {
        assert!(
            page == right,
            "{} shows other times or memory than `check`: BERYL_BLESS=1 writes it",
            path.display()
        );
    }
}

/// What tools, tests and `x` read from the environment has a row in the page about it.
#[test]
fn each_variable_of_the_environment_is_named() {
    let page = fs::read_to_string(root().join("docs/reference/files-and-variables.md")).expect("the page");
    let is_named = |name: &str| page.contains(&format!("`{name}`"));
    let found = files(&root(), "rs");
    assert!(found.len() > 1000, "{}", found.len());
    // Cargo's own of a build script and of tests, and the compiler that it names.
    let is_cargos = |name: &str| {
        ["CARGO_PKG", "CARGO_MANIFEST", "CARGO_TARGET_TMPDIR"].iter().any(|own| name.starts_with(own))
            || ["OUT_DIR", "RUSTC"].contains(&name)
    };
    for file in found {
        let text = fs::read_to_string(&file).expect("a source");
        for read in ["env::var(\"", "env::var_os(\"", "option_env!(\"", "given(\""] {
            for behind in text.split(read).skip(1) {
                let name = behind.split('"').next().expect("a name");
                assert!(is_cargos(name) || is_named(name), "{}: {name}", file.display());
            }
        }
    }
    let script = fs::read_to_string(root().join("x")).expect("the script");
    let names: BTreeSet<&str> = script
        .split(|letter: char| !(letter.is_ascii_uppercase() || letter == '_'))
        .filter(|word| word.starts_with("BERYL_"))
        .collect();
    assert!(names.len() > 4, "{names:?}");
    for name in names {
        assert!(is_named(name), "x: {name}");
    }
}
