//! Periodic threads: first releases, work of a job, missed releases.

use beryl_user::period::Period;

use crate::records::{lines, without_switches};
use crate::scenario::{Scenario, end, free, note, periodic, spend};

/// Notes each job, whose time is the drawn one.
extern "C" fn jobs() -> ! {
    // SAFETY: the calling thread is periodic.
    let mut period = unsafe { Period::new() };
    loop {
        note("begins");
        let missed = period.wait();
        if missed.0 > 0 {
            note(&format!("missed {}", missed.0));
        }
    }
}

#[test]
fn releases_are_exact_and_jobs_take_their_time() {
    let scenario = Scenario::new().thread_taking(1, 4, periodic(3, 0, 10), jobs).thread_taking(
        1,
        9,
        periodic(2, 5, 20),
        jobs,
    );
    let outcome = scenario.outcome(41).unwrap();
    let expected = [
        "0 release 0 at 0 until 10",
        "4 complete 0",
        "5 release 1 at 5 until 25",
        "10 release 0 at 10 until 20",
        "14 complete 0",
        "18 complete 1", // five before the other, four after
        "20 release 0 at 20 until 30",
        "24 complete 0",
        "25 release 1 at 25 until 45",
        "30 release 0 at 30 until 40",
        "34 complete 0",
        "38 complete 1",
        "40 release 0 at 40 until 50",
    ];
    assert_eq!(without_switches(&lines(&outcome.trace)), expected);
}

/// Takes 25 the first time and 2 afterwards.
extern "C" fn late_once() -> ! {
    // SAFETY: the calling thread is periodic.
    let mut period = unsafe { Period::new() };
    let mut ticks = 25;
    loop {
        note("begins");
        spend(ticks);
        ticks = 2;
        let missed = period.wait();
        note(&format!("missed {}", missed.0));
    }
}

#[test]
fn missed_releases_are_told_and_skipped() {
    let notes = Scenario::new().thread(periodic(1, 0, 10), late_once).notes(45);
    let expected = ["0 begins", "30 missed 2", "30 begins", "40 missed 0", "40 begins"];
    assert_eq!(notes, expected);
}

#[test]
fn missed_releases_are_caught_up_with_where_so_declared() {
    let scenario = Scenario::new().thread(periodic(1, 0, 10), late_once);
    let notes = scenario.with(|system| system.threads[0].catch_up = 2).notes(41);
    let expected = [
        "0 begins",
        "25 missed 2", // at once, and once more
        "25 begins",
        "27 missed 1",
        "27 begins",
        "30 missed 0",
        "30 begins",
        "40 missed 0",
        "40 begins",
    ];
    assert_eq!(notes, expected);
}

/// Gets what the jobs leave.
extern "C" fn background() -> ! {
    spend(10);
    end("background ends")
}

#[test]
fn what_a_job_spends_is_part_of_its_time() {
    extern "C" fn spends_half() -> ! {
        // SAFETY: the calling thread is periodic.
        let mut period = unsafe { Period::new() };
        loop {
            spend(3);
            note("half");
            period.wait();
        }
    }
    let scenario =
        Scenario::new().thread_taking(6, 6, periodic(2, 0, 10), spends_half).thread(free(1), background);
    let notes = scenario.notes(30);
    assert_eq!(notes, ["3 half", "13 half", "23 half", "28 background ends"]);
}
