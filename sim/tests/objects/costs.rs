//! Costs: steps of the kernel that take what the proof charges. Masked stretches, late interrupts and late alarms.

use beryl_abi::{Duration, InterruptId, Line, ThreadId};
use beryl_kernel::Interrupt as Row;
use beryl_sim::{Charges, Costs};
use beryl_user::interrupt::Interrupt;
use beryl_user::period::Period;

use crate::records::{lines, without_switches};
use crate::scenario::{Scenario, free, note, notes, periodic, spend};

/// Each term has a time of its own, so that none is taken for another.
const CHARGES: Charges = Charges {
    alarm: Duration::from_ticks(1),
    release: Duration::from_ticks(2),
    sorting: Duration::from_ticks(12),
    completion: Duration::from_ticks(3),
    driver: Duration::from_ticks(0),
    switch: Duration::from_ticks(4),
    instant: Duration::from_ticks(10),
    instant_step: Duration::from_ticks(13),
    look: Duration::from_ticks(5),
    e_machine: Duration::from_ticks(14),
    decision: Duration::from_ticks(6),
    job: Duration::from_ticks(7),
    stop: Duration::from_ticks(7),
    search: Duration::from_ticks(7),
    call: Duration::from_ticks(11),
};

/// Jobs whose time is the drawn one.
extern "C" fn jobs() -> ! {
    // SAFETY: the calling thread is periodic.
    let mut period = unsafe { Period::new() };
    loop {
        period.wait();
    }
}

#[test]
fn each_step_takes_what_it_is_charged() {
    let scenario = Scenario::new().thread_taking(10, 10, periodic(3, 0, 1000), jobs);
    let outcome = scenario.costs(Costs::Worst(CHARGES)).outcome(2000).unwrap();
    let expected = [
        // The start takes 7, the release 2.
        "9 release 0 at 0 until 1000",
        // The decision takes 5, the switch 4, the job 10, its end 3.
        "31 complete 0",
        // The alarm takes 1, with the release and the decision, since it meets the idle thread; the switch 4,
        // the job 10, its end 3.
        "1001 release 0 at 1000 until 2000",
        "1018 complete 0",
    ];
    assert_eq!(without_switches(&lines(&outcome.trace)), expected);
    assert_eq!((outcome.counts.overruns, outcome.counts.misses), (0, 0), "the kernel's time isn't the job's");
}

/// Works for 20 after each interrupt.
extern "C" fn server() -> ! {
    // SAFETY: the first interrupt is the first thread's, with this bit.
    let mut interrupt = unsafe { Interrupt::new(InterruptId(0), 1) };
    loop {
        interrupt.wait().unwrap();
        note("served");
        spend(20);
    }
}

fn served(at: &'static [(u64, u16)]) -> Vec<String> {
    let row = Row { line: Line(4), thread: ThreadId(0), bits: 1 };
    let scenario = Scenario::new()
        .thread(free(9), server)
        .thread_taking(10, 10, periodic(3, 0, 1000), jobs)
        .with(|system| system.interrupts[0] = row)
        .interrupts(at);
    notes(&scenario.costs(Costs::Worst(CHARGES)).outcome(1900).unwrap())
}

#[test]
fn an_interrupt_waits_until_the_step_is_over_that_is_under_way() {
    // Alone, with its thread and the decision, since it meets the idle thread; and the switch: 7 + 4.
    assert_eq!(served(&[(500, 4)]), ["511 served"]);
    // The alarm at 1000 is under way for 1, with the release, and the switch for 4: wherever an interrupt
    // comes, it comes after both: 1 + 4 + 7 + 4.
    for at in [(1000, 4), (1001, 4), (1002, 4), (1003, 4), (1004, 4), (1005, 4)] {
        assert_eq!(served(Vec::leak(vec![at])), ["1016 served"], "{at:?}");
    }
}

#[test]
fn a_call_takes_from_what_its_thread_has_spent_time_for() {
    extern "C" fn asking() -> ! {
        // SAFETY: the calling thread is periodic.
        let mut period = unsafe { Period::new() };
        loop {
            let _ = beryl_user::call::time();
            period.wait();
        }
    }
    let ends = |time, entry| {
        let scenario = Scenario::new().thread_taking(time, time, periodic(3, 0, 1000), entry);
        let outcome = scenario.costs(Costs::Worst(CHARGES)).outcome(900).unwrap();
        lines(&outcome.trace).into_iter().find(|line| line.contains("complete"))
    };
    assert_eq!(ends(30, asking), ends(30, jobs), "a call of 11 is part of the 30");
    assert_eq!(ends(5, asking), ends(5, jobs), "and of the 5, though it would take more");
}

#[test]
fn random_steps_are_the_same_again_with_the_same_seed() {
    let run = |seed| {
        let scenario = Scenario::new().thread_taking(10, 10, periodic(3, 0, 100), jobs);
        scenario.costs(Costs::Random { charges: CHARGES, seed }).outcome(5000).unwrap().trace
    };
    assert_eq!(run(1), run(1));
    assert_ne!(run(1), run(2));
}
