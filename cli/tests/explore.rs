//! `beryl explore`: a small system to its end, what only some runs violate, and what can't be explored.

use std::fs;
use std::path::{Path, PathBuf};

use beryl_trace::Happening;
use common::{application, beryl, change, example, folder, left, lock, root, threads};

mod common;

fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(line).unwrap_or_else(|reason| panic!("{reason}: {line}"))
}

/// A copy of an example under another name, with the same crates.
fn variant(from: &str, name: &str, crates: &[&str]) -> PathBuf {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    for entry in fs::read_dir(root().join("examples").join(from)).expect("the example") {
        let path = entry.expect("readable").path();
        if path.is_file() {
            fs::copy(&path, system.join(path.file_name().expect("a name"))).expect("a copy");
        }
    }
    let description = system.join("beryl.toml");
    change(&description, &format!("name = \"{from}\""), &format!("name = \"{name}\""));
    for part in crates {
        let there = format!("= \"../../../../examples/{from}/{part}\"");
        change(&description, &format!("= \"{part}\""), &there);
    }
    system
}

fn path(system: &Path) -> String {
    system.display().to_string()
}

#[test]
fn the_helicopter_is_explored_to_its_end() {
    let _lock = lock("helicopter");
    let said = beryl(&["--json", "explore", &example("helicopter"), "--for", "20ms"]).ended(0);
    let result = json(said.lines().next().expect("a line"));
    assert_eq!((&result["complete"], &result["violated"]), (&true.into(), &serde_json::Value::Null));
    let states = result["states"].as_u64().expect("a number");
    assert!(states > 50 && result["states_per_second"].as_u64() > Some(0), "{result}");
    // The same states whoever counts them, and fewer if no more are allowed.
    let again = beryl(&["--json", "explore", &example("helicopter"), "--for", "20ms"]).ended(0);
    assert_eq!(json(again.lines().next().expect("a line"))["states"], result["states"]);
    let few =
        beryl(&["--json", "explore", &example("helicopter"), "--for", "20ms", "--states", "20"]).ended(0);
    assert_eq!(json(few.lines().next().expect("a line"))["complete"], false, "{few}");
}

/// Navigation that takes as long each time is steady, and so is one that is as quick each time. Only where
/// one job is slow and the next is quick it isn't; the earliest that can show it is the quick job after the
/// slow one.
#[test]
fn what_only_some_runs_violate_is_found_with_its_shortest_trace() {
    let system = variant("helicopter", "unsteady", &["app", "plant"]);
    let _lock = lock("unsteady");
    let description = system.join("beryl.toml");
    let text = fs::read_to_string(&description).expect("a text");
    fs::write(&description, text + "\n[assert.steady]\njitter = \"navigate\"\nmost = \"2ms\"\n")
        .expect("written");
    for times in ["worst", "best", "500"] {
        beryl(&["sim", &path(&system), "--for", "100ms", "--times", times]).ended(0);
    }
    let said = beryl(&["explore", &path(&system), "--for", "30ms"]).ended(1);
    assert!(said.contains("violated: assertion steady broken at 10 ms: delays differ by"), "{said}");
    assert!(said.contains("no run violates anything earlier"), "{said}");

    let trace = beryl_trace::decode(&left("unsteady", "explored.trace")).expect("a whole trace");
    let ends: Vec<u64> = trace
        .iter()
        .filter(|event| matches!(event.happening, Happening::Complete { task } if task.0 == 0 || task.0 == 1))
        .map(|event| event.time.ticks() * 40 / 1000)
        .collect();
    assert_eq!(
        trace.last().map(|event| event.time.ticks() * 40 / 1000),
        Some(10_100),
        "us; ends at {ends:?}"
    );
    let run = folder().join("out/unsteady/explored.run").display().to_string();
    let again = beryl(&["sim", "--replay", &run]).ended(0);
    assert!(again.contains("replayed: the same trace to the byte"), "{again}");
    let kept = folder().join("out/unsteady/explored.trace").display().to_string();
    assert!(beryl(&["trace", "check", &kept]).ended(1).contains("steady"), "the trace shows it");
}

#[test]
fn an_overload_is_missed_at_its_earliest() {
    let _lock = lock("overload");
    let said = beryl(&["explore", &example("overload"), "--for", "200ms"]).ended(1);
    assert!(
        said.contains(
            "violated: plan: time-safety violation: its result was needed, its job was stopped at 80 ms"
        ),
        "{said}"
    );
}

/// Code that counts its runs in a static isn't the same each time: that is noticed, not explored.
#[test]
fn what_code_keeps_from_run_to_run_is_noticed() {
    let system = variant("overload", "forgetless", &[]);
    let _lock = lock("forgetless");
    let text = "#![no_std]\nuse core::sync::atomic::{AtomicI32, Ordering};\nstatic RUNS: AtomicI32 = AtomicI32::new(0);\n\
        pub fn look_impl(taken: &mut i32, picture: &mut i32) {\n    \
        *taken = RUNS.fetch_add(1, Ordering::Relaxed);\n    *picture = *taken;\n}\n\
        pub fn plan_impl(picture: &i32, way: &mut i32) {\n    *way = *picture;\n}\n";
    fs::create_dir_all(system.join("app/src")).expect("a folder");
    fs::write(
        system.join("app/Cargo.toml"),
        "[package]\nname = \"forgetless\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    )
    .expect("written");
    fs::write(system.join("app/src/lib.rs"), text).expect("written");
    change(&system.join("beryl.toml"), "\"11.5ms\"", "\"2ms\"");
    change(&system.join("beryl.toml"), "\"23ms\"", "\"4ms\"");
    let ran = beryl(&["explore", &path(&system), "--for", "200ms"]);
    assert!(
        ran.code == Some(1)
            && ran.err.contains("the same picks came to another state")
            && ran.err.contains("`static`"),
        "{ran:?}"
    );
}

#[test]
fn what_cannot_be_explored_is_refused_in_words() {
    let ran = beryl(&["explore", &example("helicopter"), "--interrupt", "crank@1ms"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("there is no interrupt `crank` in the description; there are: none"), "{ran:?}");
    for wrong in [["--for", "0ms"], ["--states", "0"], ["--between", "101"], ["--interrupt", "crank"]] {
        assert_eq!(beryl(&[&["explore", "x"][..], &wrong].concat()).code, Some(2), "{wrong:?}");
    }
}

/// The consumer looks whether there is something, and then waits without looking again: what comes in between
/// wakes nobody.
const WAKEUP: &str = "#![no_std]\n#![forbid(unsafe_code)]\n//! A lost wake-up.\n
use beryl_user::condition::Condition;
use beryl_user::period::Period;
use beryl_user::semaphore::Binary;

/// Puts something there and says so.
pub fn producer(mut period: Period, mut shared: Binary<i32>, filled: Condition) -> ! {
    loop {
        if let Ok(mut held) = shared.wait() {
            *held += 1;
            filled.signal();
        }
        period.wait();
    }
}

/// Takes it.
pub fn consumer(mut period: Period, mut shared: Binary<i32>, filled: Condition) -> ! {
    loop {
        let is_empty = shared.wait().is_ok_and(|held| *held == 0);
        if let Ok(mut held) = shared.wait() {
            if is_empty {
                let _ = filled.wait(&mut held);
            }
            *held -= 1;
        }
        period.wait();
    }
}

/// Does something else.
pub fn other(mut period: Period) -> ! {
    loop {
        period.wait();
    }
}
";

const WAKEUP_SYSTEM: &str = r#"[thread.producer]
process = "one"
priority = 9
entry = "producer"
stack = "512"
period = "20ms"
offset = "3ms"
best = "0.5ms"
worst = "0.5ms"
uses = ["shared", "filled"]

[thread.consumer]
process = "one"
priority = 5
entry = "consumer"
stack = "512"
period = "20ms"
best = "1ms"
worst = "4ms"
uses = ["shared", "filled"]

[thread.other]
process = "one"
priority = 7
entry = "other"
stack = "512"
period = "5ms"
best = "0.1ms"
worst = "0.3ms"

[semaphore.shared]
kind = "binary"
type = "int"

[condition.filled]
"#;

/// No run is like another where threads keep what they know on their stacks, and there are far more runs of a
/// second than anybody tries. The few that pick differently from the first once or twice are enough to lose a
/// wake-up.
#[test]
fn a_lost_wake_up_of_threads_is_found_among_the_plainest_runs() {
    let system = threads("wakeup", "app", WAKEUP_SYSTEM);
    application(&system, "wakeup", WAKEUP);
    let _lock = lock("wakeup");
    for times in ["worst", "best", "500"] {
        beryl(&["sim", &path(&system), "--for", "1s", "--times", times, "--unchecked"]).ended(0);
    }
    let explore = |length: &str| beryl(&["explore", &path(&system), "--for", length, "--states", "30000"]);
    let said = explore("1s").ended(1);
    assert!(said.contains("violated: consumer: deadline missed") && said.contains("at 20 ms"), "{said}");
    assert!(said.contains("no run violates anything earlier"), "{said}");
    let trace = beryl_trace::decode(&left("wakeup", "explored.trace")).expect("a whole trace");
    assert_eq!(
        trace.last().map(|event| event.time.ticks()),
        Some(20 * 25_000),
        "it ends where the miss shows"
    );
    let run = folder().join("out/wakeup/explored.run").display().to_string();
    let again = beryl(&["sim", "--replay", &run]).ended(0);
    assert!(again.contains("replayed: the same trace to the byte"), "{again}");

    // Who looks again isn't late in any run.
    change(&system.join("app/src/lib.rs"), "if is_empty {", "while is_empty && *held == 0 {");
    let said = explore("21ms").ended(0);
    assert!(said.contains("nothing is violated in any run of 21ms"), "{said}");
}

/// Without an end in sight it is said how far the search came, in states and in time.
#[test]
fn a_search_that_cannot_end_says_how_far_it_came() {
    let _lock = lock("engine");
    let explore = |bound: [&str; 2]| {
        let said = beryl(&[&["--json", "explore", &example("engine"), "--for", "20ms"][..], &bound].concat());
        json(said.ended(0).lines().next().expect("a line"))
    };
    let result = explore(["--states", "400"]);
    assert_eq!((&result["complete"], &result["compared"]), (&false.into(), &false.into()), "{result}");
    assert_eq!(result["plain"], 0, "there are more single picks than that: {result}");
    let result = explore(["--within", "1us"]);
    assert_eq!((&result["complete"], &result["runs"]), (&false.into(), &1.into()), "{result}");
}
