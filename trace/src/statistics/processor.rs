//! The processor's time by thread, and how punctual sensors and actuators were.

use serde::Serialize;

use beryl_abi::{Duration, ThreadId};

use super::distribution::Distribution;
use crate::clock::Nanoseconds;
use crate::event::Event;
use crate::jobs::History;
use crate::names::{DriverKind, Names, ThreadKind};
use crate::signals::Signals;

/// A thread's use of the processor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ThreadStatistics {
    /// The thread.
    pub thread: String,
    /// Its process.
    pub process: String,
    /// Its purpose.
    pub kind: ThreadKind,
    /// Its share of the processor's time, from 0 to 1.
    pub share: f64,
    /// How often it got the processor.
    pub runs: usize,
    /// The longest time without losing it.
    #[serde(rename = "longest_run_ns")]
    pub longest: Nanoseconds,
}

/// The delay of a sensor's reads or an actuator's writes after their logical instants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DriverStatistics {
    /// The sensor or actuator.
    pub driver: String,
    /// Whether it is a sensor or an actuator.
    pub kind: DriverKind,
    /// From the logical instant to the record.
    pub delay: Distribution,
}

/// The processor time of each thread, how often it ran and how long at a time.
pub(super) struct Usage {
    used: Vec<(Duration, usize, Duration)>,
    whole: Duration,
}

impl Usage {
    pub(super) fn of(history: &History) -> Usage {
        let mut used = vec![(Duration::ZERO, 0, Duration::ZERO); usize::from(u8::MAX) + 1];
        for run in &history.runs {
            let length = run.to.since(run.from);
            let (whole, count, longest) = &mut used[run.thread.index()];
            (*whole, *count, *longest) = (whole.plus(length), *count + 1, length.max(*longest));
        }
        Usage { used, whole: history.span.1.since(history.span.0) }
    }

    /// A thread's share of the whole time, from 0 to 1.
    pub(super) fn share(&self, thread: ThreadId) -> f64 {
        match self.whole.ticks() {
            0 => 0.0,
            whole => self.used[thread.index()].0.ticks() as f64 / whole as f64,
        }
    }

    /// A line for each thread that ever ran.
    pub(super) fn threads(&self, names: &Names) -> Vec<ThreadStatistics> {
        let line = |(thread, (_, runs, longest)): (ThreadId, &(Duration, usize, Duration))| {
            let known = names.known_thread(thread);
            ThreadStatistics {
                thread: names.thread(thread),
                process: known.map(|known| known.process.clone()).unwrap_or_default(),
                kind: known.map_or(ThreadKind::Free, |known| known.kind),
                share: self.share(thread),
                runs: *runs,
                longest: names.tick.length(*longest),
            }
        };
        let all = (0..=u8::MAX).map(ThreadId).zip(&self.used);
        all.filter(|(_, (_, runs, _))| *runs > 0).map(line).collect()
    }
}

/// A line for each sensor and actuator that was used.
pub(super) fn drivers(events: &[Event], names: &Names) -> Vec<DriverStatistics> {
    let signals = Signals::of(names);
    let mut delays: Vec<Vec<Nanoseconds>> = vec![Vec::new(); signals.count()];
    for moved in events.iter().filter_map(|event| signals.moved(event)) {
        delays[moved.signal.0].push(names.tick.length(moved.time.since(moved.instant)));
    }
    let told = signals.all().zip(delays);
    told.filter_map(|((_, known), delays)| {
        Some(DriverStatistics {
            driver: known.name.clone(),
            kind: known.kind,
            delay: Distribution::of(delays)?,
        })
    })
    .collect()
}
