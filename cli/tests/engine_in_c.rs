//! The engine's controller in C beside the one in Rust: the same description, the same values, and what each takes.

use std::fs;
use std::path::PathBuf;

use beryl_path::section_sizes;
use beryl_trace::{Names, Statistics, decode};
use common::{beryl, change, copy, example, folder, left, left_text, lock, root};

mod common;

/// The threads that are in C: all that have neither the timer nor the console.
const THREADS: [&str; 15] = [
    "sample",
    "mixture",
    "thermometer",
    "lever",
    "inject",
    "ignite",
    "throttle",
    "govern",
    "trim",
    "retard",
    "adapt",
    "calibrate",
    "monitor",
    "report",
    "keep",
];

/// Nanoseconds of the run on the board.
const LENGTH: f64 = 1e9;
/// Nanoseconds of an instruction, by the description's speed.
const INSTRUCTION: f64 = 16.0;

/// The processes with these threads.
const PROCESSES: [&str; 3] = ["sensing", "control", "diagnosis"];

/// What each of the threads had of the processor on the board, in instructions, kernel included.
fn instructions(system: &str) -> Vec<u64> {
    let events = decode(&left(system, "mps2-an385/trace.bin")).expect("a whole trace");
    let names = Names::parse(&left_text(system, "names.json")).expect("names");
    let statistics = Statistics::of(&events, &names);
    let one = |name: &&str| {
        let thread = statistics.threads.iter().find(|thread| thread.thread == *name).expect("a thread");
        (thread.share * LENGTH / INSTRUCTION).round() as u64
    };
    THREADS.iter().map(one).collect()
}

/// How much flash the code and the constants of a process take, in bytes.
fn bytes(system: &str, process: &str) -> u64 {
    let linked = folder().join("build").join(system).join(format!("{process}.elf"));
    section_sizes(&fs::read(linked).expect("a program")).expect("sections").text
}

fn in_c() -> PathBuf {
    let system = folder().join("systems/engine_in_c");
    copy(&root().join("cli/tests/c/engine"), &system);
    let description = system.join("beryl.toml");
    fs::copy(root().join("examples/engine/beryl.toml"), &description).expect("a copy");
    let base = "../../../../examples/engine";
    for (from, to) in [
        ("name = \"engine\"", "name = \"engine_in_c\"".to_owned()),
        ("application = \"app\"", format!("application = \"{base}/app\"")),
        ("environment = \"road\"", format!("environment = \"{base}/road\"")),
        (
            "[board]",
            format!(
                "[c]\nsources = [\"sensing.c\", \"control.c\", \"store.c\", \"looking.c\"]\nfunctions = {THREADS:?}\n\n[board]"
            ),
        ),
    ] {
        change(&description, from, &to);
    }
    system
}

#[test]
fn an_engine_in_c_is_controlled_as_one_in_rust_is() {
    let _locks = [lock("engine"), lock("engine_in_c")];
    let (rust, c) = (example("engine"), in_c().display().to_string());
    for system in [&rust, &c] {
        let said = beryl(&["sim", system, "--for", "3s"]).ended(0);
        assert!(said.contains("speed held"), "{said}");
    }
    let [in_rust, in_c] = ["engine", "engine_in_c"].map(|name| left(name, "sim.trace"));
    assert!(in_rust.len() > 100_000 && in_rust == in_c, "{} and {} bytes", in_rust.len(), in_c.len());
    for system in [&rust, &c] {
        beryl(&["run", system, "--for", "1s", "--unchecked"]).ended(0);
    }
    // What the page `engine-in-c.md` was made of.
    let [in_rust, in_c] = ["engine", "engine_in_c"].map(instructions);
    for (name, (rust, c)) in THREADS.iter().zip(in_rust.iter().zip(&in_c)) {
        println!("| `{name}` | {rust} | {c} | {:.2} |", *c as f64 / *rust as f64);
        // A library between C and the kernel that did something else would show here.
        assert!(*c * 2 > *rust && *c < *rust * 2, "{name}: {rust} in Rust, {c} in C");
    }
    for process in PROCESSES {
        let [rust, c] = ["engine", "engine_in_c"].map(|system| bytes(system, process));
        println!("| `{process}` | {rust} | {c} | {:.2} |", c as f64 / rust as f64);
        assert!(c < rust * 2, "{process}: {rust} bytes in Rust, {c} in C");
    }
}
