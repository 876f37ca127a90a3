//! A schedule of slices above the kernel, whose latency is calibrated away: in the simulator and on the board.

use std::fs;
use std::sync::LazyLock;

use beryl_trace::{DecodedNote, Happening};
use common::run::Run;
use common::{beryl, example, root};

mod common;

static SIMULATED: LazyLock<Run> = LazyLock::new(|| run_of("sim", &["--costs", "worst"]));
static ON_BOARD: LazyLock<Run> = LazyLock::new(|| run_of("run", &[]));

fn run_of(command: &str, options: &[&str]) -> Run {
    Run::of(command, &example("reflective"), "reflective", &[&["--for", "200ms"], options].concat())
}

const LATE: u16 = 1;
/// Slices before the first correction, and behind which nothing is left of the latency.
const CALIBRATED: usize = 20;
const SETTLED: usize = CALIBRATED + 12;
/// Whose the slices of a cycle are.
const SLICES: [u32; 4] = [0, 1, 0, 2];
const TICKS_A_MICROSECOND: f64 = 25.0;

impl Run {
    /// What is told: by slices, how many ticks too late each begins, and who works in it.
    fn slices(&self) -> Vec<(i32, Vec<u32>)> {
        let mut slices = Vec::new();
        for event in &self.events {
            let Happening::Note(DecodedNote::Event { event, value, .. }) = event.happening else { continue };
            match slices.last_mut() {
                _ if event == LATE => slices.push((value.cast_signed(), Vec::new())),
                Some((_, work)) => work.push(value),
                // Nobody has a slice yet.
                None => {}
            }
        }
        slices
    }

    /// The least and the most that slices were late, before the first correction and when nothing is left.
    fn late(&self) -> [(i32, i32); 2] {
        let late: Vec<_> = self.slices().into_iter().map(|(late, _)| late).collect();
        let ends = |late: &[i32]| {
            let ends = late.iter().min().zip(late.iter().max());
            ends.map(|(least, most)| (*least, *most)).expect("slices")
        };
        [ends(&late[..CALIBRATED]), ends(&late[SETTLED..])]
    }
}

/// In virtual time the error goes to nothing, and without calibration it stays what it is.
#[test]
fn the_latency_is_constant_until_it_is_calibrated_away() {
    let [(least, most), settled] = SIMULATED.late();
    assert!(least > 0 && least == most, "{least} to {most}");
    assert_eq!(settled, (0, 0));
    let [(least, most), (early, late)] = ON_BOARD.late();
    assert!(least > 1000 && most - least < least / 10, "{least} to {most}");
    assert!(early < 0 && late > 0 && late - early < least / 4, "{early} to {late}");
}

/// Nobody works in a slice of somebody else's.
#[test]
fn each_thread_works_in_its_slices_only() {
    for (machine, run) in [("sim", &SIMULATED), ("mps2-an385", &ON_BOARD)] {
        let slices = run.slices();
        assert_eq!(slices.len(), 76, "{machine}: nineteen cycles behind the first");
        for (number, (_, work)) in slices.iter().enumerate() {
            let whose = SLICES[number % SLICES.len()];
            assert!(work.len() >= 3 && work.iter().all(|who| *who == whose), "{machine}: {number}: {work:?}");
        }
    }
}

#[test]
fn the_scheduler_is_proved_and_counted_above_all_others() {
    let said = beryl(&["check", &example("reflective")]).ended(0);
    assert!(said.contains("time-safe: every job completes"), "{said}");
    assert!(said.contains("priorities may change: of `first` (2 to 5)"), "{said}");
}

/// The example's page says what is measured here.
#[test]
fn the_page_has_what_is_measured() {
    let page = fs::read_to_string(root().join("examples/reflective/README.md")).expect("a page");
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let [before, settled] = ON_BOARD.late().map(|(least, most)| {
        let [least, most] = [least, most].map(|ticks| f64::from(ticks) / TICKS_A_MICROSECOND);
        format!("{least:.1} to {most:.1} us")
    });
    let said = format!("{before} too late on the board, and {settled} with calibration");
    assert!(page.contains(&said), "{said}");
}
