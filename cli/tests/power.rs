//! A board that sleeps more or less deep: awake at each instant in time, late by its time to wake for what an interrupt
//! releases, and with the same values; in the simulator and on the board.

use std::path::Path;

use beryl_trace::{Happening, Names, Statistics, decode};
use common::{beryl, change, copy, example, folder, left, left_text, lock};

mod common;

/// The meter under another name, on a board with two more depths of sleep; `wake` is that of the deeper one.
fn meter(name: &str, wake: &str) -> String {
    let system = folder().join("systems").join(name);
    copy(Path::new(&example("meter")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"meter\"", &format!("name = \"{name}\""));
    for crate_of in ["app", "pipe"] {
        let here = format!("= \"{crate_of}\"");
        change(&description, &here, &format!("= \"../../../../examples/meter/{crate_of}\""));
    }
    let sleeps = format!(
        "[[sleep]]\nname = \"stop\"\nwake = \"40us\"\nleast = \"0.4ms\"\n\n[[sleep]]\nname = \"standby\"\nwake = \
         \"{wake}\"\n\n[driver.read_valve]"
    );
    change(&description, "[driver.read_valve]", &sleeps);
    system.display().to_string()
}

/// The statistics of what is left of a run, and what was written to the actuators, each with its logical instant.
fn ran(name: &str, machine: &str) -> (Statistics, Vec<(u64, String, Vec<u8>)>) {
    let names = Names::parse(&left_text(name, "names.json")).expect("names");
    let events = decode(&left(name, &format!("{machine}.trace"))).expect("a whole trace");
    let written = events.iter().filter_map(|event| match &event.happening {
        Happening::Driver { driver, instant, value } => {
            Some((instant.ticks(), names.driver(*driver), value.clone()))
        }
        _ => None,
    });
    (Statistics::of(&events, &names), written.collect())
}

#[test]
fn what_is_written_when_is_the_same_however_deep_it_sleeps() {
    let _lock = lock("sleeper");
    let system = meter("sleeper", "0.5ms");
    beryl(&["sim", &system, "--for", "90ms"]).ended(0);
    let (asleep, written) = ran("sleeper", "sim");
    beryl(&["sim", &example("meter"), "--for", "90ms"]).ended(0);
    let (awake, expected) = ran("meter", "sim");
    assert!(!written.is_empty() && written == expected, "{written:?}\ninstead of\n{expected:?}");
    assert!(awake.sleeps.is_empty(), "{:?}", awake.sleeps);
    let depths: Vec<_> = asleep.sleeps.iter().map(|row| row.depth.as_str()).collect();
    assert_eq!(depths, ["light", "standby"]);
    assert!(asleep.sleeps[1].share > 0.9, "{:?}", asleep.sleeps);
}

/// When jobs of a task were released, physically, in nanoseconds.
fn released(name: &str, task: &str) -> Vec<u64> {
    let names = Names::parse(&left_text(name, "names.json")).expect("names");
    let events = decode(&left(name, "sim.trace")).expect("a whole trace");
    let released = events.iter().filter_map(|event| match event.happening {
        Happening::Release { task: whose, .. } if names.thread(whose) == task => {
            Some(names.tick.logical(event.time).nanoseconds())
        }
        _ => None,
    });
    released.collect()
}

#[test]
fn time_finds_it_awake_and_an_interrupt_wakes_it() {
    let _lock = lock("dozer");
    // The tap is opened at 100 ms, and the wheel turns from 120 ms on.
    beryl(&["sim", &meter("dozer", "0.5ms"), "--for", "190ms"]).ended(0);
    let [asleep_by_time, asleep_by_pulse] = ["control", "count"].map(|task| released("dozer", task));
    let _other = lock("meter");
    beryl(&["sim", &example("meter"), "--for", "190ms"]).ended(0);
    let [by_time, by_pulse] = ["control", "count"].map(|task| released("meter", task));
    assert_eq!(asleep_by_time, by_time);
    let late: Vec<u64> =
        asleep_by_pulse.iter().zip(&by_pulse).map(|(late, on_time)| late - on_time).collect();
    assert!(!late.is_empty() && late.iter().all(|late| [0, 40_000, 500_000].contains(late)), "{late:?}");
    assert!(late.contains(&500_000), "{late:?}");
}

#[test]
fn check_counts_the_time_to_wake_for_what_time_does_not_release() {
    // Its row: task, process, logical execution time, worst, response, each of the times with its unit.
    let response = |said: &str| {
        let row = said.lines().find(|line| line.trim_start().starts_with("count ")).expect("a row");
        let number = row.split_whitespace().nth(6).and_then(|word| word.parse::<f64>().ok());
        number.unwrap_or_else(|| panic!("{row}"))
    };
    let [asleep, awake] =
        [meter("checked", "0.5ms"), example("meter")].map(|system| beryl(&["check", &system]).ended(0));
    let expected = "asleep: it wakes from `stop` in 0.040 ms, from `standby` in 0.500 ms at most";
    assert!(asleep.contains(expected) && !awake.contains("asleep:"), "{asleep}");
    assert!(asleep.contains("with the time to wake: `count`, which interrupts release"), "{asleep}");
    let more = response(&asleep) - response(&awake);
    // And what the kernel takes for an alarm that comes early, with all that this brings along.
    assert!((0.5..0.8).contains(&more), "{more}");
}

#[test]
fn the_board_is_asked_for_the_same_depths() {
    let _lock = lock("sleeping");
    let system = meter("sleeping", "0.5ms");
    beryl(&["run", &system, "--for", "90ms"]).ended(0);
    let (statistics, _) = ran("sleeping", "mps2-an385");
    let depths: Vec<_> = statistics.sleeps.iter().map(|row| row.depth.as_str()).collect();
    assert!(depths.ends_with(&["standby"]), "{depths:?}");
    assert!(statistics.sleeps.last().is_some_and(|row| row.share > 0.9), "{:?}", statistics.sleeps);
    let said =
        beryl(&["trace", "stats", &folder().join("out/sleeping/mps2-an385.trace").display().to_string()])
            .ended(0);
    assert!(said.contains("How deep the processor slept"), "{said}");
}
