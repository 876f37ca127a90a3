//! Waits and their ends, and everything that lasts for a while: modes, locks and interrupts, each in a lane of its own.

use std::collections::BTreeMap;

use beryl_abi::{Awaited, Instant, ProgramId};
use serde_json::{Value, json};

use super::columns::Columns;
use super::words::Words;
use crate::event::Event;
use crate::jobs::History;
use crate::names::Names;
use crate::spans::{Subject, stretches};
use crate::wakes::Wake;

/// A page keeps this many stretches of modes, locks and interrupts; the first ones of a longer trace.
const MOST_SPANS: usize = 1_000_000;

impl Columns {
    /// Waits, in the order of their ends: thread, end, length, owner of the lock, position of the words.
    /// Returns what each wait was for, and what an owner does with it.
    pub(super) fn waits(&mut self, history: &History, names: &Names) -> Vec<[String; 2]> {
        // Waiting for a release isn't part of a job.
        let waits: Vec<_> =
            history.waits.waits.iter().filter(|wait| wait.awaited != Awaited::Period).collect();
        let mut words = Words::default();
        self.count(waits.len());
        let mut before = Instant::START;
        for wait in waits {
            self.number(wait.thread.0.into());
            self.step(before, wait.to);
            self.length(wait.from, wait.to);
            self.number(wait.owner.map_or(0, |owner| u128::from(owner.0) + 1));
            let verb = if wait.awaited == Awaited::Semaphore { "has" } else { "serves" };
            let position = words.position([names.awaited(wait.awaited, wait.object), verb.to_owned()]);
            self.count(position);
            before = wait.to;
        }
        words.all
    }

    /// Wake-ups, in their order: when, the position of the run that woke, that of the run of who was woken.
    pub(super) fn wakes(&mut self, wakes: &[Wake]) {
        self.count(wakes.len());
        let (mut before, mut run) = (Instant::START, 0);
        for wake in wakes {
            self.step(before, wake.at);
            self.positions(run, wake.by);
            self.positions(wake.by, wake.woken);
            (before, run) = (wake.at, wake.by);
        }
    }

    /// Gaps, modes, held locks, served interrupts: lane, begin, length, position of the words. Returns the
    /// lanes of gaps and modes, the other lanes, the words, short and in full, and how many stretches had no
    /// room.
    pub(super) fn spans(
        &mut self,
        history: &History,
        events: &[Event],
        names: &Names,
    ) -> (Vec<Value>, Vec<Value>, Vec<[String; 2]>, usize) {
        let mut spans = stretches(events, &history.waits.holds, names);
        let left = spans.len().saturating_sub(MOST_SPANS);
        spans.truncate(MOST_SPANS);
        let kinds: BTreeMap<Subject, usize> = spans.iter().map(|span| (span.subject, 0)).collect();
        let numbers: BTreeMap<Subject, usize> = kinds.keys().copied().zip(0..).collect();
        let mut words = Words::default();
        self.count(spans.len());
        let mut before = Instant::START;
        for span in spans {
            self.count(numbers.get(&span.subject).copied().unwrap_or_default());
            self.step(before, span.from);
            self.length(span.from, span.to);
            self.count(words.position([span.label.clone(), span.words()]));
            before = span.from;
        }
        let is_above = |subject: &Subject| matches!(subject, Subject::Lost | Subject::Modes(_));
        let (bands, others) = numbers.into_iter().partition(|(subject, _)| is_above(subject));
        (lanes(&bands, names), lanes(&others, names), words.all, left)
    }
}

/// A lane for each, below a heading for each kind.
fn lanes(numbers: &BTreeMap<Subject, usize>, names: &Names) -> Vec<Value> {
    let (mut lanes, mut heading) = (Vec::new(), "");
    for (subject, number) in numbers {
        if subject.heading() != heading {
            heading = subject.heading();
            lanes.push(json!({ "heading": heading }));
        }
        let mut lane = json!({ "span": number, "name": subject.name(names) });
        match subject {
            Subject::Lost => lane["lost"] = json!(true),
            Subject::Modes(program) => lane["band"] = json!(tasks_of(*program, names)),
            Subject::Interrupt(_) => lane["interrupt"] = json!(true),
            Subject::Lock(_) => {}
        }
        lanes.push(lane);
    }
    lanes
}

/// The tasks whose jobs are shown with their module's mode: none if the module has only one.
fn tasks_of(program: ProgramId, names: &Names) -> Vec<u8> {
    let own = names.modes.iter().find(|module| module.program == program.0);
    let several = own.filter(|_| names.has_several_modes(program));
    several.map(|module| module.tasks.clone()).unwrap_or_default()
}
