//! The timelines of several nodes as one: the same window of all, and what goes from one to another.

use beryl_abi::Instant;

use super::{Arrows, DriverRow, Group, Interval, Row, Timeline, Trouble, Woken};
use crate::clock::{LogicalInstant, Nanoseconds, Tick};
use crate::coverage::Gap;

/// What a thread of one part sends to threads of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The number of the sender's part, and its name there.
    pub from: (usize, String),
    /// Who reads.
    pub to: Vec<(usize, String)>,
    /// How long behind its release what it sends counts.
    pub counts_after: Nanoseconds,
}

impl Timeline {
    /// The timelines of a run of several nodes, each with its name, on one axis, in the ticks of the first. An arrow leads from
    /// where a job has sent something to the first release of a reader for which that counts.
    #[must_use]
    pub fn together(
        title: String,
        parts: Vec<(String, Timeline)>,
        crossings: &[Crossing],
    ) -> Option<Timeline> {
        let tick = parts.first()?.1.tick;
        let parts: Vec<_> = parts.into_iter().map(|(name, part)| (name, part.in_ticks(tick))).collect();
        let (from, to) = (parts.first()?.1.from, parts.iter().map(|(_, part)| part.to).max()?);
        let messages = messages(&parts, crossings, tick);
        let mut whole = Timeline {
            title,
            tick,
            from,
            to,
            groups: Vec::new(),
            drivers: Vec::new(),
            troubles: Vec::new(),
            gaps: Vec::new(),
            arrows: Arrows::Messages,
            wakes: messages,
        };
        for (name, part) in parts {
            let named = |own: String| if own.is_empty() { name.clone() } else { format!("{name}: {own}") };
            let groups = part.groups.into_iter().map(|group| Group { name: named(group.name), ..group });
            whole.groups.extend(groups);
            let drivers = part.drivers.into_iter().map(|row| DriverRow { name: named(row.name), ..row });
            whole.drivers.extend(drivers);
            let troubles =
                part.troubles.into_iter().map(|trouble| Trouble { words: named(trouble.words), ..trouble });
            whole.troubles.extend(troubles);
            whole.gaps.extend(part.gaps);
        }
        whole.drivers.sort_by_key(|row| row.kind);
        Some(whole)
    }

    /// The same in other ticks.
    fn in_ticks(self, tick: Tick) -> Timeline {
        if self.tick == tick {
            return self;
        }
        let own = self.tick;
        let at = |instant: Instant| tick.instant(own.logical(instant));
        let all = |instants: Vec<Instant>| instants.into_iter().map(at).collect::<Vec<_>>();
        let spans = |spans: Vec<Interval>| {
            spans.into_iter().filter_map(|span| Interval::new(at(span.from), at(span.to))).collect::<Vec<_>>()
        };
        let troubled = |troubles: Vec<Trouble>| {
            troubles.into_iter().map(|trouble| Trouble { at: at(trouble.at), ..trouble }).collect::<Vec<_>>()
        };
        let row = |row: Row| Row {
            name: row.name,
            running: spans(row.running),
            preempted: spans(row.preempted),
            logical: spans(row.logical),
            releases: all(row.releases),
            deadlines: all(row.deadlines),
            completions: all(row.completions),
            troubles: troubled(row.troubles),
        };
        let driver = |row: DriverRow| {
            let marks = row.marks.into_iter().map(|mark| super::DriverMark { at: at(mark.at), ..mark });
            DriverRow { marks: marks.collect(), ..row }
        };
        Timeline {
            tick,
            from: at(self.from),
            to: at(self.to),
            groups: self
                .groups
                .into_iter()
                .map(|group| Group { rows: group.rows.into_iter().map(row).collect(), ..group })
                .collect(),
            drivers: self.drivers.into_iter().map(driver).collect(),
            troubles: troubled(self.troubles),
            gaps: self
                .gaps
                .into_iter()
                .map(|gap| Gap { from: at(gap.from), to: at(gap.to), ..gap })
                .collect(),
            arrows: self.arrows,
            wakes: self
                .wakes
                .into_iter()
                .map(|wake| Woken { at: at(wake.at), runs: at(wake.runs), ..wake })
                .collect(),
            title: self.title,
        }
    }
}

/// From each job that has sent something in the window to the releases that have it first. Of what a release could have, it has the
/// newest; so one arrow leads from one thread to a release of another.
fn messages(parts: &[(String, Timeline)], crossings: &[Crossing], tick: Tick) -> Vec<Woken> {
    // Rows are counted over all parts.
    let first = |part: usize| parts.iter().take(part).map(|(_, part)| part.rows().count()).sum::<usize>();
    let row = |(part, name): &(usize, String)| {
        let rows = &parts.get(*part)?.1;
        let (number, row) = rows.rows().enumerate().find(|(_, row)| row.name == *name)?;
        Some((first(*part) + number, row))
    };
    let mut messages: Vec<Woken> = Vec::new();
    for crossing in crossings {
        let Some((by, sender)) = row(&crossing.from) else { continue };
        for completion in &sender.completions {
            let Some(release) = sender.releases.iter().rev().find(|release| *release <= completion) else {
                continue;
            };
            let counts = tick.logical(*release).nanoseconds().saturating_add(crossing.counts_after.number());
            let counts = tick.instant(LogicalInstant::from_nanoseconds(counts));
            for reader in &crossing.to {
                let Some((row, reader)) = row(reader) else { continue };
                let Some(release) = reader.releases.iter().find(|release| **release >= counts) else {
                    continue;
                };
                messages.retain(|older| (older.by, older.row, older.runs) != (by, row, *release));
                messages.push(Woken { by, at: *completion, row, runs: *release });
            }
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(ticks: u64) -> Instant {
        Instant::from_ticks(ticks)
    }

    fn part(tick: u32, name: &str, releases: &[u64], completions: &[u64]) -> Timeline {
        let instants = |ticks: &[u64]| ticks.iter().copied().map(at).collect::<Vec<_>>();
        let row = Row {
            name: name.to_owned(),
            releases: instants(releases),
            completions: instants(completions),
            ..Row::default()
        };
        Timeline {
            title: name.to_owned(),
            tick: Tick::new(tick, 1).expect("a tick"),
            from: at(0),
            to: at(100),
            groups: vec![Group { name: "p".to_owned(), rows: vec![row] }],
            drivers: Vec::new(),
            troubles: vec![Trouble { at: at(7), label: "l".to_owned(), words: "w".to_owned() }],
            gaps: Vec::new(),
            arrows: Arrows::Wakes,
            wakes: Vec::new(),
        }
    }

    /// A job released at 20 is done at 25; what it sent counts at 40, that of the one before at 20; and the reader, whose ticks are twice as long, is
    /// released at 16, 36 and 44 of the sender's.
    #[test]
    fn arrows_lead_to_the_first_release_for_which_a_value_counts() {
        let sender = part(40, "s", &[0, 20], &[9, 25]);
        let reader = Timeline { to: at(50), ..part(80, "r", &[8, 18, 22], &[]) };
        let crossing = Crossing {
            from: (0, "s".to_owned()),
            to: vec![(1, "r".to_owned())],
            counts_after: Tick::new(40, 1).expect("a tick").length(beryl_abi::Duration::from_ticks(20)),
        };
        let parts = vec![("here".to_owned(), sender), ("there".to_owned(), reader)];
        let whole =
            Timeline::together("all".to_owned(), parts, std::slice::from_ref(&crossing)).expect("parts");
        assert_eq!(whole.arrows, Arrows::Messages);
        let arrow = |sent, has| Woken { by: 0, at: at(sent), row: 1, runs: at(has) };
        assert_eq!(whole.wakes, [arrow(9, 36), arrow(25, 44)]);
        let groups: Vec<_> = whole.groups.iter().map(|group| group.name.as_str()).collect();
        assert_eq!(groups, ["here: p", "there: p"]);
        assert_eq!(whole.groups[1].rows[0].releases, [16, 36, 44].map(at));
        let troubles: Vec<_> = whole.troubles.iter().map(|told| (told.at, told.words.as_str())).collect();
        assert_eq!(troubles, [(at(7), "here: w"), (at(14), "there: w")]);
        // What is older and counts by the same release isn't seen.
        let crossing = Crossing { counts_after: Nanoseconds::new(1), ..crossing };
        let parts = || {
            let reader = Timeline { to: at(50), ..part(80, "r", &[18, 22], &[]) };
            vec![("here".to_owned(), part(40, "s", &[0, 20], &[9, 25])), ("there".to_owned(), reader)]
        };
        let whole = Timeline::together("all".to_owned(), parts(), &[crossing]).expect("parts");
        assert_eq!(whole.wakes, [arrow(25, 36)]);
        assert!(Timeline::together("none".to_owned(), Vec::new(), &[]).is_none());
    }
}
