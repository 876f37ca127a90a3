//! `on_hold`: who stays inside a lock, raised above threads of other processes, or as the owner of a semaphore, makes them
//! late, and so does a server that doesn't answer; one that is stopped for it doesn't.

use common::{application, beryl, change, lock, missed, threads};

mod common;

/// `greedy` and `modest` share a lock, so either is raised above `steady`, of another process, which comes every 10 ms
/// and has one to be done. Every fourth job of `greedy` stays inside.
const THREADS: &str = r#"[process.two]
memory = "64"

[thread.modest]
process = "one"
priority = 9
period = "40ms"
offset = "1ms"
worst = "1ms"
on_overrun = "end-job"
on_hold = "fault"
waits = "never"
entry = "modest"
stack = "512"
uses = ["map"]

[thread.steady]
process = "two"
priority = 5
period = "10ms"
offset = "2ms"
deadline = "5ms"
worst = "1ms"
on_overrun = "end-job"
waits = "never"
entry = "steady"
stack = "512"

[thread.greedy]
process = "one"
priority = 3
period = "40ms"
worst = "30ms"
on_overrun = "end-job"
waits = "never"
entry = "greedy"
stack = "512"
uses = ["map"]

[lock.map]
type = "int"
hold = "500us"
"#;

const APPLICATION: &str = r#"#![no_std]

use beryl_user::call::keep_busy;
use beryl_user::lock::Lock;
use beryl_user::period::Period;
use beryl_user::time::{microseconds, milliseconds};

pub fn modest(mut period: Period, mut map: Lock<i32>) -> ! {
    loop {
        map.with(|value| *value += 1);
        period.wait();
    }
}

pub fn greedy(mut period: Period, mut map: Lock<i32>) -> ! {
    let mut job = 0;
    loop {
        keep_busy(microseconds(1250));
        map.with(|value| {
            *value += 1;
            keep_busy(if job % 4 == 1 { milliseconds(25) } else { microseconds(250) });
        });
        job += 1;
        period.wait();
    }
}

pub fn steady(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(750));
        period.wait();
    }
}
"#;

/// What is said of `greedy` before and after it is policed.
struct Said<'a> {
    /// By the attack: what others rely on.
    relied: &'a str,
    /// By `check`: what is believed of it, if that concerns other processes.
    believed: Option<&'a str>,
    /// By `check`: what the kernel enforces then.
    enforced: &'a str,
    /// For what it is stopped.
    stopped: &'a str,
}

/// In a system where `greedy` of process `one` makes `steady` late, it doesn't once it is stopped for that.
fn makes_nobody_late_once_it_is_stopped(name: &str, described: &str, code: &str, expected: &Said<'_>) {
    let _lock = lock(name);
    let system = threads(name, "app", described);
    application(&system, &format!("{name}-app"), code);
    let (description, system) = (system.join("beryl.toml"), system.display().to_string());

    // Each process in turn does what it likes, and forges words.
    let attack =
        || beryl(&["attack", &system, "--processes", "one", "--runs", "12", "--for", "200ms"]).ended(0);

    let said = attack();
    assert!(said.contains("  one          0 of 1"), "nothing is guaranteed: {said}");
    assert!(said.contains(expected.relied), "{said}");
    let said = beryl(&["check", &system]).ended(0);
    assert!(said.contains("time-safe: every job completes by its deadline"), "{said}");
    assert!(expected.believed.is_none_or(|believed| said.contains(believed)), "{said}");
    for command in ["sim", "run"] {
        let (late, said) = missed(command, &system, "steady");
        assert!(late > 0, "the belief is wrong: {said}");
    }

    change(&description, "entry = \"greedy\"", "entry = \"greedy\"\non_hold = \"fault\"");
    let said = beryl(&["check", &system]).ended(0);
    assert!(said.contains("time-safe: every job completes by its deadline"), "{said}");
    assert!(said.contains(expected.enforced), "{said}");
    is_stopped_in_time(&system, expected.stopped);
    let on_virt = ["run", &system, "--board", "virt", "--unchecked", "--for", "200ms"];
    let said = beryl(&on_virt).everything();
    assert!(said.contains(expected.stopped), "{said}");
    let said = attack();
    let row = said.lines().find(|line| line.starts_with("  one ")).unwrap_or_else(|| panic!("{said}"));
    let numbers: Vec<&str> = row.split_whitespace().skip(1).collect();
    assert_eq!(numbers[..3], ["1", "of", "1"], "{said}");
    assert_eq!(numbers[numbers.len() - 2..], ["0", "0"], "nobody believed, nothing broken: {said}");
}

const STAYED: &str = "lock held for longer than its hold";

/// In the simulator and on the board.
fn is_stopped_in_time(system: &str, stopped: &str) {
    for command in ["sim", "run"] {
        let (late, said) = missed(command, system, "steady");
        assert_eq!(late, 0, "{said}");
        assert!(said.contains(stopped), "{said}");
    }
}

#[test]
fn who_is_stopped_for_staying_inside_makes_nobody_late() {
    let said = Said {
        relied: "`greedy` stays raised no longer than its `hold` says",
        believed: Some("no user of lock `map` stays inside for longer than its `hold`"),
        enforced: "  enforced: inside a lock, `modest`, `greedy` keeps others out no longer than its longest hold",
        stopped: STAYED,
    };
    makes_nobody_late_once_it_is_stopped("holds", THREADS, APPLICATION, &said);
}

/// `greedy` and `steady` own a semaphore in turn, in two processes. Every fourth job of `greedy` keeps it.
const OWNERS: &str = r#"[process.two]
memory = "64"

[thread.steady]
process = "two"
priority = 5
period = "10ms"
offset = "2ms"
deadline = "5ms"
worst = "1ms"
waits = "turns"
entry = "steady"
stack = "512"
uses = ["bus"]

[thread.greedy]
process = "one"
priority = 3
period = "40ms"
worst = "30ms"
on_overrun = "end-job"
waits = "turns"
entry = "greedy"
stack = "512"
uses = ["bus"]

[semaphore.bus]
kind = "binary"
hold = "500us"
"#;

const OF_OWNERS: &str = r#"#![no_std]

use beryl_user::call::keep_busy;
use beryl_user::period::Period;
use beryl_user::semaphore::Binary;
use beryl_user::time::{microseconds, milliseconds};

pub fn greedy(mut period: Period, mut bus: Binary<()>) -> ! {
    let mut job = 0;
    loop {
        keep_busy(microseconds(1250));
        if let Ok(_held) = bus.wait() {
            keep_busy(if job % 4 == 1 { milliseconds(25) } else { microseconds(250) });
        }
        job += 1;
        period.wait();
    }
}

pub fn steady(mut period: Period, mut bus: Binary<()>) -> ! {
    loop {
        if let Ok(_held) = bus.wait() {
            keep_busy(microseconds(250));
        }
        keep_busy(microseconds(250));
        period.wait();
    }
}
"#;

#[test]
fn who_is_stopped_for_owning_too_long_makes_nobody_late() {
    let said = Said {
        relied: "no thread of its owns semaphore `bus` for longer than its `hold`",
        believed: None,
        enforced: "  enforced: inside a lock, `greedy` keeps others out no longer than its longest hold",
        stopped: STAYED,
    };
    makes_nobody_late_once_it_is_stopped("owners", OWNERS, OF_OWNERS, &said);
}

/// The same, but `greedy` may wait as it likes, and sleeps where it would work.
#[test]
fn who_sleeps_with_what_others_want_makes_nobody_late() {
    const SLEEPS: &str = "let _ = beryl_user::time::sleep(if job % 4 == 1";
    let _lock = lock("sleepers");
    let (sleeps, freely) = ("keep_busy(if job % 4 == 1", "entry = \"greedy\"\non_hold = \"fault\"");
    assert!(OF_OWNERS.contains(sleeps));
    let (before, greedy) = OWNERS.split_once("[thread.greedy]").expect("a thread");
    let greedy = greedy.replace("waits = \"turns\"\nentry = \"greedy\"", freely);
    assert!(greedy.contains(freely));
    let system = threads("sleepers", "app", &format!("{before}[thread.greedy]{greedy}"));
    application(&system, "sleepers-app", &OF_OWNERS.replace(sleeps, SLEEPS));
    is_stopped_in_time(&system.display().to_string(), STAYED);
}

/// `greedy` serves `steady` of another process, and with every fourth request takes too long. What it does for itself is
/// in its budget.
const SERVERS: &str = r#"[process.two]
memory = "64"

[thread.steady]
process = "two"
priority = 5
period = "10ms"
offset = "2ms"
deadline = "5ms"
worst = "1ms"
waits = "turns"
entry = "steady"
stack = "512"
uses = ["bank.call"]

[thread.greedy]
process = "one"
priority = 3
budget = "1ms"
every = "10ms"
entry = "greedy"
stack = "512"
uses = ["bank.serve"]

[endpoint.bank]
request = "int"
reply = "int"
hold = "500us"
"#;

const OF_SERVERS: &str = r#"#![no_std]

use beryl_user::call::keep_busy;
use beryl_user::endpoint::{Client, Server};
use beryl_user::period::Period;
use beryl_user::time::{microseconds, milliseconds};

pub fn greedy(mut bank: Server<i32, i32>) -> ! {
    bank.serve(|request| {
        keep_busy(if request % 4 == 1 { milliseconds(25) } else { microseconds(250) });
        request + 1
    })
}

pub fn steady(mut period: Period, mut bank: Client<i32, i32>) -> ! {
    let mut job = 0;
    loop {
        job = bank.call(&job).unwrap_or(job);
        keep_busy(microseconds(250));
        period.wait();
    }
}
"#;

#[test]
fn who_is_stopped_for_a_late_answer_makes_nobody_late() {
    let said = Said {
        relied: "`greedy` answers its clients in time",
        believed: None,
        enforced: "  enforced: `greedy` works for a request no longer than its endpoint's hold",
        stopped: "client kept waiting for longer than the hold",
    };
    makes_nobody_late_once_it_is_stopped("answers", SERVERS, OF_SERVERS, &said);
}
