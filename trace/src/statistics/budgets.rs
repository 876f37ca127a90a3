//! Used-up budgets: by which thread, and by how much.

use std::collections::BTreeMap;

use beryl_abi::{DriverId, Duration, ThreadId};
use serde::Serialize;

use super::Statistics;
use crate::clock::Nanoseconds;
use crate::event::{Event, Happening};
use crate::names::Names;
use crate::table::{cell, table};
use beryl_abi::DecodedNote;

/// A budget that was used up at least once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BudgetStatistics {
    /// The thread that used it up.
    pub thread: String,
    /// The native driver that the budget was for; `None` for the budget of the thread's jobs.
    pub driver: Option<String>,
    /// How often.
    pub times: usize,
    /// The limit of a job; `None` for drivers, which end at their budget, and for those who share one.
    #[serde(rename = "allowed_ns")]
    pub allowed: Option<Nanoseconds>,
    /// The highest use.
    #[serde(rename = "most_ns")]
    pub most: Nanoseconds,
}

/// A line for each budget that was used up, in the order of the threads.
pub(super) fn budgets(events: &[Event], names: &Names) -> Vec<BudgetStatistics> {
    let mut found: BTreeMap<(ThreadId, Option<DriverId>), (usize, Duration)> = BTreeMap::new();
    for event in events {
        if let Happening::Note(DecodedNote::Budget { thread, driver, used }) = event.happening {
            let (times, most) = found.entry((thread, driver)).or_default();
            (*times, *most) = (*times + 1, used.max(*most));
        }
    }
    let line = |((thread, driver), (times, most)): ((ThreadId, Option<DriverId>), (usize, Duration))| {
        let alone = names.known_thread(thread).filter(|known| !known.shares);
        let declared = alone.and_then(|known| known.declared);
        BudgetStatistics {
            thread: names.thread(thread),
            driver: driver.map(|driver| names.driver(driver)),
            times,
            allowed: declared.filter(|_| driver.is_none()).map(|declared| declared.worst),
            most: names.tick.length(most),
        }
    };
    found.into_iter().map(line).collect()
}

impl Statistics {
    /// The table of used-up budgets.
    #[must_use]
    pub fn budget_table(&self) -> String {
        let rows = self.budgets.iter().map(|row| {
            let of = row.driver.clone().unwrap_or_else(|| "its jobs".to_owned());
            [row.thread.clone(), of, row.times.to_string(), cell(row.allowed), row.most.to_string()]
        });
        table(["thread", "budget of", "times", "allowed", "most used"], &rows.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use beryl_abi::Instant;

    use super::*;

    #[test]
    fn budgets_are_told_by_thread_and_driver() {
        let names = Names::parse(include_str!("../../tests/names.json")).expect("names");
        let spent = |thread, driver: Option<u16>, ticks| Event {
            time: Instant::START,
            happening: Happening::Note(DecodedNote::Budget {
                thread: ThreadId(thread),
                driver: driver.map(DriverId),
                used: Duration::from_ticks(ticks),
            }),
        };
        let events = [spent(2, Some(1), 25), spent(0, None, 50), spent(0, None, 75), spent(2, Some(1), 20)];
        let statistics = Statistics::of(&events, &names);
        let lines: Vec<_> = statistics.budget_table().lines().map(str::to_owned).collect();
        assert_eq!(
            lines,
            [
                "thread         budget of  times  allowed  most used",
                "navigate        its jobs      2        -       3 us",
                "drivers   Navigation.gps      2        -       1 us",
            ]
        );
    }
}
