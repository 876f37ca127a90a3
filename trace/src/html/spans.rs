//! Waits, and what is held or served for a while: locks and interrupts, each in a lane of its own.

use std::collections::BTreeMap;

use beryl_abi::{Awaited, Instant, Line, SemaphoreId};
use serde_json::{Value, json};

use super::columns::Columns;
use crate::event::{Event, Happening};
use crate::jobs::History;
use crate::names::Names;
use crate::told::Told;

/// A page keeps so many stretches of locks and interrupts; of longer traces, the first.
const MOST_SPANS: usize = 200_000;

/// What has a lane. Locks come before interrupts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Held {
    Lock(SemaphoreId),
    Interrupt(Line),
}

/// A stretch of time in a lane.
struct Span {
    held: Held,
    from: Instant,
    to: Instant,
    words: String,
}

impl Columns {
    /// Waits, in the order of their ends: thread, end, length, owner of the lock, position of the words. Answers what was waited
    /// for, and what an owner does with it.
    pub(super) fn waits(&mut self, history: &History, names: &Names) -> Vec<[String; 2]> {
        // The wait for a release is none of a job.
        let waits: Vec<_> =
            history.waits.waits.iter().filter(|wait| wait.awaited != Awaited::Period).collect();
        let mut words = Words::default();
        self.count(waits.len());
        let mut before = Instant::START;
        for wait in waits {
            self.number(wait.thread.0.into());
            self.step(before, wait.to);
            self.number(wait.to.since(wait.from).ticks().into());
            self.number(wait.owner.map_or(0, |owner| u128::from(owner.0) + 1));
            let verb = if wait.awaited == Awaited::Semaphore { "has" } else { "serves" };
            let position = words.position([names.awaited(wait.awaited, wait.object), verb.to_owned()]);
            self.count(position);
            before = wait.to;
        }
        words.all
    }

    /// Locks that were held and interrupts that were served: lane, begin, length, position of the words. Answers the lanes and the
    /// words.
    pub(super) fn spans(
        &mut self,
        history: &History,
        events: &[Event],
        names: &Names,
    ) -> (Vec<Value>, Vec<String>) {
        let mut spans = held(history, names);
        spans.extend(served(events, names));
        spans.sort_by_key(|span| span.from);
        spans.truncate(MOST_SPANS);
        let kinds: BTreeMap<Held, usize> = spans.iter().map(|span| (span.held, 0)).collect();
        let numbers: BTreeMap<Held, usize> = kinds.keys().copied().zip(0..).collect();
        let mut words = Words::default();
        self.count(spans.len());
        let mut before = Instant::START;
        for span in spans {
            self.count(numbers.get(&span.held).copied().unwrap_or_default());
            self.step(before, span.from);
            self.number(span.to.since(span.from).ticks().into());
            self.count(words.position(span.words));
            before = span.from;
        }
        (lanes(&numbers, names), words.all)
    }
}

fn held(history: &History, names: &Names) -> Vec<Span> {
    let span = |held: &crate::waits::Held| Span {
        held: Held::Lock(held.lock),
        from: held.from,
        to: held.to,
        words: format!("held by {}", names.thread(held.thread)),
    };
    history.waits.holds.iter().map(span).collect()
}

/// From an interrupt to its thread's being done with it, or to the end of the trace.
fn served(events: &[Event], names: &Names) -> Vec<Span> {
    let mut open: BTreeMap<u16, (Instant, String)> = BTreeMap::new();
    let mut spans = Vec::new();
    let mut close = |line: u16, (from, words): (Instant, String), to: Instant| {
        spans.push(Span { held: Held::Interrupt(Line(line)), from, to, words });
    };
    for event in events {
        match event.happening {
            Happening::Note(Told::Interrupt { thread, line }) if thread.is_some() => {
                let words = format!("served by {}", names.thread(thread));
                if let Some(before) = open.insert(line.0, (event.time, words)) {
                    close(line.0, before, event.time);
                }
            }
            Happening::Note(Told::Acknowledge { line, .. }) => {
                if let Some(begun) = open.remove(&line.0) {
                    close(line.0, begun, event.time);
                }
            }
            _ => {}
        }
    }
    let end = events.last().map_or(Instant::START, |event| event.time);
    open.into_iter().for_each(|(line, begun)| close(line, begun, end));
    spans
}

fn lanes(numbers: &BTreeMap<Held, usize>, names: &Names) -> Vec<Value> {
    let (mut lanes, mut heading) = (Vec::new(), "");
    for (held, number) in numbers {
        let (kind, name) = match held {
            Held::Lock(lock) => ("locks", names.lock(*lock)),
            Held::Interrupt(line) => ("interrupts", names.interrupt(*line)),
        };
        if kind != heading {
            lanes.push(json!({ "heading": kind }));
            heading = kind;
        }
        lanes.push(json!({ "span": number, "name": name }));
    }
    lanes
}

/// Words that are written once, however often they are said.
#[derive(Default)]
struct Words<T> {
    all: Vec<T>,
    positions: BTreeMap<T, usize>,
}

impl<T: Clone + Ord> Words<T> {
    fn position(&mut self, words: T) -> usize {
        let next = self.all.len();
        let position = *self.positions.entry(words.clone()).or_insert(next);
        if position == next {
            self.all.push(words);
        }
        position
    }
}
