//! Tasks that changes of records, arrays and fields release, in the simulator and on a board: each at the instants at which a bit
//! of what it waits for becomes another one, and at no others.

use beryl_abi::Instant;
use beryl_trace::{Happening, Names, decode};
use common::places::{millisecond, places};
use common::{beryl, left, left_text, lock, root};

mod common;

/// The steps of the wave whose multiples change something, and who waits for that; see `conformance/app/src/changes.rs`.
const WAITING: [(&str, &[u64]); 5] =
    [("whole", &[3, 4, 5, 7]), ("place", &[4]), ("tide", &[5]), ("far", &[2]), ("three", &[6])];
/// Milliseconds of a step.
const STEP: u64 = 6;
/// How many steps are done at the end.
const STEPS: u64 = 42;

/// The milliseconds at which a machine's last run released a task.
fn releases(machine: &str, task: &str, millisecond: u64) -> Vec<u64> {
    let names = Names::parse(&left_text("changes", "names.json")).expect("names");
    let thread = names.threads.iter().position(|thread| thread.name == task).expect("a task");
    let events = decode(&left("changes", &format!("{machine}.trace"))).expect("a whole trace");
    let release = |event: &beryl_trace::Event| match event.happening {
        Happening::Release { task: own, instant, .. } if own.index() == thread => Some(instant),
        _ => None,
    };
    let whole = |instant: Instant| {
        assert!(instant.ticks().is_multiple_of(millisecond), "{task}: {instant:?} is no millisecond");
        instant.ticks() / millisecond
    };
    events.iter().filter_map(release).map(whole).collect()
}

#[test]
fn a_change_of_any_bytes_releases_who_waits_for_them_and_nobody_else() {
    let _lock = lock("changes");
    let system = root().join("conformance/changes").display().to_string();
    let length = format!("{}ms", STEPS * STEP + 1);
    for board in places("changes", &[]) {
        let said = beryl(&["run", &system, "--board", board.name, "--for", &length]).ended(0);
        let last = said.lines().last().unwrap_or_default();
        assert!(last.ends_with(&format!("identical on sim and {}; 0 deadline misses", board.name)), "{said}");
        for (task, each) in WAITING {
            let changes = |step: &u64| each.iter().any(|number| step.is_multiple_of(*number));
            let expected: Vec<_> = (1..=STEPS).filter(changes).map(|step| step * STEP).collect();
            for machine in [format!("{}.sim", board.name), board.name.to_owned()] {
                let found = releases(&machine, task, millisecond(board));
                assert_eq!(found, expected, "{task} on {machine}");
            }
        }
    }
}

#[test]
fn the_proof_counts_them_with_the_rhythm_of_who_writes_them() {
    let _lock = lock("changes");
    let said = beryl(&["check", &root().join("conformance/changes").display().to_string()]).ended(0);
    assert!(said.contains("time-safe: every job completes within its logical execution time"), "{said}");
}
