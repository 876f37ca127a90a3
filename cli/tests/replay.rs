//! A run is named by its inputs: the same ones give the same trace, to the byte; and the smallest that fail are found.

mod common;

use std::fs;

use beryl_trace::file::records;
use beryl_trace::{Happening, decode};
use common::{Ran, beryl, change, example, folder, left, lock};

fn overload(options: &[&str]) -> Ran {
    beryl(&[&["sim", &example("overload"), "--unchecked", "--for", "2s"], options].concat())
}

fn last_line(ran: &Ran) -> String {
    ran.out.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_run_is_repeated_to_the_byte() {
    let _lock = lock("overload");
    overload(&["--times", "random", "--seed", "9"]);
    let first = left("overload", "sim.trace");
    let kept = folder().join("out/overload/kept.run");
    fs::copy(folder().join("out/overload/sim.run"), &kept).expect("the run was kept");
    fs::copy(folder().join("out/overload/sim.trace"), kept.with_extension("trace"))
        .expect("so was its trace");
    overload(&["--times", "random", "--seed", "10"]);
    assert!(first != left("overload", "sim.trace"), "another seed is another run");

    let again = beryl(&["sim", "--replay", &kept.display().to_string()]);
    assert_eq!(again.code, Some(0), "{again:?}");
    let told = format!("replayed: the same trace to the byte, {} bytes, checksum ", records(&first).len());
    assert!(last_line(&again).starts_with(&told), "{again:?}");
    assert!(first == left("overload", "sim.trace"));

    // The recipe of another run: the traces differ, and the first difference is named.
    change(&kept, "\"seed\": 9", "\"seed\": 10");
    let other = beryl(&["sim", "--replay", &kept.display().to_string()]);
    assert_eq!(other.code, Some(1), "{other:?}");
    assert!(
        other.out.contains("replayed: another trace, ")
            && last_line(&other).contains("is the first that differs"),
        "{other:?}"
    );
}

#[test]
fn a_run_ends_at_what_it_was_to_end_at() {
    let _lock = lock("overload");
    overload(&["--until", "violation"]);
    let trace = left("overload", "sim.trace");
    let events = decode(&trace).expect("a whole trace");
    let violations =
        events.iter().filter(|event| matches!(event.happening, Happening::Violation { .. })).count();
    assert_eq!(violations, 1);
    let last = events.last().expect("an event").time;
    let ended =
        events.iter().find(|event| matches!(event.happening, Happening::Violation { .. })).expect("one");
    assert_eq!(ended.time, last, "nothing comes after the instant of the violation");
    // It is the beginning of the run that goes on.
    overload(&[]);
    assert!(records(&left("overload", "sim.trace")).starts_with(&records(&trace)));
    let repeated = overload(&["--until", "fault"]);
    assert!(
        left("overload", "sim.trace").len() > trace.len(),
        "without a fault it goes on to its end: {repeated:?}"
    );
}

/// What is found fails, and what is a thousandth shorter doesn't.
#[test]
fn the_shortest_times_that_fail_are_found() {
    let _lock = lock("overload");
    let ran =
        beryl(&["--json", "sim", &example("overload"), "--unchecked", "--for", "2s", "--search", "times"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let found: serde_json::Value =
        ran.out.lines().next().and_then(|line| serde_json::from_str(line).ok()).expect("JSON");
    let times: u16 =
        found["found"]["times"].as_str().and_then(|times| times.parse().ok()).expect("thousandths");
    assert!(
        times > 0 && found["found"]["trouble"].as_str().is_some_and(|told| told.contains("violation")),
        "{found}"
    );
    assert_eq!(overload(&["--times", &times.to_string()]).code, Some(1));
    assert_eq!(overload(&["--times", &(times - 1).to_string()]).code, Some(0));
}

#[test]
fn seeds_are_tried_in_their_order() {
    let _lock = lock("overload");
    let ran = overload(&["--search", "seeds", "--seed", "5", "--tries", "3"]);
    assert_eq!((ran.code, ran.out.trim()), (Some(0), "nothing failed in 3 tries"), "{ran:?}");
}

#[test]
fn what_is_no_run_is_refused() {
    let folder = folder().join("recipes");
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text, reason) in [
        ("text", "a run", "doesn't say how a run was made: expected value at line 1 column 1"),
        (
            "times",
            r#"{"folder": ".", "length_ns": 1, "times": "usual"}"#,
            "write worst, best, random, or a number from 0",
        ),
        ("more", r#"{"folder": ".", "weather": 1}"#, "unknown field `weather`"),
    ] {
        let file = folder.join(name);
        fs::write(&file, text).expect("written");
        let ran = beryl(&["sim", "--replay", &file.display().to_string()]);
        assert!(ran.code == Some(1) && ran.err.contains(reason), "{name}: {ran:?}");
    }
    let ran = beryl(&["sim", "--replay", &folder.join("nothing").display().to_string()]);
    assert!(
        ran.code == Some(1) && ran.err.contains("`beryl sim` leaves `sim.run` beside its trace"),
        "{ran:?}"
    );
    assert_eq!(beryl(&["sim", "--replay", "x", "--seed", "3"]).code, Some(2));
    assert_eq!(beryl(&["sim", ".", "--times", "1001"]).code, Some(2));
}
