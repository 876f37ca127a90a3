//! Points: where others run between two accesses to something shared, and where they don't.

use beryl_sim::SimulationError;
use beryl_user::period::Period;
use beryl_user::{call, memory, platform};

use crate::scenario::{BASE, Scenario, end, free, note, notes, pause, periodic, sleep_until, spend};

/// Reads the shared word, as the user library does.
fn load() -> u32 {
    platform::point();
    // SAFETY: a word of the scenario's memory; threads run in turn.
    unsafe { memory::at::<u32>(BASE).read_volatile() }
}

fn store(value: u32) {
    platform::point();
    // SAFETY: as in `load`.
    unsafe { memory::at::<u32>(BASE).write_volatile(value) }
}

/// Counts to five in the shared word without any lock.
extern "C" fn count() -> ! {
    for _ in 0..5 {
        store(load() + 1);
        call::null();
        pause(40);
    }
    note(&format!("{}", load()));
    call::stop()
}

fn counters(seed: Option<u64>) -> String {
    let scenario = Scenario::new().thread_taking(5, 20, free(2), count).thread_taking(5, 20, free(1), count);
    let scenario = match seed {
        Some(seed) => scenario.seed(seed),
        None => scenario,
    };
    let notes = scenario.notes(2000);
    notes.last().unwrap().split_once(' ').unwrap().1.to_owned()
}

#[test]
fn with_random_times_preemption_falls_between_two_accesses() {
    let counts: Vec<_> = (0..20).map(|seed| counters(Some(seed))).collect();
    assert!(counts.iter().any(|count| count != "10"), "no seed of 0..20 loses an update: {counts:?}");
    assert!(counts.iter().any(|count| count == "10"), "every seed of 0..20 loses an update: {counts:?}");
}

#[test]
fn with_fixed_times_a_point_takes_no_time() {
    assert_eq!(counters(None), "10");
}

/// Spends, then notes something before and after a point.
extern "C" fn past_a_point() -> ! {
    spend(10);
    note("at the instant");
    platform::point();
    end("after the point")
}

/// Sleeps until 10, then until 20.
extern "C" fn due() -> ! {
    sleep_until(10);
    note("due");
    sleep_until(20);
    end("due")
}

#[test]
fn what_is_due_comes_at_a_point_and_not_before() {
    let scenario = Scenario::new().thread(free(1), past_a_point).thread(free(2), due);
    assert_eq!(scenario.notes(100), ["10 at the instant", "10 due", "10 after the point", "20 due"]);
}

/// The same with other operations, in a job that isn't over then: its time is granted at its end.
extern "C" fn past_operations() -> ! {
    spend(10);
    note("at the instant");
    call::null();
    note("after the call");
    spend(10);
    note("at the next");
    platform::transmit(b'x');
    note("after the byte");
    // SAFETY: the calling thread is periodic.
    unsafe { Period::new() }.wait();
    end("the next job")
}

#[test]
fn what_is_due_comes_after_a_call_and_after_a_byte() {
    let scenario = Scenario::new().thread_taking(30, 30, periodic(1, 0, 40), past_operations);
    let notes = scenario.thread(free(2), due).notes(100);
    let expected = [
        "10 at the instant",
        "10 due",
        "10 after the call",
        "20 at the next",
        "20 due",
        "20 after the byte",
        "40 the next job",
    ];
    assert_eq!(notes, expected);
}

/// Waits for a word to change, without spending time.
extern "C" fn polling() -> ! {
    while load() == 0 {}
    call::stop()
}

#[test]
fn a_thread_that_polls_for_ever_is_caught() {
    let error = Scenario::new().thread(free(1), polling).outcome(100).unwrap_err();
    assert!(matches!(error, SimulationError::Stuck { thread: "thread", .. }), "{error}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let outcome = |seed| {
        let scenario =
            Scenario::new().thread_taking(5, 20, free(2), count).thread_taking(5, 20, free(1), count);
        scenario.seed(seed).outcome(2000).unwrap()
    };
    assert_eq!(outcome(4), outcome(4));
    assert_ne!(outcome(4).trace, outcome(5).trace);
    assert_ne!(notes(&outcome(4)), notes(&outcome(5)));
}
