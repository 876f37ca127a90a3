//! A device whose interrupts storm: with a separation nobody is late for it, without one somebody is; in the simulator
//! and on the board.

use std::path::Path;
use std::sync::LazyLock;

use beryl_trace::{DecodedNote, Event, Happening};
use common::run::Run;
use common::{beryl, change, copy, example, folder};

mod common;

/// In the simulator the device does nothing by itself.
const STORM: &str = "storm:packet@20ms+50us*3000";
const SEPARATION: u64 = 2_000_000;

static SIMULATED: LazyLock<Run> =
    LazyLock::new(|| Run::of("sim", &example("storm"), "storm", &["--for", "100ms", "--fault", STORM]));
static ON_BOARD: LazyLock<Run> =
    LazyLock::new(|| Run::of("run", &example("storm"), "storm", &["--for", "100ms"]));

impl Run {
    /// When interrupts came, in nanoseconds.
    fn interrupts(&self) -> Vec<u64> {
        let is_interrupt =
            |event: &&Event| matches!(event.happening, Happening::Note(DecodedNote::Interrupt { .. }));
        let came = self.events.iter().filter(is_interrupt);
        came.map(|event| self.names.tick.logical(event.time).nanoseconds()).collect()
    }

    /// How many releases and ends of jobs there were, and how many misses.
    fn jobs(&self) -> [usize; 3] {
        let count =
            |is: fn(&Happening) -> bool| self.events.iter().filter(|event| is(&event.happening)).count();
        [
            count(|happening| matches!(happening, Happening::Release { .. })),
            count(|happening| matches!(happening, Happening::Complete { .. })),
            count(|happening| matches!(happening, Happening::Miss { .. })),
        ]
    }
}

#[test]
fn who_is_less_urgent_is_not_late_for_a_storm() {
    for run in [&SIMULATED, &ON_BOARD] {
        assert_eq!(run.ran.code, Some(0), "{:?}", run.ran);
        assert_eq!(run.jobs(), [10, 10, 0]);
    }
}

#[test]
fn interrupts_that_storm_are_a_separation_apart() {
    for run in [&SIMULATED, &ON_BOARD] {
        let came = run.interrupts();
        let distances: Vec<_> = came.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(distances.iter().all(|distance| *distance >= SEPARATION), "{distances:?}");
        // From 20 ms on the line is up whenever it opens.
        let stormy = came.iter().filter(|instant| **instant >= 22_000_000).count();
        assert!((37..=40).contains(&stormy), "{stormy} of them: {came:?}");
    }
}

#[test]
fn check_says_whose_separation_is_enforced() {
    let said = beryl(&["check", &example("storm")]).ended(0);
    assert!(said.contains("  enforced: `listen` is woken no more often than its separation says"), "{said}");
}

/// The example under another name, without the separation of its interrupt.
fn unpoliced(name: &str) -> String {
    let system = folder().join("systems").join(name);
    copy(Path::new(&example("storm")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"storm\"", &format!("name = \"{name}\""));
    change(&description, "application = \"app\"", "application = \"../../../../examples/storm/app\"");
    let text = std::fs::read_to_string(&description).expect("the description");
    let (before, _) = text.split_once("# Whatever the device does").expect("the separation");
    std::fs::write(&description, before).expect("written");
    system.display().to_string()
}

#[test]
fn without_a_separation_who_is_less_urgent_is_late() {
    let system = unpoliced("storm_unpoliced");
    let said = beryl(&["check", &system]).ended(0);
    assert!(!said.contains("enforced"), "what is believed is proved all the same: {said}");
    let simulated = Run::of("sim", &system, "storm_unpoliced", &["--for", "100ms", "--fault", STORM]);
    let on_board = Run::of("run", &system, "storm_unpoliced", &["--for", "100ms"]);
    for run in [&simulated, &on_board] {
        assert_eq!(run.ran.code, Some(1), "{:?}", run.ran);
        let [_, completed, missed] = run.jobs();
        assert!(completed <= 3 && missed >= 7, "{completed} completed, {missed} missed");
    }
}
