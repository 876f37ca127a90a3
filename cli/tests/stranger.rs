//! Who asks for what it has no right to is refused, counted and told by name; in the simulator and on the board.

use std::sync::LazyLock;

use beryl_abi::Incident;
use beryl_trace::{DecodedNote, Event, Happening, Statistics};
use common::run::Run;
use common::{beryl, root};

mod common;

static RUNS: LazyLock<[Run; 2]> = LazyLock::new(|| {
    ["sim", "run"].map(|command| Run::of(command, &stranger(), "stranger", &["--for", "50ms"]))
});

fn stranger() -> String {
    root().join("kernel/boards/mps2-an385/stranger").display().to_string()
}

impl Run {
    /// What the warden has heard: which incident, and how often it had happened.
    fn heard(&self) -> Vec<(u16, u32)> {
        let told = |event: &Event| match event.happening {
            Happening::Note(DecodedNote::Event { event, value, .. }) => Some((event, value)),
            _ => None,
        };
        self.events.iter().filter_map(told).collect()
    }
}

#[test]
fn a_run_says_who_was_refused_and_which_right_is_missing() {
    for run in RUNS.iter() {
        assert_eq!(run.ran.code, Some(0), "{:?}", run.ran);
        let said = &run.ran.out;
        let lines = [
            "  guest sends to mailbox safe, 15 times",
            "    if it should, add \"safe.send\" to the `uses` of `guest`",
        ];
        for line in lines {
            assert!(said.lines().any(|own| own == line), "{line}\n{said}");
        }
        assert!(!said.contains("host receives") && !said.contains("guest sends to mailbox door"), "{said}");
    }
}

#[test]
fn statistics_have_a_line_for_each_thread_and_thing() {
    for run in RUNS.iter() {
        let lacked = Statistics::of(&run.events, &run.names).lacked;
        let rows: Vec<_> =
            lacked.iter().map(|row| (row.thread.as_str(), row.asked.as_str(), row.times)).collect();
        assert_eq!(rows, [("guest", "sends to mailbox safe", 15)]);
    }
}

#[test]
fn a_supervisor_hears_of_all_of_it() {
    for run in RUNS.iter() {
        let heard = run.heard();
        assert!(heard.iter().all(|(what, _)| *what == Incident::Refusal as u16), "{heard:?}");
        assert_eq!(heard.iter().map(|(_, count)| count).sum::<u32>(), 15, "{heard:?}");
        // Its gate opens every 5 ms at most, so one report counts several.
        assert!((5..=10).contains(&heard.len()), "{heard:?}");
    }
}

#[test]
fn check_charges_what_telling_takes() {
    let said = beryl(&["check", &stranger()]).ended(0);
    assert!(said.contains("mailbox reports of warden: 4 messages of 8 bytes"), "{said}");
    assert!(said.contains("  time-safe: every job of `warden` completes by its deadline"), "{said}");
}
