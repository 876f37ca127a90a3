//! What came too early to a gate and was refused: to which object, and how often.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Statistics;
use crate::event::{Event, Happening};
use crate::names::Names;
use crate::table::table;
use beryl_abi::{DecodedNote, Passed};

/// An object to whose gate something came too early and was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EarlyStatistics {
    /// What was refused.
    pub refused: String,
    /// By which threads.
    pub by: Vec<String>,
    /// How often.
    pub times: usize,
}

/// A line for each object, by kind and number.
pub(super) fn early(events: &[Event], names: &Names) -> Vec<EarlyStatistics> {
    let mut found: BTreeMap<(u8, u8), EarlyStatistics> = BTreeMap::new();
    for event in events {
        if let Happening::Note(DecodedNote::Message { thread, passed, object }) = event.happening
            && is_early(passed)
        {
            let refused = names.passed(passed, object);
            let none = EarlyStatistics { refused, by: Vec::new(), times: 0 };
            let row = found.entry((passed as u8, object)).or_insert(none);
            row.times += 1;
            let by = names.thread(thread);
            if !row.by.contains(&by) {
                row.by.push(by);
            }
        }
    }
    found.into_values().collect()
}

fn is_early(passed: Passed) -> bool {
    matches!(passed, Passed::SentEarly | Passed::AskedEarly | Passed::NotifiedEarly | Passed::SetEarly)
}

impl Statistics {
    /// The table of what came too early.
    #[must_use]
    pub fn early_table(&self) -> String {
        let row = |row: &EarlyStatistics| [row.refused.clone(), row.by.join(", "), row.times.to_string()];
        table(["refused", "by", "times"], &self.early.iter().map(row).collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use beryl_abi::{Instant, ThreadId};

    use super::*;

    #[test]
    fn what_came_too_early_is_told_by_object() {
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
        ];
        let statistics = Statistics::of(&events, &names);
        let rows: Vec<_> = statistics.early.iter().map(|row| (row.refused.as_str(), row.times)).collect();
        assert_eq!(rows, [("sends too early to mailbox 7", 3), ("notifies too early notification 9", 1)]);
        assert_eq!(statistics.early[0].by, ["navigate", "command"]);
        assert_eq!(statistics.early_table().lines().count(), 3);
    }
}
