//! A task that doesn't come back: with a budget nobody is late for it, without one somebody is; in the simulator
//! and on the board.

use std::path::Path;
use std::sync::LazyLock;

use beryl_trace::{Event, Happening};
use common::run::Run;
use common::{beryl, change, copy, example, folder, lock};

mod common;

static SIMULATED: LazyLock<Run> = LazyLock::new(|| run_of("sim"));
static ON_BOARD: LazyLock<Run> = LazyLock::new(|| run_of("run"));

fn run_of(command: &str) -> Run {
    Run::of(command, &example("runaway"), "runaway", &["--for", "60ms"])
}

impl Run {
    /// When jobs of `guess` were found to have used more than they may, physically.
    fn overruns(&self) -> Vec<u64> {
        let is_overrun = |event: &&Event| matches!(event.happening, Happening::Overrun { .. });
        self.events.iter().filter(is_overrun).map(|event| self.at(event.time)).collect()
    }

    /// Who wasn't done when its result was due, and at which millisecond.
    fn violations(&self) -> Vec<(String, u64)> {
        let violation = |event: &Event| match event.happening {
            Happening::Violation { task, instant } => {
                Some((self.names.thread(task), self.at(instant) / 1_000_000))
            }
            _ => None,
        };
        let mut violations: Vec<_> = self.events.iter().filter_map(violation).collect();
        violations.dedup();
        violations
    }

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
}

#[test]
fn who_is_less_urgent_is_not_late_for_a_task_that_does_not_come_back() {
    for run in [&SIMULATED, &ON_BOARD] {
        assert_eq!(run.ran.code, Some(1), "{:?}", run.ran);
        assert_eq!(run.violations(), [("guess".to_owned(), 30)]);
        // The guess before stands for the one that is lost; nobody sees half a result.
        assert_eq!(run.valve(), [0, 1, 10_002, 20_003, 20_004, 40_005]);
    }
}

#[test]
fn it_is_seen_just_behind_the_last_tick_of_the_budget() {
    let [simulated, on_board] = [&SIMULATED, &ON_BOARD].map(|run| run.overruns());
    // In the simulator steps take no time; native drivers take theirs, 50 us.
    assert_eq!(simulated, [22_050_040]);
    // On the board the job begins a little later than its release, and steps take their time.
    let [seen] = on_board[..] else { panic!("{on_board:?}") };
    assert!((22_000_040..22_200_000).contains(&seen), "{seen}");
}

#[test]
fn check_says_what_is_enforced_and_what_is_believed() {
    let said = beryl(&["check", &example("runaway")]).ended(0);
    assert!(said.contains("  enforced: no job of `guess` takes longer than its worst"), "{said}");
    assert!(said.contains("  believed: neither does any of `steady`"), "{said}");
}

/// The example under another name, with other lines in its description.
fn changed(name: &str, lines: &[(&str, &str)]) -> String {
    let system = folder().join("systems").join(name);
    copy(Path::new(&example("runaway")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"runaway\"", &format!("name = \"{name}\""));
    let application = "application = \"../../../../examples/runaway/app\"";
    change(&description, "application = \"app\"", application);
    lines.iter().for_each(|(from, to)| change(&description, from, to));
    system.display().to_string()
}

#[test]
fn without_a_budget_who_is_less_urgent_is_late() {
    let _lock = lock("runaway_counted");
    let lines = [("on_overrun = \"end-job\"", "on_overrun = \"count\"")];
    let said = beryl(&["sim", &changed("runaway_counted", &lines), "--for", "60ms"]);
    assert!(said.out.contains("30 ms: time-safety violation: `steady` hadn't completed"), "{said:?}");
}

#[test]
fn what_the_proof_counts_for_ending_a_job_is_enough_where_little_is_left() {
    let _lock = lock("runaway_tight");
    // Of ten milliseconds hardly any is left, so nothing is charged for asking who waits.
    let tight = [("worst = \"4ms\"", "worst = \"7ms\""), ("waits = \"never\"\n", "")];
    let system = changed("runaway_tight", &tight);
    let proof = beryl(&["check", &system]).ended(0);
    let row = proof.lines().find(|line| line.trim_start().starts_with("steady")).expect("its row");
    let margin = row.split_whitespace().nth(8).and_then(|margin| margin.parse::<f64>().ok());
    assert!(margin.is_some_and(|margin| margin < 0.05), "{row}");
    // Each step of the kernel takes what the proof charges.
    let said = beryl(&["sim", &system, "--for", "60ms", "--costs", "worst"]);
    let late: Vec<_> = said.out.lines().filter(|line| line.contains("time-safety violation")).collect();
    assert!(late.len() == 1 && late[0].contains("`guess`"), "{said:?}");
}
