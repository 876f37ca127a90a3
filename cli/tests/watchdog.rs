//! A supervisor that hangs: its watchdog bites, it begins anew, and another one hears of it; in the simulator and on the
//! board.

use std::path::Path;
use std::sync::LazyLock;

use beryl_abi::{FaultKind, Instant};
use beryl_trace::{DecodedNote, Event, Happening};
use common::run::Run;
use common::{beryl, change, copy, example, folder};

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
    // The kernel's steps take no time in the simulator. On the board the supervisor fetches a report, which is when its time
    // begins, and notes it a little later.
    assert_eq!(simulated, [WITHIN; 2]);
    let late = 2_500;
    assert!(on_board.iter().all(|ticks| (WITHIN - late..WITHIN + late).contains(ticks)), "{on_board:?}");
}

#[test]
fn check_counts_what_a_watchdog_takes() {
    let share = |system: &str| {
        let said = beryl(&["check", system]).ended(0);
        assert!(said.contains("  time-safe: every job completes by its deadline"), "{said}");
        let share = said.split_once("  processor: ").and_then(|(_, rest)| rest.split_once(" %"));
        share.and_then(|(share, _)| share.parse::<f64>().ok()).expect("a share of the processor")
    };
    let with_line = |name: &str, line: &str| {
        let system = folder().join("systems").join(name);
        copy(Path::new(&example("watchdog")), &system);
        change(&system.join("beryl.toml"), "watchdog = \"20ms\"\n", line);
        share(&system.display().to_string())
    };
    let often = share(&example("watchdog"));
    let seldom = with_line("watchdog_seldom", "watchdog = \"200ms\"\n");
    let never = with_line("watchdog_never", "");
    // Its alarms, two in each such time; and a step with each report, however long that is.
    assert!(often > seldom && seldom > never, "{often} %, {seldom} % and {never} %");
}
