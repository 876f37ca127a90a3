//! Timelines: a window of a run as rows that can be drawn, in a terminal or as SVG.

mod from_trace;
pub mod ruler;
mod segments;
pub mod svg;

pub mod terminal;
pub mod window;

pub use segments::{Mark, Segment};

use beryl_abi::Instant;

use crate::clock::{LogicalInstant, Tick};
use crate::coverage::Gap;
use crate::names::DriverKind;
use ruler::Unit;

/// Of more troubles than these, a drawing tells only the number.
const TROUBLES_SHOWN: usize = 8;

/// And of more gaps than these.
const GAPS_SHOWN: usize = 3;

/// A window of a run. All that is in it lies between `from` and `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// What is shown: the name of the system, or of the counter-example.
    pub title: String,
    /// How long a tick of its instants lasts.
    pub tick: Tick,
    /// The first instant of the window.
    pub from: Instant,
    /// The end of the window; only deadlines and misses are still shown at this instant.
    pub to: Instant,
    /// The threads, by process.
    pub groups: Vec<Group>,
    /// The drivers that ran in the window: sensors, then actuators, then copies and guards.
    pub drivers: Vec<DriverRow>,
    /// What went wrong without a thread to blame.
    pub troubles: Vec<Trouble>,
    /// Where the trace has lost something.
    pub gaps: Vec<Gap>,
}

/// The threads of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The process; empty if there is nothing to name.
    pub name: String,
    /// Its threads.
    pub rows: Vec<Row>,
}

/// What one thread did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The thread.
    pub name: String,
    /// When it had the processor.
    pub running: Vec<Interval>,
    /// When it wanted the processor and didn't have it.
    pub preempted: Vec<Interval>,
    /// Logical execution times: from a release to its deadline.
    pub logical: Vec<Interval>,
    /// The instants at which jobs were released.
    pub releases: Vec<Instant>,
    /// The deadlines.
    pub deadlines: Vec<Instant>,
    /// The instants at which jobs ended by themselves.
    pub completions: Vec<Instant>,
    /// What went wrong.
    pub troubles: Vec<Trouble>,
}

/// A stretch of time, `from` before `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Its first instant.
    pub from: Instant,
    /// Its end.
    pub to: Instant,
}

/// Something that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// When.
    pub at: Instant,
    /// What, in a word or two.
    pub label: String,
    /// What, in full.
    pub words: String,
}

/// What one driver did, or all copies and guards together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverRow {
    /// The sensor or actuator.
    pub name: String,
    /// What the driver does.
    pub kind: DriverKind,
    /// When it was carried out, in logical time.
    pub marks: Vec<DriverMark>,
}

/// A driver, carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverMark {
    /// The logical instant.
    pub at: Instant,
    /// The value that it moved, readable.
    pub value: String,
}

impl Timeline {
    /// The logical instant of `instant`.
    fn logical(&self, instant: Instant) -> LogicalInstant {
        self.tick.logical(instant)
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// All that went wrong, in the order of time, each with the row's name before it.
    fn all_troubles(&self) -> Vec<(Instant, String)> {
        let of_row = |row: &Row, trouble: &Trouble| (trouble.at, format!("{}: {}", row.name, trouble.words));
        let of_rows =
            self.rows().flat_map(|row| row.troubles.iter().map(move |trouble| of_row(row, trouble)));
        let others = self.troubles.iter().map(|trouble| (trouble.at, trouble.words.clone()));
        let mut all: Vec<_> = of_rows.chain(others).collect();
        all.sort_by_key(|(at, _)| *at);
        all
    }

    fn subtitle(&self) -> String {
        let (from, to) = (self.logical(self.from), self.logical(self.to));
        let length = to.since(from).number();
        let unit = Unit::of(if length == 0 { to.nanoseconds() } else { length / 4 }, to);
        format!("{} to {} {}", unit.number(from), unit.number(to), unit.name())
    }

    /// What is missing, gap by gap, the first few.
    fn all_gaps(&self) -> Vec<(Instant, String)> {
        let told = self.gaps.iter().take(GAPS_SHOWN).map(|gap| {
            let until = self.logical(gap.to.min(self.to));
            (gap.from.max(self.from), format!("{} up to {until}", gap.words()))
        });
        let rest = self.gaps.get(GAPS_SHOWN).map(|gap| {
            (
                gap.from,
                format!("and {} more stretches of which notes were lost", self.gaps.len() - GAPS_SHOWN),
            )
        });
        told.chain(rest).collect()
    }
}

impl Interval {
    /// From `from` to `to`; nothing if that is no time at all.
    #[must_use]
    pub fn new(from: Instant, to: Instant) -> Option<Interval> {
        (from < to).then_some(Interval { from, to })
    }

    /// The part of it that lies between two instants.
    fn clipped(self, from: Instant, to: Instant) -> Option<Interval> {
        Interval::new(self.from.max(from), self.to.min(to))
    }
}

/// The parts of `whole` that none of `parts` covers; `parts` are in order and don't overlap.
fn gaps(whole: Interval, parts: &[Interval]) -> Vec<Interval> {
    let mut gaps = Vec::new();
    let mut reached = whole.from;
    for part in parts.iter().filter_map(|part| part.clipped(whole.from, whole.to)) {
        gaps.extend(Interval::new(reached, part.from));
        reached = reached.max(part.to);
    }
    gaps.extend(Interval::new(reached, whole.to));
    gaps
}

/// The first `width` characters of a text, the last of them `ellipsis` if that isn't all.
fn shortened(text: &str, width: usize, ellipsis: char) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain([ellipsis]).collect()
}
