//! Jobs are counted to the instruction on the emulated board, by path, and stand beside what is declared and bounded.

use std::fs;
use std::path::{Path, PathBuf};

use common::{application, beryl, change, flight, folder, threads};
use serde_json::Value;

mod common;

/// A thread whose jobs take another number of rounds each time, and one that works for what it sends.
const SYSTEM: &str = r#"
[thread.count]
process = "one"
priority = 5
entry = "count"
stack = "512"
period = "10ms"
worst = "1ms"
uses = ["log.send"]

[thread.listen]
process = "one"
priority = 6
entry = "listen"
stack = "512"
separation = "10ms"
worst = "1ms"
deadline = "5ms"
uses = ["log.receive"]

[mailbox.log]
type = "int"
capacity = 4
"#;

/// What never waits, `try_send` and `try_receive`, ends no job.
const CODE: &str = "#![no_std]
#![forbid(unsafe_code)]

use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::period::Period;
use core::hint::black_box;

pub fn count(mut period: Period, mut log: Sender<i32>) -> ! {
    let mut last = 0;
    // step boundary
    loop {
        last = last % 4 + 1;
        let (mut sum, mut left) = (0_i32, last);
        // bound: 4
        while left > 0 {
            sum = black_box(sum.wrapping_add(left));
            left -= 1;
        }
        let _ = log.try_send(&sum);
        period.wait();
    }
}

pub fn listen(mut log: Receiver<i32>) -> ! {
    loop {
        let _ = black_box(log.receive());
        let _ = black_box(log.try_receive());
    }
}
";

fn system(name: &str) -> PathBuf {
    let system = threads(name, "app", SYSTEM);
    application(&system, name, CODE);
    system
}

/// Each job's line of a measurement, by name.
fn measured(system: &Path, length: &str, options: &[&str]) -> (Option<i32>, Vec<Value>) {
    let path = system.display().to_string();
    let said = beryl(&[&["measure", &path, "--json", "--for", length], options].concat());
    let rows = said.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let rows: Vec<_> = rows.filter(|row| row.get("job").is_some()).collect();
    assert!(!rows.is_empty(), "{said:?}");
    (said.code, rows)
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// The same reader finds calls, threads and paths in the code of another processor.
#[test]
fn jobs_are_counted_on_another_processor() {
    let system = system("counted_on_virt");
    let (code, rows) = measured(&system, "75ms", &["--board", "virt"]);
    assert_eq!(code, Some(0), "{rows:?}");
    let [count, listen] = rows.as_slice() else { panic!("{rows:?}") };
    assert_eq!([&count["jobs"], &count["calls"]].map(number), [8, 1], "{count}");
    assert_eq!([&listen["jobs"], &listen["calls"]].map(number), [8, 1], "{listen}");
    let paths = count["paths"].as_array().expect("paths");
    assert_eq!(paths.len(), 5, "four numbers of rounds, and the first job: {count}");
    let lengths: Vec<_> = paths.iter().filter(|path| number(&path["jobs"]) == 2).collect();
    let lengths: Vec<_> = lengths.iter().map(|path| number(&path["instructions"])).collect();
    let steps: Vec<_> = lengths.windows(2).map(|pair| pair[0].abs_diff(pair[1])).collect();
    assert!(
        steps.len() == 2 && steps[0] == steps[1] && steps[0] > 0,
        "each round takes the same: {lengths:?}"
    );
    let [_, _, most] = [0, 1, 2].map(|place| number(&count["instructions"][place]));
    let bound = number(&count["bounded_ns"]) / 32;
    assert!((most..most + 40).contains(&bound), "{most} measured, {bound} bounded");
    assert!(listen["unbounded"].as_str().is_some_and(|reason| reason.contains("src/lib.rs")), "{listen}");
}

#[test]
fn jobs_are_counted_by_path_and_stand_beside_what_is_declared_and_bounded() {
    let system = system("counted");
    let (code, rows) = measured(&system, "75ms", &[]);
    assert_eq!(code, Some(0));
    let [count, listen] = rows.as_slice() else { panic!("{rows:?}") };

    // Eight jobs, released from 0 to 70 ms. The first also has what stands before the loop.
    assert_eq!([&count["jobs"], &count["calls"]].map(number), [8, 1], "{count}");
    let paths = count["paths"].as_array().expect("paths");
    let times: Vec<_> = paths.iter().map(|path| number(&path["jobs"])).collect();
    assert_eq!(times.iter().sum::<u64>(), 8);
    assert_eq!(paths.len(), 5, "four numbers of rounds, and the first job: {count}");
    let lengths: Vec<_> = paths.iter().filter(|path| number(&path["jobs"]) == 2).collect();
    let lengths: Vec<_> = lengths.iter().map(|path| number(&path["instructions"])).collect();
    let steps: Vec<_> = lengths.windows(2).map(|pair| pair[0] - pair[1]).collect();
    assert!(
        steps.len() == 2 && steps[0] == steps[1] && steps[0] > 0,
        "each round takes the same: {lengths:?}"
    );

    // The bound is that of a first job that takes all rounds.
    let [_, _, most] = [0, 1, 2].map(|place| number(&count["instructions"][place]));
    let bound = number(&count["bounded_ns"]) / 32;
    assert!((most..most + 30).contains(&bound), "{most} measured, {bound} bounded");
    assert!(number(&count["measured_ns"]) > most * 32, "its call isn't for nothing");
    assert!(number(&count["proposed_ns"]) > number(&count["measured_ns"]));

    assert_eq!(
        [&listen["jobs"], &listen["calls"], &listen["declared_ns"]].map(number),
        [8, 1, 1_000_000],
        "{listen}"
    );
    assert!(listen["unbounded"].as_str().is_some_and(|reason| reason.contains("src/lib.rs")), "{listen}");

    // The same once more, and a case that is twice as many jobs.
    let (_, again) =
        measured(&system, "75ms", &["--plant-seed", "1", "--plant-seed", "2", "--margin", "100"]);
    assert_eq!(number(&again[0]["jobs"]), 16);
    assert_eq!(again[0]["instructions"], count["instructions"]);
    assert!(number(&again[0]["proposed_ns"]) > number(&count["proposed_ns"]));

    let path = system.display().to_string();
    let shown = beryl(&["check", &path]).out;
    let table = shown.split("Declared, measured, bounded").nth(1).expect("a table").to_owned();
    assert!(table.starts_with(" (75ms with seed 1; 75ms with seed 2 on mps2-an385)"), "{table}");
    assert!(!table.contains("other code") && !table.contains("warning"), "{table}");

    // Less is declared than was measured.
    change(
        &system.join("beryl.toml"),
        "worst = \"1ms\"\nuses = [\"log.send\"]",
        "worst = \"2us\"\nuses = [\"log.send\"]",
    );
    let shown = beryl(&["check", &path]).out;
    assert!(shown.contains("warning: `count` took up to "), "{shown}");
    assert_eq!(measured(&system, "75ms", &[]).0, Some(1));

    change(&system.join("app/src/lib.rs"), "last % 4", "last % 3");
    let shown = beryl(&["check", &path]).out;
    assert!(shown.contains("this was measured with other code: `beryl measure` counts again"), "{shown}");
}

#[test]
fn what_cant_be_measured_is_refused_with_what_can() {
    let system = system("uncounted");
    let path = system.display().to_string();
    let said = beryl(&["measure", &path, "--job", "nobody"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("`nobody` has no jobs; these have: `count`, `listen`"), "{}", said.err);
    let run = folder().join("no.run");
    fs::remove_file(&run).ok();
    let said = beryl(&["measure", &path, "--case", &run.display().to_string()]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("beryl sim"), "{}", said.err);
}

#[test]
fn what_is_proposed_for_tasks_and_drivers_is_enough_when_it_is_declared() {
    let system = flight("flight");
    let (code, rows) = measured(&system, "500ms", &["--bound", "compiler_builtins::mem::memcpy=200"]);
    assert_eq!(code, Some(0));
    let jobs: Vec<_> =
        rows.iter().map(|row| (row["job"].as_str().expect("a name"), number(&row["jobs"]))).collect();
    let expected =
        [("navigate", 50), ("control", 25), ("read_gps", 50), ("read_attitude", 50), ("set_rotor", 25)];
    assert_eq!(jobs, expected);
    // A loop that Beryl brings into the first can't be annotated by its user.
    assert!(rows[2]["unbounded"].as_str().is_some_and(|reason| reason.contains("=<number>'")), "{}", rows[2]);
    for row in &rows[3..] {
        let (measured, bounded) = (number(&row["measured_ns"]), number(&row["bounded_ns"]));
        assert!(measured <= bounded, "a driver is bounded by itself: {row}");
    }

    let path = system.join("beryl.toml");
    let mut text = fs::read_to_string(&path).expect("a description");
    for row in &rows {
        let name = row["job"].as_str().expect("a name");
        let section = [format!("[task.{name}]"), format!("[driver.{name}]")];
        let start = section.iter().find_map(|title| text.find(title)).expect("a section");
        let place = start + text[start..].find("worst = ").expect("a worst");
        let end = place + text[place..].find('\n').expect("a line");
        text.replace_range(place..end, &format!("worst = \"{}ns\"", number(&row["proposed_ns"])));
    }
    fs::write(&path, text).expect("written");
    let said = beryl(&["run", &system.display().to_string(), "--for", "500ms"]).ended(0);
    assert!(said.contains("identical on sim and mps2-an385; 0 deadline misses"), "{said}");
}
