//! The meter: tasks that an interrupt and a port release do the same on every machine and with any times, and never more
//! often than was proved.

use std::fs;

use beryl_trace::{Happening, Names, decode};
use common::{beryl, change, example, folder, left, left_text, lock, root};

mod common;

const TIME: [&str; 2] = ["--for", "2s"];
const LAST_LINE: &str = "meter: 150 actuator writes, identical on sim and mps2-an385; 0 deadline misses";
/// Ticks of a millisecond.
const MILLISECOND: u64 = 25_000;

/// When a machine's last run released a task, in ticks.
fn releases(system: &str, machine: &str, task: &str) -> Vec<u64> {
    let names = Names::parse(&left_text(system, "names.json")).expect("names");
    let thread = names.threads.iter().position(|thread| thread.name == task).expect("a task");
    let events = decode(&left(system, &format!("{machine}.trace"))).expect("a whole trace");
    let release = |event: &beryl_trace::Event| match event.happening {
        Happening::Release { task: own, instant, .. } if own.index() == thread => Some(instant.ticks()),
        _ => None,
    };
    events.iter().filter_map(release).collect()
}

#[test]
fn every_change_is_seen_at_its_instant() {
    let _lock = lock("meter");
    let said = beryl(&[&["run", &example("meter")], &TIME[..]].concat()).ended(0);
    assert_eq!(said.lines().last(), Some(LAST_LINE), "{said}");
    let warned = releases("meter", "sim", "warn");
    assert_eq!(warned, releases("meter", "mps2-an385", "warn"));
    // A job of 40 ms ends at each, and is the first of another class: less than 3 pulses, less than 5, more.
    let at: Vec<u64> = warned.iter().map(|ticks| ticks / MILLISECOND).collect();
    assert!(at.iter().all(|at| at % 40 == 0), "{at:?}");
    assert_eq!(at.first(), Some(&720), "the tap is wide open from 600 ms on");
    let [simulated, flown] = ["sim", "mps2-an385"].map(|machine| releases("meter", machine, "count"));
    assert_eq!((simulated.len(), flown.len()), (114, 114));
    // Both wheels begin to turn when they are told so: on the board some steps of the kernel later.
    for (simulated, flown) in simulated.iter().zip(&flown) {
        assert!((*simulated..simulated + MILLISECOND / 2).contains(flown), "{simulated} {flown}");
    }
}

#[test]
fn values_do_not_depend_on_execution_times() {
    let _lock = lock("meter");
    let recording = |options: &[&str]| {
        beryl(&[&["sim", &example("meter")], &TIME[..], options].concat()).ended(0);
        left_text("meter", "sim.recording")
    };
    let worst = recording(&[]);
    for times in [&["--times", "best"][..], &["--times", "random", "--seed", "7"]] {
        assert_eq!(recording(times), worst, "{times:?}");
    }
}

/// A copy of the example whose interrupt is looked at less often than pulses come.
fn patient() -> String {
    let system = folder().join("systems").join("meter_patient");
    fs::create_dir_all(&system).expect("a folder");
    for file in ["beryl.toml", "meter.tdl"] {
        fs::copy(root().join("examples/meter").join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"meter\"", "name = \"meter_patient\"");
    for part in ["app", "pipe"] {
        change(&description, &format!("= {part:?}"), &format!("= \"../../../../examples/meter/{part}\""));
    }
    change(&description, "separation = \"6ms\"", "separation = \"15ms\"");
    system.display().to_string()
}

#[test]
fn pulses_that_storm_release_their_task_once_in_a_separation() {
    let _lock = lock("meter_patient");
    let system = patient();
    beryl(&[&["sim", &system], &TIME[..]].concat()).ended(0);
    let released = releases("meter_patient", "sim", "count");
    let distances: Vec<_> = released.windows(2).map(|pair| pair[1] - pair[0]).collect();
    assert!(distances.iter().all(|distance| *distance >= 15 * MILLISECOND), "{distances:?}");
    // A pulse that came meanwhile is waiting: so they follow each other at exactly that distance.
    let closest = distances.iter().filter(|distance| **distance == 15 * MILLISECOND).count();
    assert!(closest > 50, "{distances:?}");
}

#[test]
fn the_proof_counts_what_can_come() {
    let said = beryl(&["check", &example("meter")]).ended(0);
    assert!(said.contains("time-safe: every job completes within its logical execution time"), "{said}");
    let row = said.lines().find(|line| line.trim_start().starts_with("count")).expect("its row");
    let words: Vec<_> = row.split_whitespace().collect();
    assert_eq!(words[2..4], ["6.000", "ms"], "{row}");
    assert!(!said.contains("isn't declared"), "nothing is left out of the proof: {said}");
}
