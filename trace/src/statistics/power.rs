//! How deep the processor slept, and for how long.

use std::collections::BTreeMap;

use beryl_abi::{DecodedNote, Duration, Instant};
use serde::Serialize;

use super::Statistics;
use crate::clock::Nanoseconds;
use crate::event::{Event, Happening};
use crate::names::Names;
use crate::table::table;

/// A depth in which the processor slept at least once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SleepStatistics {
    /// Its name.
    pub depth: String,
    /// How often.
    pub times: usize,
    /// How long altogether. Each sleep lasts until anything else happens, the time to wake included.
    #[serde(rename = "asleep_ns")]
    pub asleep: Nanoseconds,
    /// Its share of the whole time, from 0 to 1.
    pub share: f64,
    /// The longest time at once.
    #[serde(rename = "longest_ns")]
    pub longest: Nanoseconds,
}

/// A line for each depth, the lightest first.
pub(super) fn sleeps(
    events: &[Event],
    (start, end): (Instant, Instant),
    names: &Names,
) -> Vec<SleepStatistics> {
    let mut found: BTreeMap<u8, Vec<Duration>> = BTreeMap::new();
    for (index, event) in events.iter().enumerate() {
        if let Happening::Note(DecodedNote::Sleep { depth, .. }) = event.happening {
            let until = events.get(index + 1).map_or(end, |next| next.time);
            found.entry(depth).or_default().push(until.since(event.time));
        }
    }
    let whole = end.since(start).ticks().max(1);
    let line = |(depth, sleeps): (u8, Vec<Duration>)| {
        let asleep = sleeps.iter().copied().fold(Duration::ZERO, Duration::plus);
        SleepStatistics {
            depth: names.depth(depth),
            times: sleeps.len(),
            asleep: names.tick.length(asleep),
            share: asleep.ticks() as f64 / whole as f64,
            longest: names.tick.length(sleeps.into_iter().max().unwrap_or_default()),
        }
    };
    found.into_iter().map(line).collect()
}

impl Statistics {
    /// The table of sleeps by depth.
    #[must_use]
    pub fn sleep_table(&self) -> String {
        let rows = self.sleeps.iter().map(|row| {
            let share = format!("{:.2} %", row.share * 100.0);
            [row.depth.clone(), row.times.to_string(), row.asleep.to_string(), share, row.longest.to_string()]
        });
        table(["depth", "times", "asleep", "share", "longest"], &rows.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use beryl_abi::{Instant, ThreadId};

    use super::*;

    #[test]
    fn a_sleep_lasts_until_anything_else_happens() {
        let mut names = Names::parse(include_str!("../../tests/names.json")).expect("names");
        names.depths = vec!["stop".to_owned()];
        let sleep = |time, depth| Event {
            time: Instant::from_ticks(time),
            happening: Happening::Note(DecodedNote::Sleep { thread: ThreadId(4), depth, left: 100 }),
        };
        let wake = Event {
            time: Instant::from_ticks(700),
            happening: Happening::Note(DecodedNote::Wake { thread: ThreadId(0) }),
        };
        let events = [sleep(0, 1), sleep(500, 0), wake, sleep(800, 1), sleep(1000, 1)];
        let lines: Vec<_> =
            Statistics::of(&events, &names).sleep_table().lines().map(str::to_owned).collect();
        assert_eq!(
            lines,
            [
                "depth  times  asleep    share  longest",
                "light      1    8 us  20.00 %     8 us",
                "stop       3   28 us  70.00 %    20 us",
            ]
        );
    }
}
