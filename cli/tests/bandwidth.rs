//! Constant bandwidth beside jobs by deadline: whoever never stops takes no time that is theirs, and has what it was promised.

use beryl_trace::jobs::History;
use beryl_trace::{Names, decode};
use common::{application, beryl, left, left_text, lock, threads};

mod common;

/// Half of the processor is asked for by jobs and by two threads that never stop: `steady` needs 4 of its 20 ms, `short` half of
/// one in 5 ms; `first` and `second` have an eighth and a twentieth. What is left over they take, too.
const THREADS: &str = r#"[process.two]
memory = "64"

[[band]]
name = "deadlines"
policy = "dynamic"

[thread.steady]
process = "one"
band = "deadlines"
period = "20ms"
worst = "4ms"
entry = "steady"
stack = "512"

[thread.short]
process = "one"
band = "deadlines"
period = "5ms"
worst = "500us"
entry = "short"
stack = "512"

[thread.first]
process = "two"
band = "deadlines"
entry = "spin"
stack = "512"
budget = "1ms"
every = "8ms"
policy = "constant-bandwidth"

[thread.second]
process = "two"
band = "deadlines"
entry = "spin"
stack = "512"
budget = "1ms"
every = "20ms"
policy = "constant-bandwidth"
"#;

/// Who stands below has what they leave, which may be nothing.
const BELOW: &str = r#"
[[band]]
name = "background"
policy = "fixed"

[thread.below]
process = "one"
band = "background"
priority = 5
period = "100ms"
worst = "1ms"
entry = "steady"
stack = "512"
"#;

const APPLICATION: &str = r#"#![no_std]

use beryl_user::call::keep_busy;
use beryl_user::period::Period;
use beryl_user::time::microseconds;

pub fn steady(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(3500));
        period.wait();
    }
}

pub fn short(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(300));
        period.wait();
    }
}

pub fn spin() -> ! {
    loop {
        keep_busy(microseconds(100));
    }
}
"#;

/// Length of a run, ms.
const LENGTH: u64 = 200;
/// Ticks of the board's clock in a millisecond.
const MILLISECOND: u64 = 25_000;

/// How long a thread had the processor in a run, from the first 20 ms on, in microseconds of each 20 ms.
fn had(trace: &str, thread: &str) -> u64 {
    let names = Names::parse(&left_text("bandwidth", "names.json")).expect("names");
    let events = decode(&left("bandwidth", trace)).expect("a whole trace");
    let thread = names.thread_called(thread).expect(thread);
    let (from, to) = (20 * MILLISECOND, LENGTH * MILLISECOND);
    let runs = History::of(&events).runs;
    let own = runs.iter().filter(|run| run.thread == thread);
    let used = own.map(|run| run.to.ticks().clamp(from, to) - run.from.ticks().clamp(from, to)).sum::<u64>();
    used * 1000 / MILLISECOND / (LENGTH / 20 - 1)
}

#[test]
fn who_never_stops_has_its_share_and_makes_nobody_late_on_any_machine() {
    let _lock = lock("bandwidth");
    let system = threads("bandwidth", "app", THREADS);
    application(&system, "bandwidth-app", APPLICATION);
    let system = system.display().to_string();

    let said = beryl(&["check", &system]).ended(0);
    assert!(said.contains("time-safe: every job completes by its deadline"), "{said}");
    let enforced = "  enforced: `first`, `second` takes no more than its budget, in every period, of the time of others of its band";
    assert!(said.contains(enforced), "{said}");
    for (command, trace) in [("sim", "sim.trace"), ("run", "mps2-an385.trace")] {
        let said = beryl(&[command, &system, "--for", &format!("{LENGTH}ms")]).everything();
        assert!(said.contains("0 deadline misses"), "{said}");
        let [first, second] = ["first", "second"].map(|thread| had(trace, thread));
        // An eighth and a twentieth of 20 ms are promised. Jobs take 6 ms of them at most, and of the rest nothing is lost: both
        // go on as their deadlines say, so the first has more than twice of what the second has.
        assert!(first >= 2500 && second >= 1000, "{command}: {first} and {second}");
        assert!((13_500..15_500).contains(&(first + second)), "{command}: {first} and {second}");
        assert!((20..30).contains(&(first * 10 / second)), "{command}: {first} and {second}");
    }
    let on_virt = ["run", &system, "--board", "virt", "--unchecked", "--for", "200ms"];
    let said = beryl(&on_virt).everything();
    assert!(said.contains("0 deadline misses"), "{said}");
}

#[test]
fn who_stands_below_a_thread_with_constant_bandwidth_is_in_doubt() {
    let _lock = lock("bandwidth_below");
    let system = threads("bandwidth_below", "app", &format!("{THREADS}{BELOW}"));
    application(&system, "bandwidth-below-app", APPLICATION);
    let said = beryl(&["check", &system.display().to_string()]).everything();
    let doubt = "`below` stands below thread `first`, whose `budget` has constant bandwidth";
    assert!(said.split_whitespace().collect::<Vec<_>>().join(" ").contains(doubt), "{said}");
}
