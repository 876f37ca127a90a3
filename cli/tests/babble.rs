//! A client that babbles: with limits nobody is late for it, without them somebody is; in the simulator and on the
//! board.

use std::path::Path;
use std::sync::LazyLock;

use beryl_abi::Passed;
use beryl_trace::{DecodedNote, Event, Happening, Statistics};
use common::run::Run;
use common::{beryl, change, copy, example, folder};

mod common;

static RUNS: LazyLock<[Run; 2]> = LazyLock::new(|| {
    ["sim", "run"].map(|command| Run::of(command, &example("babble"), "babble", &["--for", "100ms"]))
});

impl Run {
    /// When something became of messages or requests, in nanoseconds, by one of these threads.
    fn passed(&self, wanted: Passed, by: &[&str]) -> Vec<u64> {
        let is_wanted = |event: &&Event| match event.happening {
            Happening::Note(DecodedNote::Message { thread, passed, .. }) => {
                passed == wanted && by.contains(&self.names.thread(thread).as_str())
            }
            _ => false,
        };
        self.events.iter().filter(is_wanted).map(|event| self.at(event.time)).collect()
    }

    fn missed(&self) -> usize {
        self.events.iter().filter(|event| matches!(event.happening, Happening::Miss { .. })).count()
    }
}

/// In any stretch of so many nanoseconds there are at most so many.
fn assert_within(times: &[u64], most: usize, stretch: u64) {
    let distances = times.windows(most + 1).map(|some| some[most] - some[0]);
    assert!(distances.into_iter().all(|distance| distance >= stretch), "{times:?}");
}

#[test]
fn who_is_less_urgent_is_not_late_for_a_client_that_babbles() {
    for run in RUNS.iter() {
        assert_eq!(run.ran.code, Some(0), "{:?}", run.ran);
        assert_eq!((run.responses("steer").len(), run.missed()), (10, 0));
    }
}

#[test]
fn what_passes_is_what_its_limits_let_through_and_the_rest_is_refused_by_name() {
    for run in RUNS.iter() {
        let sent = run.passed(Passed::Sent, &["tell"]);
        assert_within(&sent, 1, 4_000_000);
        assert!((8..=25).contains(&sent.len()), "{}", sent.len());
        let asked = run.passed(Passed::Asked, &["listen"]);
        assert_within(&asked, 2, 10_000_000);
        assert!(asked.len() >= 14, "{}", asked.len());
        assert!(run.passed(Passed::SentBeyond, &["tell"]).len() > 300);
        assert!(run.passed(Passed::AskedBeyond, &["listen"]).len() > 100);
        assert!(run.passed(Passed::AskedBeyond, &["steer"]).is_empty());
        assert_eq!(run.passed(Passed::Asked, &["steer"]).len(), 10);
    }
}

#[test]
fn statistics_say_who_was_refused() {
    for run in RUNS.iter() {
        let table = Statistics::of(&run.events, &run.names).refused_table();
        let rows: Vec<_> =
            table.lines().skip(1).map(|row| row.rsplit_once(' ').expect("a count").0.trim()).collect();
        let words = |row: &str| row.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(
            rows.into_iter().map(words).collect::<Vec<_>>(),
            ["sends more than it may to mailbox log tell", "asks more than it may of endpoint wheel listen"],
            "{table}"
        );
    }
}

#[test]
fn check_says_what_clients_may_ask_together() {
    let said = beryl(&["check", &example("babble")]).ended(0);
    let lines = [
        "  time-safe: every job completes by its deadline",
        "  enforced: `record` is woken no more often than its separation says",
        "  enforced: `log` is asked by `radio` at most once in 4.000 ms",
        "  enforced: `wheel` is asked by `radio` at most 2 times in 10.000 ms, by `plant` at most 2 times in 10.000 ms; in \
         10.000 ms its server works 2.000 ms for them at most",
    ];
    for line in lines {
        assert!(said.lines().any(|own| own == line), "{line}\n{said}");
    }
}

/// The example under another name, without limits.
fn unlimited() -> String {
    let system = folder().join("systems/babble_unlimited");
    copy(Path::new(&example("babble")), &system);
    let description = system.join("beryl.toml");
    change(&description, "name = \"babble\"", "name = \"babble_unlimited\"");
    change(&description, "application = \"app\"", "application = \"../../../../examples/babble/app\"");
    let text = std::fs::read_to_string(&description).expect("the description");
    let lines = text.lines().filter(|line| !line.starts_with("limits."));
    std::fs::write(&description, lines.collect::<Vec<_>>().join("\n")).expect("written");
    system.display().to_string()
}

#[test]
fn without_limits_who_is_less_urgent_is_late() {
    let system = unlimited();
    let said = beryl(&["check", &system]).ended(0);
    assert!(!said.contains("enforced"), "what is believed is proved all the same: {said}");
    for command in ["sim", "run"] {
        let run = Run::of(command, &system, "babble_unlimited", &["--for", "100ms"]);
        assert_eq!(run.ran.code, Some(1), "{:?}", run.ran);
        assert!(run.missed() >= 5, "{} missed", run.missed());
    }
}
