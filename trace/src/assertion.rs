//! Assertions: what must hold in every run of a system, checked on a trace, simulated or recorded.

mod across;
mod chain;
mod point;
pub mod stated;
#[cfg(test)]
mod tests;
mod within;

use beryl_abi::{Duration, Instant, ThreadId};
use serde::{Deserialize, Serialize};

use crate::event::{Event, Happening};
use crate::incident::Incident;
use crate::jobs::{History, Outcome};
use crate::names::Names;

pub use point::Point;
pub use stated::{Says, Stated};
pub use within::Mode;

use point::Occurrence;
use within::{Edge, When};

/// An assertion, and where it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asserted {
    /// What must hold.
    pub assertion: Assertion,
    /// The mode in which it holds; `None` for always. A job belongs to the mode in which it was released. Of
    /// two points, the reference point decides: the first of a latency, the second of an age and an order.
    pub mode: Option<Mode>,
}

/// A condition that must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assertion {
    /// Every job of a task completes within a time from its release. A stopped job breaks it.
    Response {
        /// The task.
        task: ThreadId,
        /// The longest time.
        most: Duration,
    },
    /// A recurring point has a steady delay: a task's starts and ends from the release, sensors and actuators
    /// from their logical instant. The difference between the longest and the shortest delay is limited.
    Jitter {
        /// The recurring point.
        of: Point,
        /// The largest difference.
        most: Duration,
    },
    /// After each `from`, the next `to` comes within a time.
    Latency {
        /// The cause.
        from: Point,
        /// The effect.
        to: Point,
        /// The longest time.
        most: Duration,
    },
    /// At each `at`, the last `of` before it is no older than a time.
    Age {
        /// The source.
        of: Point,
        /// The use.
        at: Point,
        /// The greatest age.
        most: Duration,
    },
    /// Each `second` has a `first` before it, and after the previous `second`. At the same instant, `first`
    /// counts as earlier.
    Order {
        /// What comes first.
        first: Point,
        /// What comes after it.
        second: Point,
    },
    /// It never happens.
    Never {
        /// The kind of trouble.
        what: Trouble,
        /// The thread; `None` for any thread.
        of: Option<ThreadId>,
    },
}

/// Trouble that can be forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trouble {
    /// A job completed after its deadline.
    Miss,
    /// The program needed the result of a task that was still at work.
    Violation,
    /// A thread did something that it may not do.
    Fault,
    /// A job used more processor time than declared.
    Overrun,
    /// A driver or a release was skipped.
    Skip,
    /// An unexpected interrupt came.
    Stray,
}

impl Trouble {
    /// The names, as files write them.
    pub const NAMES: [(&'static str, Trouble); 6] = [
        ("miss", Trouble::Miss),
        ("violation", Trouble::Violation),
        ("fault", Trouble::Fault),
        ("overrun", Trouble::Overrun),
        ("skip", Trouble::Skip),
        ("stray", Trouble::Stray),
    ];

    fn is(self, happening: &Happening) -> bool {
        matches!(
            (self, happening),
            (Trouble::Miss, Happening::Miss { .. })
                | (Trouble::Violation, Happening::Violation { .. })
                | (Trouble::Fault, Happening::Fault { .. })
                | (Trouble::Overrun, Happening::Overrun { .. })
                | (Trouble::Skip, Happening::Skip { .. })
                | (Trouble::Stray, Happening::Stray { .. })
        )
    }
}

/// The result of checking an assertion on a trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// How often it could be checked.
    pub checked: usize,
    /// How often it was broken.
    pub broken: usize,
    /// The highest value seen of the limited quantity.
    pub most: Option<Duration>,
    /// When it was first broken, and how.
    pub first: Option<(Instant, String)>,
}

impl Verdict {
    /// Whether it was checked and never broken.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.broken == 0 && self.checked > 0
    }

    /// Counts one more check of a limited quantity.
    fn limit(&mut self, at: Instant, seen: Duration, most: Duration, names: &Names, what: &str) {
        self.checked += 1;
        self.most = self.most.max(Some(seen));
        if seen > most {
            let [seen, most] = [seen, most].map(|length| names.tick.length(length));
            self.fail(at, || format!("{what} {seen}, more than {most}"));
        }
    }

    fn fail(&mut self, at: Instant, how: impl FnOnce() -> String) {
        self.broken += 1;
        self.first.get_or_insert_with(|| (at, how()));
    }
}

/// A trace to check assertions against.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// The events.
    pub events: &'a [Event],
    /// The jobs, derived from them.
    pub history: &'a History,
    /// The names of their numbers.
    pub names: &'a Names,
}

impl Asserted {
    /// Checks it against a trace, in time linear in the trace's length.
    #[must_use]
    pub fn check(&self, evidence: Evidence) -> Verdict {
        let when = When::of(self.mode, evidence);
        match self.assertion {
            Assertion::Response { task, most } => response(task, most, &when, evidence),
            Assertion::Jitter { of, most } => jitter(of, most, &when, evidence),
            Assertion::Latency { from, to, most } => latency(from, to, most, &when, evidence),
            Assertion::Age { of, at, most } => age(of, at, most, &when, evidence),
            Assertion::Order { first, second } => order(first, second, &when, evidence),
            Assertion::Never { what, of } => never(what, of, &when, evidence),
        }
    }
}

impl From<Assertion> for Asserted {
    fn from(assertion: Assertion) -> Asserted {
        Asserted { assertion, mode: None }
    }
}

fn response(task: ThreadId, most: Duration, when: &When, evidence: Evidence) -> Verdict {
    let mut verdict = Verdict::default();
    let jobs = evidence.history.jobs_of(task);
    for job in jobs.filter(|job| when.holds(job.release, Edge::Begin)) {
        match (job.outcome, job.response(), job.end) {
            (_, Some(response), _) => {
                verdict.limit(job.release, response, most, evidence.names, "the job took")
            }
            (Outcome::Violated | Outcome::Faulted, ..) => {
                verdict.checked += 1;
                verdict.fail(job.release, || "the job was stopped".to_owned());
            }
            _ => {
                // An open job can only be found to be late already.
                let open = evidence.history.span.1.since(job.release);
                if open > most {
                    verdict.limit(job.release, open, most, evidence.names, "the job isn't done after");
                }
            }
        }
    }
    verdict
}

fn jitter(of: Point, most: Duration, when: &When, evidence: Evidence) -> Verdict {
    let mut verdict = Verdict::default();
    let (mut least, mut longest) = (Duration::FOREVER, Duration::ZERO);
    let edge = of.edge(evidence.names);
    for (at, delay) in of.delays(evidence).into_iter().filter(|(at, _)| when.holds(*at, edge)) {
        (least, longest) = (least.min(delay), longest.max(delay));
        verdict.limit(at, longest.minus(least), most, evidence.names, "delays differ by");
    }
    verdict
}

fn latency(from: Point, to: Point, most: Duration, when: &When, evidence: Evidence) -> Verdict {
    let edge = from.edge(evidence.names);
    let causes = from.occurrences(evidence).into_iter().filter(|cause| when.holds(cause.logical, edge));
    followed(causes, &to.occurrences(evidence), most, evidence)
}

/// Each cause is followed by an effect within a time; the evidence is that of the causes.
fn followed(
    causes: impl Iterator<Item = Occurrence>,
    effects: &[Occurrence],
    most: Duration,
    evidence: Evidence,
) -> Verdict {
    let mut verdict = Verdict::default();
    let mut next = 0;
    for cause in causes.map(|cause| cause.at) {
        while effects.get(next).is_some_and(|effect| effect.at <= cause) {
            next += 1;
        }
        match effects.get(next) {
            Some(effect) => {
                verdict.limit(cause, effect.at.since(cause), most, evidence.names, "it came after")
            }
            None => {
                let waited = evidence.history.span.1.since(cause);
                if waited > most {
                    verdict.limit(cause, waited, most, evidence.names, "it hasn't come after");
                }
            }
        }
    }
    verdict
}

fn age(of: Point, at: Point, most: Duration, when: &When, evidence: Evidence) -> Verdict {
    let edge = at.edge(evidence.names);
    let users = at.occurrences(evidence).into_iter().filter(|user| when.holds(user.logical, edge));
    fresh(&of.occurrences(evidence), users, most, evidence)
}

/// Each use has a source that is no older than a time; the evidence is that of the uses.
fn fresh(
    sources: &[Occurrence],
    users: impl Iterator<Item = Occurrence>,
    most: Duration,
    evidence: Evidence,
) -> Verdict {
    let mut verdict = Verdict::default();
    let mut before = 0;
    for user in users.map(|user| user.at) {
        while sources.get(before).is_some_and(|source| source.at < user) {
            before += 1;
        }
        // A use before the first source sees the initial value.
        if let Some(source) = before.checked_sub(1).and_then(|last| sources.get(last)) {
            verdict.limit(user, user.since(source.at), most, evidence.names, "the last one is old by");
        }
    }
    verdict
}

fn order(first: Point, second: Point, when: &When, evidence: Evidence) -> Verdict {
    let edge = second.edge(evidence.names);
    let is_checked = |one: &Occurrence| when.holds(one.logical, edge);
    preceded(&first.occurrences(evidence), second.occurrences(evidence), is_checked)
}

/// Each of the second that is checked has one of the first before it, and after the one before.
fn preceded(
    firsts: &[Occurrence],
    seconds: Vec<Occurrence>,
    is_checked: impl Fn(&Occurrence) -> bool,
) -> Verdict {
    let mut verdict = Verdict::default();
    let mut passed = 0;
    for one in seconds {
        let now = firsts.partition_point(|first| first.at <= one.at);
        // A `second` that isn't checked still consumes the `first` before it.
        if is_checked(&one) {
            verdict.checked += 1;
            if now == passed {
                verdict.fail(one.at, || "nothing of the first kind came before it".to_owned());
            }
        }
        passed = now;
    }
    verdict
}

fn never(what: Trouble, of: Option<ThreadId>, when: &When, evidence: Evidence) -> Verdict {
    // For "never", every event counts as a check.
    let mut verdict = Verdict { checked: evidence.events.len().max(1), ..Verdict::default() };
    // Work that wasn't done when due belongs to the mode that ends then.
    let edge = if matches!(what, Trouble::Miss | Trouble::Violation) { Edge::End } else { Edge::Begin };
    for event in evidence.events.iter().filter(|event| what.is(&event.happening)) {
        let Some(told) = Incident::of(event, evidence.history, evidence.names) else { continue };
        if of.is_none_or(|thread| told.thread == Some(thread)) && when.holds(told.at, edge) {
            let who =
                told.thread.map(|thread| format!("{}: ", evidence.names.thread(thread))).unwrap_or_default();
            verdict.fail(told.at, || who + &told.words);
        }
    }
    verdict
}
