//! Partitions: who spins in one takes nothing from those in another, on both machines, and the proof says so.

use common::{application, beryl, change, lock, threads};

mod common;

/// Nanoseconds of a tick.
const TICK: u64 = 40;

/// `watch` is in no partition, and above both. In `left` there is a thread of which nobody knows what it does; `steady` is in
/// `right`, less urgent than all others.
const THREADS: &str = r#"[process.two]
memory = "64"

[[band]]
name = "left"
policy = "fixed"
partition = "left"

[[band]]
name = "right"
policy = "fixed"
partition = "right"

[partitions]
frame = "20ms"
windows = [
    { partition = "left", from = "0ms", until = "8ms" },
    { partition = "right", from = "10ms", until = "18ms" },
]

[thread.watch]
process = "two"
band = "priorities"
priority = 3
period = "5ms"
worst = "0.2ms"
entry = "watch"
stack = "512"

[thread.guest]
process = "one"
band = "left"
priority = 9
entry = "quiet"
stack = "512"

[thread.steady]
process = "two"
band = "right"
priority = 1
period = "20ms"
offset = "11ms"
worst = "3ms"
entry = "steady"
stack = "512"

[thread.late]
process = "two"
band = "right"
priority = 0
period = "40ms"
worst = "1ms"
entry = "late"
stack = "512"
"#;

const APPLICATION: &str = r#"#![no_std]

use beryl_user::call::keep_busy;
use beryl_user::period::Period;
use beryl_user::time::{microseconds, milliseconds, seconds, sleep};

pub fn watch(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(100));
        period.wait();
    }
}

pub fn quiet() -> ! {
    loop {
        let _ = sleep(seconds(10));
    }
}

pub fn hostile() -> ! {
    loop {
        keep_busy(microseconds(100));
    }
}

pub fn steady(mut period: Period) -> ! {
    loop {
        keep_busy(milliseconds(2));
        period.wait();
    }
}

pub fn late(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(500));
        period.wait();
    }
}
"#;

/// What a run says of a thread's jobs: how many there were and how many were late, and the longest response in
/// nanoseconds.
fn row(said: &str, thread: &str) -> ([String; 3], u64) {
    let row = said.lines().find(|line| line.split_whitespace().next() == Some(thread));
    let words: Vec<&str> = row.unwrap_or_else(|| panic!("{said}")).split_whitespace().collect();
    let (number, unit) = (words[11], words[12]);
    let factor = if unit == "ms" { 1e6 } else { 1e3 };
    let response = number.parse::<f64>().unwrap_or_else(|_| panic!("{words:?}")) * factor;
    ([words[1], words[2], words[3]].map(str::to_owned), response.round() as u64)
}

#[test]
fn what_has_no_room_in_its_windows_is_refused_with_what_they_have() {
    let _lock = lock("crowded");
    let system = threads("crowded", "app", THREADS);
    application(&system, "crowded-app", APPLICATION);
    let (description, system) = (system.join("beryl.toml"), system.display().to_string());
    // What the kernel takes is in both figures, and may change.
    let refused = |begins: &str, ends: &str| {
        let said = beryl(&["check", &system]).ended(1);
        let found = said.lines().find(|line| line.trim_start().starts_with(begins));
        assert!(found.is_some_and(|line| line.ends_with(ends)), "{begins} ... {ends} in {said}");
    };
    change(&description, "worst = \"3ms\"", "worst = \"9ms\"");
    refused(
        "partition right is asked for 5",
        " % of the processor, kernel and background included, and its windows have 40.00 %; give it longer windows, lengthen \
         its periods, or shorten its execution times",
    );
    change(&description, "worst = \"9ms\"", "worst = \"2ms\"\ndeadline = \"15ms\"");
    refused(
        "task steady of partition right may take 3",
        " ticks, beyond its deadline of 375000; give it longer windows, or divide them so that it waits less for the next one",
    );
    // The same in two windows: it waits 10 ms at most, not the 12 that both waits are.
    change(
        &description,
        "{ partition = \"right\", from = \"10ms\", until = \"18ms\" }",
        "{ partition = \"right\", from = \"8ms\", until = \"12ms\" },\n    \
         { partition = \"right\", from = \"14ms\", until = \"18ms\" }",
    );
    let said = beryl(&["check", &system]).ended(0);
    assert!(said.contains("time-safe: every job completes by its deadline"), "{said}");
}

#[test]
fn who_spins_in_one_partition_takes_nothing_from_another() {
    let _lock = lock("partitions");
    let system = threads("partitions", "app", THREADS);
    application(&system, "partitions-app", APPLICATION);
    let (description, system) = (system.join("beryl.toml"), system.display().to_string());

    let said = beryl(&["check", &system]).ended(0);
    let has = |line: &str| assert!(said.contains(line), "{line} in {said}");
    has("partition `left` has 8.000 ms of each 20.000 ms, from 0.000 ms to 8.000 ms");
    has("partition `right` has 8.000 ms of each 20.000 ms, from 10.000 ms to 18.000 ms");
    has("time-safe: every job completes by its deadline");

    let runs = |command: &str| beryl(&[command, &system, "--for", "200ms"]).everything();
    let alone = ["sim", "run"].map(runs);
    change(&description, "entry = \"quiet\"", "entry = \"hostile\"");
    assert_eq!(beryl(&["check", &system]).ended(0), said, "what the guest does isn't in the proof");
    let beside = ["sim", "run"].map(runs);
    for (alone, beside) in alone.iter().zip(&beside) {
        for thread in ["steady", "late"] {
            let ((jobs, response), (others, other)) = (row(alone, thread), row(beside, thread));
            assert_eq!(jobs, others, "{alone}\n{beside}");
            assert_eq!(jobs[2], "0", "nobody is late: {beside}");
            // On the board an alarm finds another instruction under way.
            assert!(response.abs_diff(other) <= TICK, "{response} and {other} ns: {alone}\n{beside}");
        }
    }
    assert_eq!(row(&alone[0], "steady"), row(&beside[0], "steady"), "in the simulator to the tick");
}
