//! Statistics of whole runs: the numbers, the table and the JSON form.

mod common;

use beryl_trace::{Nanoseconds, Statistics};
use common::{assert_recorded, helicopter, names, troubled};

#[test]
fn a_run_without_trouble() {
    let statistics = Statistics::of(&helicopter(), &names());
    assert_recorded("statistics/helicopter.txt", &statistics.to_string());
    assert_eq!(statistics.failures(), 0);
    let shares: f64 = statistics.tasks.iter().map(|task| task.share).sum();
    assert!(shares + statistics.idle_share < 1.0, "the rest is the drivers'");
    let navigate = &statistics.tasks[0];
    assert_eq!((navigate.releases, navigate.completions), (4, 4));
    assert_eq!(navigate.worst_response, Some(Nanoseconds::new(4_000_000)));
    assert_eq!(navigate.median_response, Some(Nanoseconds::new(3_400_000)));
}

#[test]
fn a_run_with_a_miss_a_violation_and_a_fault() {
    let statistics = Statistics::of(&troubled(), &names());
    assert_recorded("statistics/troubled.txt", &statistics.to_string());
    let json = serde_json::to_string_pretty(&statistics).expect("serialisable") + "\n";
    assert_recorded("statistics/troubled.json", &json);
    assert_eq!(statistics.failures(), 2);
    assert_eq!((statistics.skipped, statistics.stray_interrupts, statistics.faults.len()), (2, 1, 1));
}

#[test]
fn an_empty_trace_has_empty_statistics() {
    let statistics = Statistics::of(&[], &names());
    assert_eq!(
        (statistics.length, statistics.idle_share, statistics.failures()),
        (Nanoseconds::new(0), 0.0, 0)
    );
    let command = &statistics.tasks[1];
    assert_eq!((command.releases, command.worst_response, command.share), (0, None, 0.0));
}
