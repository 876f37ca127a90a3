//! `beryl plan`: what it proposes holds, and bears what it says.

use std::fs;
use std::path::Path;

use common::{beryl, example, folder};
use serde_json::Value;

mod common;

fn holds(what: &str, times: &str) -> String {
    format!("  {what:<38} holds if everything takes {times:>8} times as long")
}

#[test]
fn the_engine_would_bear_more_in_one_fixed_band() {
    let said = beryl(&["plan", &example("engine")]).ended(0);
    let lines: Vec<_> = said.lines().collect();
    assert!(lines.contains(&holds("a fixed band, by deadline", "1.2615").as_str()), "{said}");
    let split = holds("a dynamic band above a fixed one", "1.2615") + " (1 dynamic, the best of all 16)";
    assert!(lines.contains(&split.as_str()), "{said}");
    // A place among sixteen others is looked for by releases and wakes only.
    let alone = holds("a dynamic band", "1.1275") + " (17 dynamic)";
    assert!(lines.contains(&alone.as_str()), "{said}");
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
    assert!(checked.contains("took 1.1386 times as long"), "{checked}");
}

/// `thermometer` and `adapt` are released every 100 ms: `adapt` waits for the other unless it comes at another time.
#[test]
fn offsets_keep_threads_apart_whatever_their_periods_are() {
    let said = beryl(&["plan", &example("engine")]).ended(0);
    for row in [
        "  thermometer                 \"0ns\"               8.931 ms       3.973 ms       0.000 ms",
        "  adapt                      \"25ms\"              25.516 ms      18.835 ms       1.008 ms",
    ] {
        assert!(said.lines().any(|line| line == row), "{said}");
    }
    // The most urgent threads of 2 ms are better together: each instant costs the kernel's steps.
    assert!(!said.lines().any(|line| line.starts_with("  ignite  ") && line.contains("ns\"")), "{said}");
    let said = beryl(&["plan", &example("engine"), "--json"]).ended(0);
    let row = r#"{"offset_ns":25000000,"response_ns":25516"#;
    assert!(
        said.lines().any(|line| {
            line.starts_with(row)
                && line.contains(r#""saves_ns":1008"#)
                && line.contains(r#""thread":"adapt""#)
        }),
        "{said}"
    );
    // Tasks follow their timing program.
    assert!(!beryl(&["plan", &example("helicopter")]).ended(0).contains("Offsets"));
}

/// The bands of these are among the candidates; the lift switches modes.
#[test]
fn a_candidate_bears_what_check_says_of_it() {
    for (name, times, threads) in [("helicopter", "1.5977", 2), ("lift", "3.3582", 3)] {
        let planned = beryl(&["plan", &example(name)]).ended(0);
        let checked = beryl(&["check", &example(name)]).ended(0);
        assert!(checked.contains(&format!("took {times} times as long")), "{checked}");
        let row = holds("a dynamic band", times) + &format!(" ({threads} dynamic)");
        assert!(planned.contains(&row), "{planned}");
    }
}

/// Each proposal is typed into a copy of the file, and `check` accepts it with the same factor. What is
/// proposed takes its place from the band that it had.
#[test]
fn check_accepts_every_proposal_as_it_is_typed_and_says_the_same() {
    let mut offsets = 0;
    for name in ["engine", "lift", "meter", "traced"] {
        let said = beryl(&["plan", &example(name), "--json"]).ended(0);
        let rows: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let proposals: Vec<_> = rows.iter().filter(|row| row["holds"] == true).collect();
        assert!(!proposals.is_empty(), "{name}: {said}");
        let copy = folder().join(format!("planned-{name}"));
        fs::create_dir_all(&copy).expect("a folder");
        for file in fs::read_dir(example(name)).expect("a folder") {
            let path = file.expect("readable").path();
            if path.extension().is_some_and(|kind| kind == "tdl") {
                fs::copy(&path, copy.join(path.file_name().expect("a name"))).expect("a copy");
            }
        }
        let text = fs::read_to_string(Path::new(&example(name)).join("beryl.toml")).expect("a text");
        for proposal in &proposals {
            let own = typed(&text, &proposal["proposal"], &[]);
            assert_eq!(bears(&copy, &own), proposal["slowdown"], "{name}: {own}");
        }
        let Some(with_offsets) = rows.iter().find_map(|row| row.get("with_offsets")) else { continue };
        let most = |row: &&&Value| row["slowdown"].as_str().and_then(|times| times.parse::<f64>().ok());
        let best =
            proposals.iter().rev().max_by(|one, other| most(one).partial_cmp(&most(other)).expect("numbers"));
        let own = typed(&text, &best.expect("one")["proposal"], &rows);
        assert_eq!(bears(&copy, &own), *with_offsets, "{name}: {own}");
        offsets += 1;
    }
    assert_eq!(offsets, 2);
}

/// What `check` says of a description, in a folder with the other texts.
fn bears(folder: &Path, description: &str) -> Value {
    fs::write(folder.join("beryl.toml"), description).expect("written");
    common::empty_crates(folder);
    let checked = beryl(&["check", &folder.display().to_string(), "--json"]).ended(0);
    let rows = checked.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    rows.into_iter().find_map(|row| row.get("slowdown").cloned()).expect("a factor")
}

/// The description with other bands and offsets: tables of bands and lines with places are left out, and
/// those of the proposal put in.
fn typed(text: &str, bands: &Value, offsets: &[Value]) -> String {
    let bands = bands.as_array().expect("bands");
    let mut typed = String::new();
    let (mut is_band, mut offset) = (false, None);
    for line in text.lines() {
        let own = ["[task.", "[thread."].iter().find_map(|kind| line.strip_prefix(kind)?.split(']').next());
        if line.starts_with('[') {
            is_band = line.starts_with("[[band]]");
            offset = offsets.iter().find(|row| own.is_some() && row["thread"].as_str() == own);
        }
        let is_place = line.starts_with("band = ") || line.starts_with("priority = ");
        let is_offset = line.starts_with("offset = ") && offset.is_some();
        if !is_band && !is_place && !is_offset {
            typed.push_str(&format!("{line}\n"));
        }
        if let Some(row) = offset.filter(|_| own.is_some()) {
            typed.push_str(&format!("offset = \"{}ns\"\n", row["offset_ns"]));
        }
        for (band, member) in bands.iter().flat_map(|band| members(band).iter().map(move |row| (band, row))) {
            if Some(member["name"].as_str().expect("a name")) == own {
                typed.push_str(&format!("band = {}\n", band["name"]));
                if !member["priority"].is_null() {
                    typed.push_str(&format!("priority = {}\n", member["priority"]));
                }
            }
        }
    }
    for band in bands {
        typed.push_str(&format!("[[band]]\nname = {}\npolicy = {}\n", band["name"], band["policy"]));
    }
    typed
}

fn members(band: &Value) -> &[Value] {
    band["members"].as_array().expect("members")
}

#[test]
fn where_nothing_holds_nothing_is_proposed() {
    let said = beryl(&["plan", &example("overload")]).ended(1);
    assert!(said.contains("None holds. `beryl check` shows") && !said.contains("[[band]]"), "{said}");
}

/// Bands that hold, and flash for no kernel: then the flash is the reason, and not the times.
#[test]
fn what_has_no_room_is_refused_for_that() {
    let copy = folder().join("plan").join("helicopter_in_little_flash");
    common::copy(Path::new(&example("helicopter")), &copy);
    common::change(&copy.join("beryl.toml"), "flash = \"64k\"", "flash = \"8k\"");
    let said = beryl(&["plan", &copy.display().to_string()]);
    assert!(said.code == Some(1) && said.err.contains("bytes of flash, 8192 are allowed"), "{said:?}");
    assert!(!said.everything().contains("None holds"), "{said:?}");
}

#[test]
fn a_machine_can_read_it() {
    let said = beryl(&["plan", &example("helicopter"), "--json"]).ended(0);
    let first = said.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        r#"{"bands":"a fixed band, by deadline","dynamic":[],"holds":true,"method":"the only one","proposal":[{"members":[{"name":"navigate","priority":1},{"name":"control","priority":0}],"name":"fixed","policy":"fixed"}],"slowdown":"1.5977"}"#
    );
}
