//! What was refused, since it came too early to a gate or was more than its client may ask: of which object, by whom,
//! and how often.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Statistics;
use crate::event::{Event, Happening};
use crate::names::Names;
use crate::table::table;
use beryl_abi::{DecodedNote, Passed, ThreadId};

/// An object of which something was refused; by each thread on its own, if each has limits of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedStatistics {
    /// What was refused.
    pub refused: String,
    /// By which threads.
    pub by: Vec<String>,
    /// How often.
    pub times: usize,
}

/// A line for each object, by kind and number, and for each thread where it is about what that one may ask.
pub(super) fn refused(events: &[Event], names: &Names) -> Vec<RefusedStatistics> {
    let mut found: BTreeMap<(u8, u8, u8), RefusedStatistics> = BTreeMap::new();
    for event in events {
        if let Happening::Note(DecodedNote::Message { thread, passed, object }) = event.happening
            && let Some(what) = Refused::of(passed)
        {
            let refused = names.passed(passed, object);
            let none = RefusedStatistics { refused, by: Vec::new(), times: 0 };
            let row = found.entry((passed as u8, object, what.whose(thread))).or_insert(none);
            row.times += 1;
            let by = names.thread(thread);
            if !row.by.contains(&by) {
                row.by.push(by);
            }
        }
    }
    found.into_values().collect()
}

/// Why something was refused.
enum Refused {
    /// It came too early, whoever sent it.
    Early,
    /// It was more than its client may ask.
    Beyond,
}

impl Refused {
    fn of(passed: Passed) -> Option<Refused> {
        match passed {
            Passed::SentEarly | Passed::AskedEarly | Passed::NotifiedEarly | Passed::SetEarly => {
                Some(Refused::Early)
            }
            Passed::SentBeyond | Passed::AskedBeyond => Some(Refused::Beyond),
            _ => None,
        }
    }

    /// The thread with which it is counted; all with the same if it doesn't matter which.
    fn whose(&self, thread: ThreadId) -> u8 {
        match self {
            Refused::Early => ThreadId::NONE.0,
            Refused::Beyond => thread.0,
        }
    }
}

impl Statistics {
    /// The table of what was refused.
    #[must_use]
    pub fn refused_table(&self) -> String {
        let row = |row: &RefusedStatistics| [row.refused.clone(), row.by.join(", "), row.times.to_string()];
        table(["refused", "by", "times"], &self.refused.iter().map(row).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use beryl_abi::Instant;

    use super::*;

    #[test]
    fn what_came_too_early_is_told_by_object_and_what_was_too_much_by_client_too() {
        let names = Names::parse(include_str!("../../tests/names.json")).expect("names");
        let message = |thread, passed, object| Event {
            time: Instant::START,
            happening: Happening::Note(DecodedNote::Message { thread: ThreadId(thread), passed, object }),
        };
        let events = [
            message(0, Passed::SentEarly, 7),
            message(1, Passed::Sent, 7),
            message(1, Passed::SentEarly, 7),
            message(0, Passed::NotifiedEarly, 9),
            message(0, Passed::SentEarly, 7),
            message(0, Passed::AskedBeyond, 3),
            message(1, Passed::AskedBeyond, 3),
            message(0, Passed::AskedBeyond, 3),
        ];
        let statistics = Statistics::of(&events, &names);
        let row = |row: &RefusedStatistics| (row.refused.clone(), row.by.join(", "), row.times);
        let rows: Vec<_> = statistics.refused.iter().map(row).collect();
        let told = |refused: &str, by: &str, times| (refused.to_owned(), by.to_owned(), times);
        assert_eq!(
            rows,
            [
                told("sends too early to mailbox 7", "navigate, command", 3),
                told("notifies too early notification 9", "navigate", 1),
                told("asks more than it may of endpoint 3", "navigate", 2),
                told("asks more than it may of endpoint 3", "command", 1),
            ]
        );
        assert_eq!(statistics.refused_table().lines().count(), 5);
    }
}
