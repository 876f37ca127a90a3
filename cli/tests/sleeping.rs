//! An emulated board that has nothing to do sleeps until the next instant or interrupt, and no longer.

use beryl_trace::{DecodedNote, Event, Happening, decode};

use common::{beryl, left, lock, root};

mod common;

/// Instructions from an instant to its record, at most: the kernel's longest step with its records.
const INSTRUCTIONS: u64 = 2_900;
/// Nanoseconds in a tick of kernel time.
const TICK: u64 = 40;

/// Runs a system that sleeps on the board at some speeds: what is picked of its events, in ticks when it was
/// due and when it was recorded, must be due each `period` ticks, and not be recorded much later.
fn nothing_is_late(name: &str, period: u64, pick: fn(&Event, u64) -> Option<[u64; 2]>) {
    let _lock = lock(name);
    let system = root().join("cli/tests/sleeping").join(name).display().to_string();
    for speed in [0, 5, 8] {
        beryl(&["run", &system, "--for", "200ms", "--speed", &speed.to_string()]).ended(0);
        let events = decode(&left(name, "mps2-an385.trace")).expect("a whole trace");
        let seen: Vec<_> = events.iter().filter_map(|event| pick(event, period)).collect();
        let due: Vec<_> = seen.iter().map(|[due, _]| *due).collect();
        let expected: Vec<_> =
            (due[0] / period..due.len() as u64 + due[0] / period).map(|job| job * period).collect();
        assert_eq!(due, expected, "{name} at speed {speed}");
        assert!(due.len() as u64 >= 200_000_000 / TICK / period - 1, "{name} at speed {speed}: {due:?}");
        let cost = (INSTRUCTIONS << speed) / TICK;
        let late: Vec<_> = seen.iter().filter(|[due, seen]| seen - due > cost).collect();
        assert!(late.is_empty(), "{name} at speed {speed}, due and seen in ticks: {late:?}");
    }
}

#[test]
fn a_sleeping_board_releases_its_jobs_when_they_are_due() {
    nothing_is_late("due", 125_000, |event, _| match event.happening {
        Happening::Release { instant, .. } => Some([instant.ticks(), event.time.ticks()]),
        _ => None,
    });
}

/// The bell counts from when the thread starts it, which is early, and a tick more than it is told.
#[test]
fn a_sleeping_board_takes_interrupts_when_they_come() {
    nothing_is_late("rung", 67_501, |event, period| match event.happening {
        Happening::Note(DecodedNote::Event { value, .. }) => {
            Some([(u64::from(value) + 1) * period, event.time.ticks()])
        }
        _ => None,
    });
}
