//! The timeline of a schedule that never ran: a counter-example of the analysis, from plain data.

use beryl_abi::Instant;

use super::{Arrows, Group, Interval, Row, Timeline, Trouble, gaps};
use crate::clock::Tick;

/// A row has the processor from `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The index of the row.
    pub row: usize,
    /// When it gets the processor.
    pub from: Instant,
    /// When it loses it.
    pub to: Instant,
}

/// A relevant instant of one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The index of the row.
    pub row: usize,
    /// The instant.
    pub at: Instant,
}

impl Timeline {
    /// A schedule from plain data. The n-th release of a row belongs to its n-th deadline. A row is ready
    /// from a release until its last segment before the next release, or until it misses its deadline. The
    /// window spans all given instants. Rows that don't exist are ignored.
    #[must_use]
    pub fn from_segments(
        title: &str,
        tick: Tick,
        rows: &[String],
        segments: &[Segment],
        releases: &[Mark],
        deadlines: &[Mark],
        miss: Option<Mark>,
    ) -> Timeline {
        let marks = releases.iter().chain(deadlines).chain(&miss).map(|mark| mark.at);
        let ends = segments.iter().flat_map(|segment| [segment.from, segment.to]);
        let named: Vec<Instant> = marks.chain(ends).collect();
        let from = named.iter().min().copied().unwrap_or_default();
        let to = named.iter().max().copied().unwrap_or_default();
        let schedule = Schedule { segments, releases, deadlines, miss };
        let rows = rows.iter().enumerate().map(|(index, name)| schedule.row(index, name)).collect();
        let groups = vec![Group { name: String::new(), rows }];
        Timeline {
            title: title.to_owned(),
            tick,
            from,
            to,
            groups,
            drivers: Vec::new(),
            troubles: Vec::new(),
            gaps: Vec::new(),
            arrows: Arrows::Wakes,
            wakes: Vec::new(),
        }
    }
}

struct Schedule<'a> {
    segments: &'a [Segment],
    releases: &'a [Mark],
    deadlines: &'a [Mark],
    miss: Option<Mark>,
}

impl Schedule<'_> {
    fn row(&self, index: usize, name: &str) -> Row {
        let instants = |marks: &[Mark]| {
            let mut instants: Vec<Instant> =
                marks.iter().filter(|mark| mark.row == index).map(|mark| mark.at).collect();
            instants.sort_unstable();
            instants
        };
        let (releases, deadlines) = (instants(self.releases), instants(self.deadlines));
        let segments = self.segments.iter().filter(|segment| segment.row == index);
        let mut running: Vec<Interval> =
            segments.filter_map(|segment| Interval::new(segment.from, segment.to)).collect();
        running.sort_unstable_by_key(|interval| interval.from);
        let miss = self.miss.filter(|miss| miss.row == index).map(|miss| miss.at);
        Row {
            name: name.to_owned(),
            preempted: waiting(&releases, &running, miss),
            logical: releases
                .iter()
                .zip(&deadlines)
                .filter_map(|(from, to)| Interval::new(*from, *to))
                .collect(),
            completions: Vec::new(),
            troubles: miss.map(missed).into_iter().collect(),
            running,
            releases,
            deadlines,
        }
    }
}

fn waiting(releases: &[Instant], running: &[Interval], miss: Option<Instant>) -> Vec<Interval> {
    let next = releases.iter().skip(1).copied().chain([Instant::NEVER]);
    let jobs = releases.iter().zip(next).filter_map(|(release, next)| {
        let last = running.iter().rev().find(|run| *release <= run.from && run.from < next).map(|run| run.to);
        let missed = miss.filter(|miss| *release < *miss && *miss <= next);
        Interval::new(*release, last.max(missed)?)
    });
    jobs.flat_map(|job| gaps(job, running)).collect()
}

fn missed(at: Instant) -> Trouble {
    Trouble {
        at,
        label: "deadline missed".to_owned(),
        words: "deadline missed: the job can't be done by then".to_owned(),
    }
}
