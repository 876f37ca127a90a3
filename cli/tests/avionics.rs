//! The avionics: who has the processor when, on both machines, whatever the others do.

use std::sync::LazyLock;

use beryl_trace::jobs::History;
use beryl_trace::{Names, decode};
use common::{beryl, example, left, left_text, lock};

mod common;

/// Ticks of the board's clock in 10 us, a thousandth of the frame.
const PART: u64 = 250;

/// Who had the processor from which part of a frame to which, counted from the same frame's beginning.
struct Ran {
    thread: String,
    from: u64,
    to: u64,
}

/// What a run said, and who had the processor in its frames, but for the first, in which the board starts.
struct Run {
    said: String,
    ran: Vec<Ran>,
}

fn run(trace: &str, said: &str) -> Run {
    let names = Names::parse(&left_text("avionics", "names.json")).expect("names");
    let events = decode(&left("avionics", trace)).expect("a whole trace");
    let mut ran = Vec::new();
    for run in &History::of(&events).runs {
        // Up to the tick before it ends: who runs until a frame's end isn't in the next one.
        let (from, to) = (run.from.ticks() / PART, (run.to.ticks() - 1) / PART);
        if from >= 1000 {
            ran.push(Ran {
                thread: names.thread(run.thread),
                from: from % 1000,
                to: to - from / 1000 * 1000,
            });
        }
    }
    Run { said: said.to_owned(), ran }
}

static RUNS: LazyLock<[Run; 2]> = LazyLock::new(|| {
    let _lock = lock("avionics");
    let said = beryl(&["run", &example("avionics"), "--for", "400ms"]).ended(0);
    ["mps2-an385.sim.trace", "mps2-an385.trace"].map(|trace| run(trace, &said))
});

#[test]
fn both_machines_write_the_same_and_nobody_is_late() {
    let said = &RUNS[0].said;
    assert!(
        said.contains("avionics: 40 actuator writes, identical on sim and mps2-an385; 0 deadline misses"),
        "{said}"
    );
    // There the kernel's steps are charged more than is left beside the windows.
    let _lock = lock("avionics");
    let on_virt = ["run", &example("avionics"), "--board", "virt", "--unchecked", "--for", "400ms"];
    let said = beryl(&on_virt).ended(0);
    assert!(said.contains("avionics: 40 actuator writes, identical on sim and virt"), "{said}");
    let checked = beryl(&["check", &example("avionics")]).ended(0);
    let has = |line: &str| assert!(checked.contains(line), "{line} in {checked}");
    has("partition `cabin` has 4.000 ms of each 10.000 ms, from 4.000 ms to 8.000 ms");
    has("time-safe: every job completes by its deadline");
}

#[test]
fn each_partition_has_its_windows_and_the_background_all_of_them() {
    // What the kernel takes at a window's end is the time of who had the processor: less than 30 us.
    let windows = [("steer", [0, 403]), ("plan", [0, 403]), ("film", [400, 803]), ("inspect", [800, 953])];
    for Run { ran, .. } in RUNS.iter() {
        for (thread, [from, to]) in windows {
            let own: Vec<_> = ran.iter().filter(|ran| ran.thread == thread).collect();
            assert!(own.len() >= 9, "{thread} ran {} times", own.len());
            let beyond = own.iter().find(|ran| ran.from < from || ran.to > to);
            assert!(beyond.is_none(), "{thread}: {:?}", beyond.map(|ran| (ran.from, ran.to)));
        }
        let begins = |thread: &str, at: u64| {
            ran.iter().filter(|ran| ran.thread == thread && (at..at + 15).contains(&ran.from)).count()
        };
        assert!(
            begins("gateway", 0) >= 38 && begins("gateway", 500) >= 38,
            "before all others, in any window"
        );
        let last = ran.iter().filter(|ran| (ran.from..=ran.to).contains(&980));
        let last: Vec<_> = last.map(|ran| ran.thread.as_str()).collect();
        assert!(last.len() >= 38 && last.iter().all(|thread| *thread == "log"), "nobody's window: {last:?}");
        assert!(begins("film", 800) == 0 && begins("inspect", 800) >= 9, "the film makes way");
    }
}
