//! Points: what happens again and again in a run, by name.

use beryl_abi::{DriverId, Duration, Instant, ThreadId};

use super::Evidence;
use crate::event::Happening;
use crate::names::{DriverKind, Names};

/// Something that happens again and again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// A job of a task is released: at its logical instant.
    Release(ThreadId),
    /// A job first has the processor.
    Start(ThreadId),
    /// A job ends by itself.
    End(ThreadId),
    /// A sensor is read or an actuator written: at its logical instant.
    Driver(DriverId),
}

/// A text that names no point.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing is called `{text}`; there are {known}, and `release of` and `start of` a task")]
pub struct NoPoint {
    text: String,
    known: String,
}

impl NoPoint {
    /// That nothing has that name.
    pub(super) fn new(text: &str, names: &Names) -> NoPoint {
        let known = Point::known(names).into_iter().take(40).collect::<Vec<_>>().join(", ");
        NoPoint { text: text.to_owned(), known }
    }
}

impl Point {
    /// Reads `navigate` (its jobs' ends), `release of navigate`, `start of navigate`, or the name of a sensor or
    /// actuator.
    ///
    /// # Errors
    /// If nothing has that name.
    pub fn named(text: &str, names: &Names) -> Result<Point, NoPoint> {
        let task = |name: &str| names.tasks().find(|(_, known)| known.name == name).map(|(task, _)| task);
        let driver = |name: &str| {
            let mut drivers = (0..=u16::MAX).map(DriverId).zip(&names.drivers);
            drivers.find(|(_, known)| known.name == name && is_outside(known.kind)).map(|(driver, _)| driver)
        };
        let found = match (text.strip_prefix("release of "), text.strip_prefix("start of ")) {
            (Some(name), _) => task(name.trim()).map(Point::Release),
            (_, Some(name)) => task(name.trim()).map(Point::Start),
            _ => task(text).map(Point::End).or_else(|| driver(text).map(Point::Driver)),
        };
        found.ok_or_else(|| NoPoint::new(text, names))
    }

    /// What can be named: tasks, sensors and actuators.
    #[must_use]
    pub fn known(names: &Names) -> Vec<&str> {
        let threads = names.tasks().map(|(_, known)| known.name.as_str());
        let drivers = names.drivers.iter().filter(|known| is_outside(known.kind));
        threads.chain(drivers.map(|known| known.name.as_str())).collect()
    }

    /// Whether a driver is a sensor or an actuator.
    pub(super) fn is_of_outside(driver: DriverId, names: &Names) -> bool {
        names.known_driver(driver).is_some_and(|known| is_outside(known.kind))
    }

    /// When it happened, in order.
    pub(super) fn occurrences(self, evidence: Evidence) -> Vec<Instant> {
        let jobs = |task: ThreadId| evidence.history.jobs_of(task);
        let mut occurrences: Vec<Instant> = match self {
            Point::Release(task) => jobs(task).map(|job| job.release).collect(),
            Point::Start(task) => jobs(task).filter_map(|job| job.start).collect(),
            Point::End(task) => {
                jobs(task).filter(|job| job.response().is_some()).filter_map(|job| job.end).collect()
            }
            Point::Driver(_) => self.carried_out(evidence).map(|(instant, _)| instant).collect(),
        };
        occurrences.sort_unstable();
        occurrences
    }

    /// How long after it was due it happened, each time.
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
            Point::Driver(_) => {
                self.carried_out(evidence).map(|(instant, time)| (instant, time.since(instant))).collect()
            }
        }
    }

    /// The logical and the physical instants of a driver.
    fn carried_out(self, evidence: Evidence) -> impl Iterator<Item = (Instant, Instant)> {
        evidence.events.iter().filter_map(move |event| match event.happening {
            Happening::Driver { driver, instant, .. } if Point::Driver(driver) == self => {
                Some((instant, event.time))
            }
            _ => None,
        })
    }
}

fn is_outside(kind: DriverKind) -> bool {
    matches!(kind, DriverKind::Sensor | DriverKind::Actuator)
}
