//! What threads asked for without a right to it: of which object, how often, and which right would have to be given.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Statistics;
use crate::event::{Event, Happening};
use crate::names::Names;
use crate::table::table;
use beryl_abi::DecodedNote;

/// Something that a thread asked for, and that it has no right to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LackedStatistics {
    /// The thread.
    pub thread: String,
    /// What it did.
    pub asked: String,
    /// How often.
    pub times: usize,
    /// What to add to its `uses` if it should have the right.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
}

impl LackedStatistics {
    /// What to do if that is meant.
    #[must_use]
    pub fn proposal(&self) -> Option<String> {
        let right = self.right.as_ref()?;
        Some(format!("if it should, add \"{right}\" to the `uses` of `{}`", self.thread))
    }
}

/// A line for each thread and each thing that it asked for, by their numbers.
pub(super) fn lacked(events: &[Event], names: &Names) -> Vec<LackedStatistics> {
    let mut found: BTreeMap<(u8, u8, u8), usize> = BTreeMap::new();
    for event in events {
        if let Happening::Note(DecodedNote::Lack { thread, call, object }) = event.happening {
            *found.entry((thread.0, call, object)).or_default() += 1;
        }
    }
    let line = |((thread, call, object), times)| {
        let thread = beryl_abi::ThreadId(thread);
        let lack = names.lack(thread, call, object);
        LackedStatistics { thread: names.thread(thread), asked: lack.asked, times, right: lack.right }
    };
    found.into_iter().map(line).collect()
}

impl Statistics {
    /// The table of what threads have no right to.
    #[must_use]
    pub fn lacked_table(&self) -> String {
        let row = |row: &LackedStatistics| {
            let proposal = row.proposal().unwrap_or_default();
            [row.thread.clone(), row.asked.clone(), row.times.to_string(), proposal]
        };
        let rows: Vec<_> = self.lacked.iter().map(row).collect();
        table(["thread", "asked for without a right", "times", "proposal"], &rows)
    }
}

#[cfg(test)]
mod tests {
    use beryl_abi::{CallNumber, Instant, ThreadId};

    use super::*;

    #[test]
    fn each_thread_and_each_thing_has_a_line_with_the_right_that_is_missing() {
        let mut names = Names::parse(include_str!("../../tests/names.json")).expect("names");
        names.objects.mailboxes = vec!["log".to_owned()];
        let lack = |thread, call: CallNumber, object| Event {
            time: Instant::START,
            happening: Happening::Note(DecodedNote::Lack {
                thread: ThreadId(thread),
                call: call as u8,
                object,
            }),
        };
        let events = [
            lack(1, CallNumber::MailboxSend, 0),
            lack(0, CallNumber::MailboxSend, 9),
            lack(1, CallNumber::MailboxSend, 0),
            lack(1, CallNumber::MailboxReceive, 0),
            lack(0, CallNumber::TraceRead, 0),
        ];
        let rows = Statistics::of(&events, &names).lacked;
        let told: Vec<_> = rows
            .iter()
            .map(|row| {
                format!("{} {} {} {}", row.thread, row.asked, row.times, row.proposal().unwrap_or_default())
            })
            .collect();
        assert_eq!(
            told,
            [
                "navigate sends to mailbox 9 1 ",
                "navigate reads the trace buffer 1 if it should, add \"trace\" to the `uses` of `navigate`",
                "command sends to mailbox log 2 if it should, add \"log.send\" to the `uses` of `command`",
                "command receives from mailbox log 1 if it should, add \"log.receive\" to the `uses` of `command`",
            ]
        );
    }
}
