//! Points: recurring events of a run, by name.

use beryl_abi::{Duration, Instant, ThreadId};

use super::Evidence;
use super::within::Edge;
use crate::lookup::{self, NotOne};
use crate::names::{DriverKind, Names};
use crate::signals::{SignalId, Signals};

/// A recurring event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// A job of a task is released: at its logical instant.
    Release(ThreadId),
    /// A job first gets the processor.
    Start(ThreadId),
    /// A job ends by itself.
    End(ThreadId),
    /// A sensor is read or an actuator written, by any driver: at its logical instant.
    Signal(SignalId),
}

/// One occurrence of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Occurrence {
    /// When.
    pub(super) at: Instant,
    /// The logical instant to which it belongs: for a job, its release.
    pub(super) logical: Instant,
}

impl Point {
    /// Reads `navigate` (its jobs' ends), `release of navigate`, `start of navigate`, or the name of a sensor
    /// or actuator.
    ///
    /// # Errors
    /// If nothing has that name, or several have.
    pub fn named(text: &str, names: &Names) -> Result<Point, NotOne> {
        let task = |name: &str| super::stated::task(name.trim(), names);
        if let Some(name) = text.strip_prefix("release of ") {
            return task(name).map(Point::Release);
        }
        if let Some(name) = text.strip_prefix("start of ") {
            return task(name).map(Point::Start);
        }
        lookup::one("task, sensor or actuator", text, Point::all(names))
    }

    /// The names of all tasks, sensors and actuators.
    #[must_use]
    pub fn known(names: &Names) -> Vec<&str> {
        Point::all(names).into_iter().map(|(name, _)| name).collect()
    }

    fn all(names: &Names) -> Vec<(&str, Point)> {
        let tasks = names.tasks().map(|(task, known)| (known.name.as_str(), Point::End(task)));
        let signals = Signals::of(names);
        let signals = signals.all().map(|(signal, known)| (known.name.as_str(), Point::Signal(signal)));
        tasks.chain(signals).collect()
    }

    /// Which instants of a mode belong to it: at the instant of a switch, actuators still belong to the old
    /// mode, releases to the new one, and a sensor is read once for both.
    pub(super) fn edge(self, names: &Names) -> Edge {
        match self {
            Point::Release(_) | Point::Start(_) | Point::End(_) => Edge::Begin,
            Point::Signal(signal) => match Signals::of(names).known(signal).map(|known| known.kind) {
                Some(DriverKind::Actuator) => Edge::End,
                _ => Edge::Both,
            },
        }
    }

    /// All its occurrences, in order.
    pub(super) fn occurrences(self, evidence: Evidence) -> Vec<Occurrence> {
        let jobs = |task: ThreadId| evidence.history.jobs_of(task);
        let mut occurrences: Vec<Occurrence> = match self {
            Point::Release(task) => {
                jobs(task).map(|job| Occurrence { at: job.release, logical: job.release }).collect()
            }
            Point::Start(task) => jobs(task)
                .filter_map(|job| Some(Occurrence { at: job.start?, logical: job.release }))
                .collect(),
            Point::End(task) => jobs(task)
                .filter(|job| job.response().is_some())
                .filter_map(|job| Some(Occurrence { at: job.end?, logical: job.release }))
                .collect(),
            Point::Signal(signal) => moved(signal, evidence)
                .map(|(instant, _)| Occurrence { at: instant, logical: instant })
                .collect(),
        };
        occurrences.sort_unstable_by_key(|one| one.at);
        occurrences
    }

    /// The delay of each occurrence after its due time.
    pub(super) fn delays(self, evidence: Evidence) -> Vec<(Instant, Duration)> {
        let jobs = |task: ThreadId| evidence.history.jobs_of(task);
        match self {
            Point::Release(task) => {
                jobs(task).map(|job| (job.release, job.told.since(job.release))).collect()
            }
            Point::Start(task) => {
                jobs(task).filter_map(|job| Some((job.release, job.start?.since(job.release)))).collect()
            }
            Point::End(task) => jobs(task).filter_map(|job| Some((job.release, job.response()?))).collect(),
            Point::Signal(signal) => {
                moved(signal, evidence).map(|(instant, time)| (instant, time.since(instant))).collect()
            }
        }
    }
}

/// The logical and the physical instants at which a signal was read or written.
fn moved(signal: SignalId, evidence: Evidence<'_>) -> impl Iterator<Item = (Instant, Instant)> {
    let signals = Signals::of(evidence.names);
    let moved = evidence.events.iter().filter_map(move |event| signals.moved(event));
    moved.filter(move |moved| moved.signal == signal).map(|moved| (moved.instant, moved.time))
}
