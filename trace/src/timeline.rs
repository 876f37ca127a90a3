//! Timelines: a window of a run as rows for drawing, in a terminal or as SVG.

mod from_trace;
pub mod ruler;
mod segments;
pub mod svg;
mod together;

pub mod terminal;
pub mod window;

pub use segments::{Mark, Segment};
pub use together::Crossing;

use beryl_abi::Instant;

use crate::clock::{LogicalInstant, Tick};
use crate::coverage::Gap;
use crate::names::DriverKind;
use ruler::Unit;

/// If there are more troubles than this, a drawing shows only how many more.
const TROUBLES_SHOWN: usize = 8;

/// The same for gaps.
const GAPS_SHOWN: usize = 3;

/// A window of a run. Everything in it lies between `from` and `to`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The name of the system, or of the counter-example.
    pub title: String,
    /// The length of a tick of its instants.
    pub tick: Tick,
    /// The first instant of the window.
    pub from: Instant,
    /// The end of the window; only deadlines and misses are still shown at this instant.
    pub to: Instant,
    /// The threads, by process.
    pub groups: Vec<Group>,
    /// The drivers that ran in the window: sensors, then actuators, then copies and guards.
    pub drivers: Vec<DriverRow>,
    /// Trouble without a thread to blame.
    pub troubles: Vec<Trouble>,
    /// Where notes were lost.
    pub gaps: Vec<Gap>,
    /// What the arrows are.
    pub arrows: Arrows,
    /// Which threads woke which, or sent something to which.
    pub wakes: Vec<Woken>,
}

/// What the arrows of a timeline are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrows {
    /// A thread woke another one.
    #[default]
    Wakes,
    /// A job of one node sent something, and a job of another one has it from its release on.
    Messages,
}

impl Arrows {
    /// In legends: at whose row an arrow ends that comes from above, from below, and from anywhere; and that there are too many.
    fn words(self) -> [&'static str; 4] {
        match self {
            Arrows::Wakes => {
                ["woken from above", "woken from below", "woken by", "too many wake-ups to draw"]
            }
            Arrows::Messages => {
                ["sent from above", "sent from below", "sent by", "too many messages to draw"]
            }
        }
    }
}

/// A thread that another one woke, and that got the processor then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Woken {
    /// The row of the other one, counted over all groups.
    pub by: usize,
    /// When that did it.
    pub at: Instant,
    /// Its own row.
    pub row: usize,
    /// When it got the processor next.
    pub runs: Instant,
}

/// The threads of one process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The process; empty if it needs no name.
    pub name: String,
    /// Its threads.
    pub rows: Vec<Row>,
}

/// One thread's activity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// The thread.
    pub name: String,
    /// When it had the processor.
    pub running: Vec<Interval>,
    /// When it was ready but didn't have the processor.
    pub preempted: Vec<Interval>,
    /// Logical execution times: from a release to its deadline.
    pub logical: Vec<Interval>,
    /// The instants at which jobs were released.
    pub releases: Vec<Instant>,
    /// The deadlines.
    pub deadlines: Vec<Instant>,
    /// The instants at which jobs ended by themselves.
    pub completions: Vec<Instant>,
    /// The thread's trouble.
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

/// Trouble at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// When.
    pub at: Instant,
    /// A label of a word or two.
    pub label: String,
    /// A full sentence.
    pub words: String,
}

/// One driver's activity, or that of all copies or guards together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DriverRow {
    /// The sensor or actuator.
    pub name: String,
    /// What the driver does.
    pub kind: DriverKind,
    /// When it was carried out, in logical time.
    pub marks: Vec<DriverMark>,
}

/// One execution of a driver.
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

    /// The wake-ups, if no more than so many: more would cover everything.
    fn drawn_wakes(&self, most: usize) -> &[Woken] {
        if self.wakes.len() > most { &[] } else { &self.wakes }
    }

    /// All troubles in time order, each with its row's name.
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

    /// The first few gaps, in words.
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
    /// From `from` to `to`; `None` if it would be empty.
    #[must_use]
    pub fn new(from: Instant, to: Instant) -> Option<Interval> {
        (from < to).then_some(Interval { from, to })
    }

    /// The part between two instants.
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

/// The first `width` characters of a text; if that isn't all, the last of them is `ellipsis`.
fn shortened(text: &str, width: usize, ellipsis: char) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain([ellipsis]).collect()
}
