//! A supervisor that hangs: its watchdog bites, it begins anew, and another one hears of it; in the simulator and on the
//! board.

use std::sync::LazyLock;

use beryl_abi::{FaultKind, Instant};
use beryl_trace::{DecodedNote, Event, Happening};
use common::run::Run;
use common::{beryl, example};

mod common;

/// What the example's chief and warden note.
const FAULT_OF_WARDEN: u16 = 1;
const HEARD: u16 = 2;
/// Its watchdog, in ticks of 40 ns.
const WITHIN: u64 = 500_000;

static RUNS: LazyLock<[Run; 2]> = LazyLock::new(|| {
    ["sim", "run"].map(|command| Run::of(command, &example("watchdog"), "watchdog", &["--for", "100ms"]))
});

/// What is told of the warden, with the instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Told {
    Heard(u32),
    Bitten,
    Begins(bool),
    Chief(u32),
}

impl Run {
    fn told(&self) -> Vec<(Instant, Told)> {
        let told = |event: &Event| {
            let told = match event.happening {
                Happening::Note(DecodedNote::Event { event: HEARD, value, .. }) => Told::Heard(value),
                Happening::Note(DecodedNote::Event { event: FAULT_OF_WARDEN, value, .. }) => {
                    Told::Chief(value)
                }
                Happening::Note(DecodedNote::Restart { is_allowed, .. }) => Told::Begins(is_allowed),
                Happening::Fault { fault, .. } if fault.kind == FaultKind::Watchdog => Told::Bitten,
                _ => return None,
            };
            Some((event.time, told))
        };
        self.events.iter().filter_map(told).collect()
    }
}

#[test]
fn who_hangs_begins_anew_once_and_then_stays_stopped() {
    for run in RUNS.iter() {
        assert_eq!(run.ran.code, Some(1), "{:?}", run.ran);
        let told: Vec<_> = run.told().into_iter().map(|(_, told)| told).collect();
        let expected = [
            Told::Heard(1),
            // it hangs
            Told::Heard(1),
            Told::Bitten,
            Told::Begins(true),
            Told::Chief(1),
            // what has happened meanwhile is still there
            Told::Heard(2),
            Told::Heard(1),
            Told::Bitten,
            Told::Begins(false),
            Told::Chief(1),
        ];
        assert_eq!(told, expected);
    }
}

#[test]
fn a_watchdog_bites_never_early_and_soon() {
    let [simulated, on_board] = RUNS.each_ref().map(|run| {
        let told = run.told();
        let bites = told.windows(2).filter(|pair| pair[1].1 == Told::Bitten);
        bites.map(|pair| pair[1].0.since(pair[0].0).ticks()).collect::<Vec<_>>()
    });
    // The kernel's steps take no time there; here it fetches a little before it notes that.
    assert_eq!(simulated, [WITHIN; 2]);
    let late = 2_500;
    assert!(on_board.iter().all(|ticks| (WITHIN - late..WITHIN + late).contains(ticks)), "{on_board:?}");
}

#[test]
fn check_counts_what_a_watchdog_takes() {
    let said = beryl(&["check", &example("watchdog")]).ended(0);
    assert!(said.contains("  time-safe: every job completes by its deadline"), "{said}");
    assert!(said.contains("  process `watch` begins anew at most once in 1000.000 ms"), "{said}");
}
