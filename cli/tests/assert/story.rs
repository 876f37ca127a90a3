//! What happens to threads, as lines that say when and what.

use beryl_trace::{DecodedNote, Event, Happening};

use crate::common::run::Run;

/// When, in nanoseconds, and what.
#[derive(Clone, PartialEq, Eq)]
pub struct Line {
    pub at: u64,
    pub what: String,
}

impl Line {
    pub fn new(at: u64, what: &str) -> Line {
        Line { at, what: what.to_owned() }
    }
}

impl std::fmt::Debug for Line {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.at, self.what)
    }
}

/// All that is told of a thread, of these kinds.
pub fn lines(run: &Run, thread: &str, kinds: &[&str]) -> Vec<Line> {
    let line = |event: &Event| {
        let (who, what) = told(run, event)?;
        let is_wanted = who == thread && kinds.iter().any(|kind| what.starts_with(kind));
        is_wanted.then(|| Line { at: run.at(event.time), what })
    };
    run.events.iter().filter_map(line).collect()
}

fn told(run: &Run, event: &Event) -> Option<(String, String)> {
    let (thread, what) = match event.happening {
        Happening::Release { task, .. } => (task, "released".to_owned()),
        Happening::Complete { task } => (task, "done".to_owned()),
        Happening::Miss { task, .. } | Happening::Violation { task, .. } => (task, "late".to_owned()),
        Happening::Switch { to, .. } => (to, "runs".to_owned()),
        Happening::Fault { thread, .. } => (thread, "stopped".to_owned()),
        Happening::Note(DecodedNote::Budget { thread, .. }) => (thread, "used up".to_owned()),
        Happening::Note(DecodedNote::Message { thread, passed, object }) => {
            (thread, format!("message {passed:?} {object}"))
        }
        Happening::Note(DecodedNote::Event { event, value, thread }) => {
            (thread, format!("says {event} {value}"))
        }
        _ => return None,
    };
    Some((run.names.thread(thread), what))
}

pub fn words(lines: &[Line]) -> Vec<&str> {
    lines.iter().map(|line| line.what.as_str()).collect()
}

/// In the simulator there are exactly these lines; on the board the same ones, each at most so much later.
pub fn assert_told(runs: &[Run; 2], thread: &str, kinds: &[&str], expected: &[Line], later: u64) {
    let [simulated, on_board] = runs.each_ref().map(|run| lines(run, thread, kinds));
    assert_eq!(simulated, expected);
    assert_eq!(words(&on_board), words(expected), "{on_board:#?}");
    for (seen, expected) in on_board.iter().zip(expected) {
        let is_there = (expected.at..=expected.at + later).contains(&seen.at);
        assert!(is_there, "{seen:?} isn't within {later} ns of {expected:?}");
    }
}

/// How much a thread had used, in ticks, each time that a budget was used up.
pub fn used(run: &Run, thread: &str) -> Vec<u64> {
    let used = |event: &Event| match event.happening {
        Happening::Note(DecodedNote::Budget { thread: who, used, .. }) if run.names.thread(who) == thread => {
            Some(used.ticks())
        }
        _ => None,
    };
    run.events.iter().filter_map(used).collect()
}
