//! Everything that lasts for a while besides threads: modes of modules, held locks, served interrupts, and
//! gaps in the trace. Each has a lane of its own in every view.

use std::collections::BTreeMap;

use beryl_abi::{Instant, Line, ProgramId, SemaphoreId};

use crate::coverage::gaps;
use crate::event::{Event, Happening};
use crate::modes::Modes;
use crate::names::Names;
use crate::waits::Held;
use beryl_abi::DecodedNote;

/// The subject of a lane, in display order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subject {
    /// The trace itself, where notes were lost.
    Lost,
    /// The modes of a module.
    Modes(ProgramId),
    /// A binary semaphore.
    Lock(SemaphoreId),
    /// An interrupt.
    Interrupt(Line),
}

impl Subject {
    /// The heading for lanes of its kind.
    #[must_use]
    pub fn heading(self) -> &'static str {
        match self {
            Subject::Lost => "not told",
            Subject::Modes(_) => "modes",
            Subject::Lock(_) => "locks",
            Subject::Interrupt(_) => "interrupts",
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self, names: &Names) -> String {
        match self {
            Subject::Lost => "lost notes".to_owned(),
            Subject::Modes(program) => names.program(program),
            Subject::Lock(lock) => names.lock(lock),
            Subject::Interrupt(line) => names.interrupt(line),
        }
    }
}

/// A stretch of time in a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The lane's subject.
    pub subject: Subject,
    /// When it begins.
    pub from: Instant,
    /// When it ends.
    pub to: Instant,
    /// A label of a word or two: the mode, the thread that holds or serves.
    pub label: String,
}

impl Span {
    /// A full description.
    #[must_use]
    pub fn words(&self) -> String {
        let label = &self.label;
        match self.subject {
            Subject::Lost => label.clone(),
            Subject::Modes(_) => format!("in mode {label}"),
            Subject::Lock(_) => format!("held by {label}"),
            Subject::Interrupt(_) => format!("served by {label}"),
        }
    }
}

/// All stretches of a trace, ordered by beginning. In an undamaged trace, those of one subject don't overlap.
#[must_use]
pub fn stretches(events: &[Event], holds: &[Held], names: &Names) -> Vec<Span> {
    let mut all = modes(events, names);
    all.extend(gaps(events).into_iter().map(|gap| Span {
        subject: Subject::Lost,
        from: gap.from,
        to: gap.to,
        label: gap.words(),
    }));
    all.extend(holds.iter().map(|held| Span {
        subject: Subject::Lock(held.lock),
        from: held.from,
        to: held.to,
        label: names.thread(held.thread),
    }));
    all.extend(served(events, names));
    all.sort_by_key(|stretch| (stretch.from, stretch.subject));
    all
}

fn modes(events: &[Event], names: &Names) -> Vec<Span> {
    let stretches = Modes::of(events, names).stretches.into_iter();
    let stretch = |one: crate::modes::InMode| Span {
        subject: Subject::Modes(one.program),
        from: one.from,
        to: one.to,
        label: names.mode(one.program, one.mode),
    };
    stretches.map(stretch).collect()
}

/// From an interrupt until its thread is done with it, or to the end of the trace.
fn served(events: &[Event], names: &Names) -> Vec<Span> {
    let mut open: BTreeMap<u16, (Instant, String)> = BTreeMap::new();
    let mut stretches = Vec::new();
    let mut close = |line: u16, (from, label): (Instant, String), to: Instant| {
        stretches.push(Span { subject: Subject::Interrupt(Line(line)), from, to, label });
    };
    for event in events {
        match event.happening {
            Happening::Note(DecodedNote::Interrupt { thread, line }) if thread.is_some() => {
                if let Some(before) = open.insert(line.0, (event.time, names.thread(thread))) {
                    close(line.0, before, event.time);
                }
            }
            Happening::Note(DecodedNote::Acknowledge { line, .. }) => {
                if let Some(begun) = open.remove(&line.0) {
                    close(line.0, begun, event.time);
                }
            }
            _ => {}
        }
    }
    let end = events.last().map_or(Instant::START, |event| event.time);
    open.into_iter().for_each(|(line, begun)| close(line, begun, end));
    stretches
}
