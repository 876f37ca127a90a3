//! A supervisor that hears of a task that takes too long, and has another do its work: in the simulator and on the board.

use std::sync::LazyLock;

use beryl_trace::{Event, Happening};
use common::run::Run;
use common::{beryl, example};

mod common;

static SIMULATED: LazyLock<Run> = LazyLock::new(|| run_of("sim"));
static ON_BOARD: LazyLock<Run> = LazyLock::new(|| run_of("run"));

fn run_of(command: &str) -> Run {
    Run::of(command, &example("warden"), "warden", &["--for", "60ms"])
}

impl Run {
    /// What the valve was set to.
    fn valve(&self) -> Vec<i32> {
        let written = |event: &Event| match &event.happening {
            Happening::Driver { driver, value, .. } if self.names.driver(*driver) == "valve" => {
                value.as_slice().first_chunk().map(|bytes| i32::from_le_bytes(*bytes))
            }
            _ => None,
        };
        self.events.iter().filter_map(written).collect()
    }

    /// Whose jobs were released, from the first on.
    fn released(&self, who: &str) -> usize {
        let is_release = |event: &&Event| matches!(event.happening, Happening::Release { task, .. } if self.names.thread(task) == who);
        self.events.iter().filter(is_release).count()
    }
}

#[test]
fn what_took_too_long_is_replaced_from_the_next_period_on() {
    for run in [&SIMULATED, &ON_BOARD] {
        assert_eq!(run.ran.code, Some(1), "{:?}", run.ran);
        // The guess before stands for the one that is lost; then come those of the simple task.
        assert_eq!(run.valve(), [0, 1, 10_002, 20_003, 7_004, 7_005], "{:?}", run.ran);
        assert_eq!((run.released("guess"), run.released("simple")), (3, 3));
    }
}

#[test]
fn check_says_how_often_the_supervisor_is_told() {
    let said = beryl(&["check", &example("warden")]).ended(0);
    assert!(said.contains("  enforced: `warden` is woken no more often than its separation says"), "{said}");
    assert!(said.contains("mailbox reports of warden: 8 messages of 8 bytes"), "{said}");
}
