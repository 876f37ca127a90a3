//! A task that an event releases, whose job isn't done when the event comes again: what is done about it, in
//! the simulator and on the board.

use std::fs;
use std::path::Path;

use beryl_abi::Instant;
use beryl_trace::{Happening, Names, decode};
use common::{TWIN, beryl, change, folder, left, left_text, lock};

mod common;

/// The system with its `on_miss`, under a name of its own.
fn system(name: &str, reaction: &str) -> String {
    let system = folder().join("systems").join(name);
    fs::create_dir_all(&system).expect("a folder");
    let late = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/late");
    for file in ["beryl.toml", "late.tdl"] {
        fs::copy(late.join(file), system.join(file)).expect("a copy");
    }
    let description = system.join("beryl.toml");
    change(&description, "name = \"late\"", &format!("name = {name:?}"));
    change(&description, "\"app\"", "\"../../../../cli/tests/late/app\"");
    change(&description, "on_miss = \"stop\"", &format!("on_miss = {reaction}"));
    if reaction.contains("most") {
        change(&system.join("late.tdl"), "uses show_impl", "uses stuck_impl");
    }
    if reaction.contains("alarm") {
        let text = fs::read_to_string(&description).expect("a text");
        let driver = "\n[driver.alarm]\nprocess = \"line\"\nworst = \"50us\"\n";
        fs::write(&description, text + driver).expect("written");
    }
    system.display().to_string()
}

/// What happened to the task and to actuators on a machine, with the millisecond of its logical instant. What
/// comes when a job is done has none.
fn happened(name: &str, machine: &str) -> Vec<String> {
    let names = Names::parse(&left_text(name, "names.json")).expect("names");
    let events = decode(&left(name, &format!("{machine}.trace"))).expect("a whole trace");
    let at = |instant: Instant| {
        let nanoseconds = names.tick.logical(instant).nanoseconds();
        let is_logical = nanoseconds.is_multiple_of(10_000_000);
        if is_logical { (nanoseconds / 1_000_000).to_string() } else { "later".to_owned() }
    };
    let line = |happening: &Happening| match happening {
        Happening::Release { task, instant, deadline } if names.thread(*task) == "show" => {
            Some(format!("{} release by {}", at(*instant), at(*deadline)))
        }
        Happening::Driver { driver, instant, value } => {
            let number = value.as_slice().first_chunk().map(|bytes| i32::from_le_bytes(*bytes));
            let name = names.driver(*driver);
            let is_of_clock = name == "publish clock";
            (!is_of_clock).then(|| format!("{} {name} = {}", at(*instant), number.expect("four bytes")))
        }
        Happening::Violation { instant, .. } => Some(format!("{} violation", at(*instant))),
        Happening::Miss { deadline, .. } => Some(format!("miss of {}", at(*deadline))),
        _ => None,
    };
    events.iter().filter_map(|event| line(&event.happening)).collect()
}

/// Runs the system on both machines, and compares what happened from 40 ms up to 60 ms.
fn assert_happens(name: &str, reaction: &str, expected: &[&str]) {
    let _lock = lock(name);
    let system = system(name, reaction);
    let ran = beryl(&["run", &system, "--for", "75ms"]);
    let last = ran.out.lines().last().unwrap_or_default();
    assert!(last.contains("identical on sim and mps2-an385"), "{ran:?}");
    for machine in [TWIN, "mps2-an385"] {
        let happened = happened(name, machine);
        let begin = happened.iter().position(|line| line.starts_with("40 "));
        let end = happened.iter().position(|line| line.starts_with("60 "));
        let (begin, end) = (begin.expect("something at 40 ms"), end.expect("something at 60 ms"));
        assert_eq!(happened[begin..end], *expected, "{machine}");
    }
}

#[test]
fn by_default_the_job_is_stopped_and_the_next_one_released() {
    assert_happens(
        "late_stop",
        "\"stop\"",
        &[
            // what the second job showed
            "40 lamp = 2",
            "40 violation",
            "40 clock.beat to show = 4",
            "40 release by 50",
            "later publish show = 4",
            "50 lamp = 4",
            "50 clock.beat to show = 5",
            "50 release by 60",
            "later publish show = 5",
        ],
    );
}

#[test]
fn a_job_that_goes_on_shows_its_beat_when_it_is_done() {
    assert_happens(
        "late_skip",
        "\"skip\"",
        &[
            "40 lamp = 2",
            // its input and its release
            "40 violation",
            "40 violation",
            "miss of 40",
            "later publish show = 3",
            "50 lamp = 3",
            "50 clock.beat to show = 5",
            "50 release by 60",
            "later publish show = 5",
        ],
    );
}

#[test]
fn a_job_that_never_ends_is_stopped_after_a_while() {
    assert_happens(
        "late_tolerated",
        "{ most = 1 }",
        &[
            "40 lamp = 2",
            "40 violation",
            "40 violation",
            // it would take longer: the next release finds it again
            "50 lamp = 2",
            "50 violation",
            "50 clock.beat to show = 5",
            "50 release by 60",
            "later publish show = 5",
        ],
    );
    let said = beryl(&["trace", "out/late_tolerated/mps2-an385.sim.trace"]);
    let told: Vec<_> = said.out.lines().filter(|line| line.contains("ms: time-safety violation: ")).collect();
    assert_eq!(
        told,
        [
            "40 ms: time-safety violation: `show` hadn't completed; its job goes on, nothing of it published",
            "50 ms: time-safety violation: `show` hadn't completed; its job was stopped, nothing of it published",
        ],
        "{said:?}"
    );
}

#[test]
fn a_release_that_was_left_out_is_made_up_for_when_the_job_is_done() {
    assert_happens(
        "late_owed",
        "{ catch_up = 1 }",
        &[
            "40 lamp = 2",
            "40 violation",
            "40 violation",
            "miss of 40",
            "later publish show = 3",
            // due when it would have been
            "later clock.beat to show = 4",
            "later release by 50",
            "later publish show = 4",
            "50 lamp = 4",
            "50 clock.beat to show = 5",
            "50 release by 60",
            "later publish show = 5",
        ],
    );
}

#[test]
fn another_driver_is_carried_out_with_what_was_shown_last() {
    assert_happens(
        "late_instead",
        "{ outputs = \"initial\", set = \"horn\", call = \"alarm\", with = \"show.shown\" }",
        &[
            "40 lamp = 2",
            "40 violation",
            "40 alarm = 2",
            "40 initial show.shown = 0",
            "40 horn = 7",
            "40 clock.beat to show = 4",
            "40 release by 50",
            "later publish show = 4",
            "50 lamp = 4",
            "50 clock.beat to show = 5",
            "50 release by 60",
            "later publish show = 5",
        ],
    );
}
