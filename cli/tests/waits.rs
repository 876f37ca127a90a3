//! `waits`: a job that waits comes late, on top of the next, and makes others late that did nothing; one that
//! may not wait can't.

use std::fs;

use common::{application, beryl, change, lock, missed, root, threads};

mod common;

/// `greedy` lies idle for most of every other period, and works then, straight into the next. `steady` begins where that
/// hurts most.
const THREADS: &str = r#"[process.two]
memory = "64"

[thread.greedy]
process = "one"
priority = 5
period = "10ms"
worst = "4ms"
on_overrun = "end-job"
entry = "greedy"
stack = "512"
uses = ["log.send"]

[thread.steady]
process = "two"
priority = 3
period = "40ms"
offset = "6ms"
deadline = "19.5ms"
worst = "10ms"
entry = "steady"
stack = "512"

[thread.writer]
process = "two"
priority = 0
entry = "writer"
stack = "512"
uses = ["log.receive"]

[mailbox.log]
type = "int"
capacity = 1
"#;

const APPLICATION: &str = r#"#![no_std]

use beryl_abi::Duration;
use beryl_user::call::keep_busy;
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::period::Period;
use beryl_user::time::sleep;
use beryl_user::trace::tell;

fn quarters(count: u64) -> Duration {
    Duration::from_ticks(count * 6_250)
}

pub fn greedy(mut period: Period, mut log: Sender<i32>) -> ! {
    let mut job = 0;
    loop {
        if job % 4 == 0 && sleep(quarters(24)).is_err() {
            tell(1, job);
        }
        keep_busy(quarters(15));
        if log.send(&0).is_err() {
            tell(2, job);
        }
        job += 1;
        period.wait();
    }
}

pub fn steady(mut period: Period) -> ! {
    loop {
        keep_busy(quarters(39));
        period.wait();
    }
}

pub fn writer(mut log: Receiver<i32>) -> ! {
    loop {
        let _ = log.receive();
    }
}
"#;

#[test]
fn a_job_that_may_not_wait_makes_nobody_late() {
    let _lock = lock("waits");
    let system = threads("waits", "app", THREADS);
    application(&system, "waits-app", APPLICATION);
    let manifest = system.join("app/Cargo.toml");
    let abi = root().join("kernel/abi");
    let named = fs::read_to_string(&manifest).expect("read") + &format!("beryl-abi = {{ path = {abi:?} }}\n");
    fs::write(&manifest, named).expect("written");
    let (description, system) = (system.join("beryl.toml"), system.display().to_string());
    let check = || beryl(&["check", &system]).ended(0);
    let attack =
        || beryl(&["attack", &system, "--processes", "one", "--runs", "6", "--for", "100ms"]).ended(0);

    let said = check();
    assert!(said.contains("`greedy` may wait for `log`: waiting inside of jobs isn't counted"), "{said}");
    for command in ["sim", "run"] {
        let (late, said) = missed(command, &system, "steady");
        assert_eq!(late, 5, "each job: {said}");
    }
    let said = attack();
    assert!(said.contains("  one          0 of 2"), "nothing is guaranteed: {said}");

    change(&description, "entry = \"greedy\"", "entry = \"greedy\"\nwaits = \"never\"");
    let said = check();
    assert!(said.contains("time-safe: every job completes by its deadline"), "{said}");
    assert!(said.contains("  enforced: no job of `greedy` waits for anything\n"), "{said}");
    assert!(said.contains("  believed: no job of `steady` waits or sleeps before it is done\n"), "{said}");
    for command in ["sim", "run"] {
        let (late, said) = missed(command, &system, "steady");
        assert_eq!(late, 0, "{said}");
        // Its first job in four was to sleep, and both `sleep` and `send` come back at once.
        assert_eq!(said.matches("WouldBlock").count(), 0, "{said}");
    }
    let said = attack();
    assert!(said.contains("  one          1 of 2"), "`writer` has no times guaranteed: {said}");
}
