//! One line of the timeline: a thread, a driver, a port, or something that lasts for a while.

use std::collections::BTreeMap;

use beryl_abi::{Instant, ThreadId};
use beryl_trace::incident::Incident;
use beryl_trace::jobs::{History, Job};
use beryl_trace::log::Entry;
use beryl_trace::ports::Ports;
use beryl_trace::spans::{Span, Subject, stretches};
use beryl_trace::track::Track;
use beryl_trace::{Event, Names, Signals};

/// One line of the timeline.
#[derive(Default)]
pub struct Lane {
    /// The thread, sensor, actuator, port, module, lock or interrupt.
    pub name: String,
    /// Its process, or the common name of its kind.
    pub process: String,
    /// What it is.
    pub kind: Kind,
    /// The thread, if it is one.
    pub thread: Option<ThreadId>,
    /// When the thread had the processor, or the object was held.
    pub running: Track,
    /// When a job of the thread was open.
    pub open: Track,
    /// Releases, executions of a driver, or beginnings; in order.
    pub marks: Vec<Instant>,
    /// Deadlines, in order.
    pub deadlines: Vec<Instant>,
    /// What went wrong, in order.
    pub troubles: Vec<Instant>,
    /// When the thread said something, in order.
    pub said: Vec<Instant>,
    /// Everything that lasted for a while, in order.
    pub stretches: Vec<Span>,
}

/// Kinds of lanes: those that keys show and hide, and all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Where trace records were lost.
    Lost,
    /// A module's modes.
    Modes,
    /// A thread, a sensor, an actuator, or a state message that is traced.
    #[default]
    Always,
    /// An output of a task.
    Port,
    /// A lock.
    Lock,
    /// An interrupt.
    Interrupt,
}

impl Kind {
    /// The kinds that keys show and hide, with key and name.
    pub const CHOSEN: [(Kind, char, &str); 4] = [
        (Kind::Modes, 'm', "modes"),
        (Kind::Port, 'o', "ports"),
        (Kind::Lock, 'l', "locks"),
        (Kind::Interrupt, 'i', "interrupts"),
    ];
}

impl Lane {
    /// The stretch at an instant.
    pub fn stretch_at(&self, at: Instant) -> Option<&Span> {
        let behind = self.stretches.partition_point(|stretch| stretch.from <= at);
        let stretch = self.stretches.get(behind.checked_sub(1)?)?;
        (at < stretch.to).then_some(stretch)
    }
}

/// A thread's lane.
pub fn of_thread(
    thread: ThreadId,
    name: &str,
    process: &str,
    history: &History,
    (troubles, said): (&[Incident], &[Entry]),
) -> Lane {
    let mut jobs: Vec<_> = history.jobs_of(thread).collect();
    jobs.sort_by_key(|job| job.release);
    let runs = history.runs.iter().filter(|run| run.thread == thread);
    // A job whose process was stopped never ends: treat it as open until its deadline at most.
    let end = |job: &Job| job.end.unwrap_or(history.span.1.min(job.deadline));
    let mut deadlines: Vec<Instant> = jobs.iter().map(|job| job.deadline).collect();
    deadlines.sort_unstable();
    let own = troubles.iter().filter(|told| told.thread == Some(thread));
    Lane {
        name: name.to_owned(),
        process: process.to_owned(),
        thread: Some(thread),
        running: Track::of(runs.map(|run| (run.from, run.to))),
        open: Track::of(jobs.iter().map(|job| (job.release, end(job)))),
        marks: jobs.iter().map(|job| job.release).collect(),
        deadlines,
        troubles: own.map(|told| told.at).collect(),
        said: said.iter().filter(|entry| entry.thread == thread).map(|entry| entry.time).collect(),
        ..Lane::default()
    }
}

/// The lanes of the sensors and actuators that were used.
pub fn of_signals(names: &Names, events: &[Event]) -> Vec<Lane> {
    let signals = Signals::of(names);
    let mut marks: Vec<Vec<Instant>> = vec![Vec::new(); signals.count()];
    for moved in events.iter().filter_map(|event| signals.moved(event)) {
        marks[moved.signal.0].push(moved.instant);
    }
    let known = signals.all().zip(marks).map(|((_, known), marks)| (known.name.clone(), marks));
    marked("sensors and actuators", Kind::Always, known)
}

/// The lanes of the ports that were written.
pub fn of_ports(names: &Names, events: &[Event]) -> Vec<Lane> {
    let ports = Ports::of(names);
    let mut marks: Vec<Vec<Instant>> = vec![Vec::new(); names.ports.len()];
    for one in events.iter().flat_map(|event| ports.published(event)) {
        marks[one.port].push(one.instant);
    }
    let known = names.ports.iter().zip(marks).map(|(known, marks)| (known.name.clone(), marks));
    marked("ports", Kind::Port, known)
}

/// The lanes of the state messages that are traced and were written.
pub fn of_states(names: &Names, events: &[Event]) -> Vec<Lane> {
    let mut marks: Vec<Vec<Instant>> = vec![Vec::new(); names.states.len()];
    for found in events.iter().filter_map(|event| names.found(event)) {
        marks[found.state].push(found.time);
    }
    let known = names.states.iter().zip(marks).map(|(known, marks)| (known.name.clone(), marks));
    marked("state messages", Kind::Always, known)
}

fn marked(heading: &str, kind: Kind, known: impl Iterator<Item = (String, Vec<Instant>)>) -> Vec<Lane> {
    let lane = |(name, mut marks): (String, Vec<Instant>)| {
        marks.sort_unstable();
        Lane { name, process: heading.to_owned(), kind, marks, ..Lane::default() }
    };
    known.filter(|(_, marks)| !marks.is_empty()).map(lane).collect()
}

/// The lanes of gaps, modes, locks and interrupts.
pub fn of_stretches(names: &Names, history: &History, events: &[Event]) -> Vec<Lane> {
    let mut lanes: BTreeMap<Subject, Lane> = BTreeMap::new();
    for stretch in stretches(events, &history.waits.holds, names) {
        let subject = stretch.subject;
        let lane = lanes.entry(subject).or_insert_with(|| Lane {
            name: subject.name(names),
            process: subject.heading().to_owned(),
            kind: match subject {
                Subject::Lost => Kind::Lost,
                Subject::Modes(_) => Kind::Modes,
                Subject::Lock(_) => Kind::Lock,
                Subject::Interrupt(_) => Kind::Interrupt,
            },
            ..Lane::default()
        });
        lane.stretches.push(stretch);
    }
    let finished = lanes.into_values().map(|lane| Lane {
        running: Track::of(lane.stretches.iter().map(|stretch| (stretch.from, stretch.to))),
        marks: lane.stretches.iter().map(|stretch| stretch.from).collect(),
        ..lane
    });
    finished.collect()
}
