//! Lockstep: whether two hosts of the kernel did the same, all of it in one order, with physical times as far as costs allow.
//!
//! [`conformance`](mod@crate::conformance) compares what mustn't depend on how long code takes. Here code takes as long on one host as
//! on the other, so everything must be the same: who was given the processor, who lost it, in which order jobs of different tasks
//! ended. The hosts differ only by what the kernel costs, and each event costs a bounded amount. What was delayed so is made up for
//! when the processor has nothing to do. So an event may be as far apart on the two as all events since then cost, and as one
//! that was further apart before, since a timeout is counted from when it was asked for.
//!
//! Instants that belong to a timing program are equal. Some are moments of physical time: when an interrupt came that releases a task,
//! when a job ended whose releases are made up for. Those may be as far apart as the events, and what is counted from
//! them as far apart as they were ([`instants`]).

use beryl_abi::{Duration, Instant};

use crate::clock::LogicalInstant;
use crate::event::{Event, Happening};
use crate::names::{Names, ThreadKind};
use instants::Moments;

mod instants;

/// What is the same on two hosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InStep {
    /// So many events, one by one.
    pub events: usize,
    /// How far apart the times of an event were at most.
    pub furthest: Duration,
}

/// Compares all events of two runs of `length`. `cost` is the most that an event costs on one host and not on the other.
///
/// # Errors
/// The first difference, in words.
pub fn lockstep(
    one: &[Event],
    other: &[Event],
    names: &Names,
    cost: Duration,
    length: Duration,
) -> Result<InStep, String> {
    let [first, second] = [one, other].map(|events| told(events, names));
    let mut drift = Drift { cost, busy: Duration::ZERO, before: Duration::ZERO, furthest: Duration::ZERO };
    let mut moments = Moments::default();
    for (number, (one, other)) in first.iter().zip(&second).enumerate() {
        if one.what != other.what || !moments.are_same(one, other, drift.allowed()) {
            return Err(format!("event {}: {}; {}", number + 1, one.in_words(names), other.in_words(names)));
        }
        let spent = one.used.max(other.used).minus(one.used.min(other.used));
        if spent > drift.allowed() {
            return Err(format!(
                "event {}: {}, after {} and {}",
                number + 1,
                one.in_words(names),
                names.tick.length(one.used),
                names.tick.length(other.used)
            ));
        }
        let between = distance(one.time, other.time);
        if let Err(allowed) = drift.follow(between, one.is_idle) {
            return Err(format!(
                "event {}: {}, and on the other at {}: {} apart, where {} may be",
                number + 1,
                one.in_words(names),
                at(other.time, names),
                names.tick.length(between),
                names.tick.length(allowed),
            ));
        }
    }
    let furthest = drift.furthest;
    let events = first.len().min(second.len());
    // What the other hadn't come to when the run ended.
    let left = first.get(events..).unwrap_or_default().iter().chain(second.get(events..).unwrap_or_default());
    let end = Instant::START.after(length.minus(drift.allowed()));
    match left.into_iter().find(|told| told.time < end) {
        Some(told) => {
            Err(format!("event {}: {}; nothing on the other any more", events + 1, told.in_words(names)))
        }
        None => Ok(InStep { events, furthest }),
    }
}

/// How far apart the hosts may be.
struct Drift {
    /// Of an event, at most.
    cost: Duration,
    /// Of all since the processor had nothing to do.
    busy: Duration,
    /// The furthest before that.
    before: Duration,
    furthest: Duration,
}

impl Drift {
    /// What one event more may be.
    fn allowed(&self) -> Duration {
        self.before.plus(self.busy).plus(self.cost)
    }

    /// The next event, so far apart; the processor may have nothing to do from then on.
    ///
    /// # Errors
    /// How far apart it might have been.
    fn follow(&mut self, between: Duration, is_idle: bool) -> Result<(), Duration> {
        let allowed = self.allowed();
        if between > allowed {
            return Err(allowed);
        }
        self.busy = self.busy.plus(self.cost);
        self.furthest = self.furthest.max(between);
        if is_idle {
            (self.before, self.busy) = (self.furthest, Duration::ZERO);
        }
        Ok(())
    }
}

/// An event with all that must be the same of it, and when it was.
struct Observed {
    time: Instant,
    what: What,
    /// The instants that it names, each behind a word.
    instants: Vec<(&'static str, Instant)>,
    /// What somebody had of the processor who has used up what he may: on a board the kernel's part of it, too.
    used: Duration,
    /// Whether the processor has nothing to do from then on.
    is_idle: bool,
    /// Whether what happens next, happens at a moment of physical time: an interrupt has come, or a job ended.
    is_moment: Option<bool>,
}

/// What happened, with nothing of when: what stands before the instants, and behind them.
#[derive(Default, PartialEq, Eq)]
struct What(String, String);

impl Observed {
    fn in_words(&self, names: &Names) -> String {
        let What(before, behind) = &self.what;
        let instants = self.instants.iter().map(|(word, instant)| format!(" {word}{}", at(*instant, names)));
        format!("{before}{}{behind} at {}", instants.collect::<String>(), at(self.time, names))
    }
}

fn at(time: Instant, names: &Names) -> LogicalInstant {
    names.tick.logical(time)
}

fn distance(one: Instant, other: Instant) -> Duration {
    one.since(other).max(other.since(one))
}

fn told(events: &[Event], names: &Names) -> Vec<Observed> {
    let is_idle = |happening: &Happening| match happening {
        Happening::Switch { to, .. } => {
            names.known_thread(*to).is_some_and(|thread| thread.kind == ThreadKind::Idle)
        }
        _ => false,
    };
    let told = |Event { time, happening }: &Event| {
        let (what, instants) = what(happening, names);
        Observed {
            time: *time,
            what,
            instants,
            used: match happening {
                Happening::Note(beryl_abi::DecodedNote::Budget { used, .. }) => *used,
                _ => Duration::ZERO,
            },
            is_idle: is_idle(happening),
            is_moment: instants::is_moment(happening),
        }
    };
    events.iter().map(told).collect()
}

fn what(happening: &Happening, names: &Names) -> (What, Vec<(&'static str, Instant)>) {
    let thread = |thread| names.thread(thread);
    let only = |what: String| What(what, String::new());
    let is_for = |instant: Instant| vec![("for ", instant)];
    match happening {
        Happening::Release { task, instant, deadline } => {
            (only(format!("{} released", thread(*task))), vec![("for ", *instant), ("until ", *deadline)])
        }
        Happening::Switch { from, to } => {
            (only(format!("from {} to {}", thread(*from), thread(*to))), Vec::new())
        }
        Happening::Complete { task } => (only(format!("{} is done", thread(*task))), Vec::new()),
        Happening::Miss { task, deadline } => {
            (only(format!("{} misses its deadline", thread(*task))), vec![("", *deadline)])
        }
        Happening::Driver { driver, instant, value } => {
            (What(names.driver(*driver), format!(": {value:02x?}")), is_for(*instant))
        }
        Happening::Skip { program, instant } => {
            (only(format!("{} leaves something out", names.program(*program))), is_for(*instant))
        }
        Happening::Violation { task, instant } => {
            (only(format!("{} violates time safety", thread(*task))), is_for(*instant))
        }
        // What a host tells a fault to be is its own.
        Happening::Fault { thread: stopped, .. } => {
            (only(format!("{} is stopped by a fault", thread(*stopped))), Vec::new())
        }
        Happening::Overrun { task } => {
            (only(format!("{} has used more than it may", thread(*task))), Vec::new())
        }
        Happening::Swap { program, room, instant } => {
            (only(format!("{}: room {room} takes over", names.program(*program))), is_for(*instant))
        }
        Happening::Note(beryl_abi::DecodedNote::React { program, address, instant }) => {
            (only(format!("{} goes on at instruction {address}", names.program(*program))), is_for(*instant))
        }
        Happening::Note(beryl_abi::DecodedNote::Budget { thread: whose, driver, .. }) => {
            let of = driver.map(|driver| format!(" of {}", names.driver(driver))).unwrap_or_default();
            (only(format!("{} has used up the budget{of}", thread(*whose))), Vec::new())
        }
        other => (only(format!("{other:?}")), Vec::new()),
    }
}

#[cfg(test)]
mod tests;
