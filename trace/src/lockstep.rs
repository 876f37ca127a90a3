//! Lockstep: whether two hosts of the kernel did the same, everything in one order, with physical times as
//! far as costs allow.
//!
//! [`conformance`](mod@crate::conformance) compares what mustn't depend on how long code takes. Here code
//! takes equally long on both hosts, so everything must be the same: which thread got the processor, which
//! lost it, in which order jobs of different tasks ended. The hosts differ only by the kernel's costs, and
//! each event costs a bounded amount. Delays are made up for once the processor is idle. So the two times of
//! an event may differ by the cost of all events since the last idle time, plus the largest difference before
//! that, since a timeout is counted from when it was asked for.
//!
//! Instants that belong to a timing program are equal. Others are moments of physical time: when an interrupt
//! came that releases a task, when a job ended and its releases were made up for. These may differ as much as
//! the events, and instants counted from them differ by as much as they do ([`instants`]).

use beryl_abi::{Duration, Instant};

use crate::clock::LogicalInstant;
use crate::event::{Event, Happening};
use crate::names::{Names, ThreadKind};
use instants::Moments;

mod instants;

/// What two hosts have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InStep {
    /// The number of events compared.
    pub events: usize,
    /// The largest difference between the times of an event.
    pub furthest: Duration,
}

/// Compares all events of two runs of `length`. `cost` is the most that an event costs on one host but not on
/// the other.
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
    // Events that one host hadn't reached when the run ended.
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
    /// The most per event.
    cost: Duration,
    /// For all events since the processor was last idle.
    busy: Duration,
    /// The largest before that.
    before: Duration,
    furthest: Duration,
}

impl Drift {
    /// The limit for one more event.
    fn allowed(&self) -> Duration {
        self.before.plus(self.busy).plus(self.cost)
    }

    /// Takes the next event, with the difference of its times; the processor may be idle from then on.
    ///
    /// # Errors
    /// The limit, if the difference is larger.
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

/// Everything about an event that must be the same, and its time.
struct Observed {
    time: Instant,
    what: What,
    /// The instants in it, each with the word before it.
    instants: Vec<(&'static str, Instant)>,
    /// The processor time of a thread that has used up its limit: on a board this includes the kernel's part.
    used: Duration,
    /// Whether the processor is idle from then on.
    is_idle: bool,
    /// Whether the next event happens at a moment of physical time: an interrupt has come, or a job ended.
    is_moment: Option<bool>,
}

/// An event without its times: the texts before and after the instants.
#[derive(Default, PartialEq, Eq)]
struct What(String, String);

impl Observed {
    fn in_words(&self, names: &Names) -> String {
        let What(before, behind) = &self.what;
        format!("{before}{}{behind} at {}", for_instants(&self.instants, names), at(self.time, names))
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
    // What was in its registers is a host's own.
    events.iter().filter(|event| !event.is_part_of_crash()).map(told).collect()
}

/// What happened, in words.
pub(crate) fn in_words(happening: &Happening, names: &Names) -> String {
    let (What(before, behind), instants) = what(happening, names);
    format!("{before}{}{behind}", for_instants(&instants, names))
}

fn for_instants(instants: &[(&str, Instant)], names: &Names) -> String {
    instants.iter().map(|(word, instant)| format!(" {word}{}", at(*instant, names))).collect()
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
        Happening::State { message, writes, value } => {
            let name = names.states.iter().find(|known| known.number == message.0);
            let name =
                name.map_or_else(|| format!("state message {}", message.0), |known| known.name.clone());
            (What(name, format!(", written {writes} times: {value:02x?}")), Vec::new())
        }
        Happening::Skip { program, instant } => {
            (only(format!("{} leaves something out", names.program(*program))), is_for(*instant))
        }
        Happening::Violation { task, instant } => {
            (only(format!("{} violates time safety", thread(*task))), is_for(*instant))
        }
        // Each host has its own kinds of faults.
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
        Happening::Note(beryl_abi::DecodedNote::Restart { process, is_allowed, made }) => {
            let fate = if *is_allowed { "begins anew" } else { "stays stopped" };
            (only(format!("process {} {fate}, {made} times so far", names.process(*process))), Vec::new())
        }
        Happening::Note(beryl_abi::DecodedNote::Lack { thread: whose, call, object }) => {
            let asked = names.lack(*whose, *call, *object).asked;
            (only(format!("{} {asked} without a right to it", thread(*whose))), Vec::new())
        }
        other => (only(format!("{other:?}")), Vec::new()),
    }
}

#[cfg(test)]
mod tests;
