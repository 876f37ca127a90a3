//! The events that led to a broken assertion, in words.

use beryl_abi::Instant;

use super::{Assertion, Evidence, Point, Trouble};
use crate::event::Happening;
use crate::jobs::{Job, Outcome};
use crate::signals::Signals;
use crate::why::Chain;

/// Of a longer stretch, only this many events are shown.
const TOLD: usize = 24;

impl Assertion {
    /// The events that led to the first breach, a line per step; `at` comes from the verdict. For a job:
    /// which threads had the processor from its release to its end. For two points: what happened around and
    /// between them.
    #[must_use]
    pub fn chain(&self, at: Instant, evidence: Evidence) -> Vec<String> {
        let job = |is: &dyn Fn(&Job) -> bool| of_job(evidence, is);
        match *self {
            Assertion::Response { task, .. } => job(&|job| job.task == task && job.release == at),
            Assertion::Jitter {
                of: Point::Release(task) | Point::Start(task) | Point::End(task), ..
            } => job(&|job| job.task == task && job.release == at),
            Assertion::Jitter { of: Point::Signal(_), .. } => around(at, at, evidence),
            Assertion::Latency { to, .. } => {
                let effects = to.occurrences(evidence);
                let effect = effects.into_iter().map(|effect| effect.at).find(|effect| *effect > at);
                around(at, effect.unwrap_or(evidence.history.span.1), evidence)
            }
            Assertion::Age { of: first, .. } | Assertion::Order { first, .. } => {
                let firsts = first.occurrences(evidence).into_iter().map(|first| first.at);
                let before = firsts.rev().find(|first| *first < at);
                around(before.unwrap_or(evidence.history.span.0), at, evidence)
            }
            Assertion::Never { what: Trouble::Miss | Trouble::Violation, of } => job(&|job| {
                let failed = matches!(job.outcome, Outcome::Missed | Outcome::Violated);
                let is_it = job.deadline == at || job.end == Some(at);
                failed && is_it && of.is_none_or(|of| job.task == of)
            }),
            Assertion::Never { .. } => Vec::new(),
        }
    }
}

/// The chain of the first job that satisfies `is`.
fn of_job(evidence: Evidence, is: &dyn Fn(&Job) -> bool) -> Vec<String> {
    let Evidence { history, names, .. } = evidence;
    let position = history.jobs.iter().position(is);
    let chain = position.and_then(|position| Chain::of(history, names, position));
    let Some(chain) = chain else { return Vec::new() };
    let title = format!("{}, job {}: {}", names.thread(chain.job.task), chain.number, chain.verdict(names));
    let mut lines = vec![title];
    lines.extend(chain.lines(history, names));
    lines.extend(chain.blame(names));
    lines
}

/// Events of jobs, sensors and actuators between two instants, both included.
fn around(from: Instant, to: Instant, evidence: Evidence) -> Vec<String> {
    let Evidence { events, names, .. } = evidence;
    let signals = Signals::of(names);
    let within = events.iter().filter_map(|event| {
        let (at, what) = match &event.happening {
            Happening::Release { task, instant, .. } => {
                (*instant, format!("{} is released", names.thread(*task)))
            }
            Happening::Complete { task } => (event.time, format!("{} is done", names.thread(*task))),
            Happening::Driver { driver, instant, .. } if signals.of_driver(*driver).is_some() => {
                (*instant, names.driver(*driver))
            }
            _ => return None,
        };
        (from <= at && at <= to).then(|| format!("{}  {what}", names.tick.logical(at)))
    });
    let mut lines: Vec<_> = within.take(TOLD + 1).collect();
    if lines.len() > TOLD {
        lines.truncate(TOLD);
        lines.push("...".to_owned());
    }
    lines
}
