//! A chain in words: a line for each step with its instant, the sums, and the decisive cause.

use beryl_abi::{Awaited, Duration, Instant};
use serde_json::{Value, json};

use super::{Cause, Chain, Step, job_at};
use crate::jobs::{History, Outcome};
use crate::names::{Names, ThreadKind};
use crate::table::table;

/// Of a longer chain, this many steps are shown: half from its beginning, half from its end.
const STEPS_TOLD: usize = 40;

impl Chain {
    /// The outcome of the job, in a line.
    #[must_use]
    pub fn verdict(&self, names: &Names) -> String {
        let length = |duration: Duration| names.tick.length(duration);
        let job = &self.job;
        let usual = match self.usual.response {
            Some(response) if self.usual.jobs > 1 => format!("; usual are {}", length(response)),
            _ => String::new(),
        };
        match (job.outcome, job.end) {
            (Outcome::Completed, Some(end)) => format!(
                "in time: done after {}, {} before its deadline{usual}",
                length(end.since(job.release)),
                length(job.deadline.since(end))
            ),
            (Outcome::Missed, Some(end)) => format!(
                "late: done after {}, {} after its deadline{usual}",
                length(end.since(job.release)),
                length(end.since(job.deadline))
            ),
            (Outcome::Missed, None) => {
                format!("late: it missed its deadline and wasn't done when the trace ended{usual}")
            }
            (Outcome::Violated, _) => format!(
                "stopped: the program needed its result at {}, and it wasn't done{usual}",
                names.tick.logical(job.deadline)
            ),
            (Outcome::Faulted, Some(end)) => {
                format!("stopped by a fault at {}", names.tick.logical(end))
            }
            _ => "its end isn't in the trace".to_owned(),
        }
    }

    /// The chain, a line for each step: instant, length, what happened.
    #[must_use]
    pub fn lines(&self, history: &History, names: &Names) -> Vec<String> {
        let at = |instant: Instant| names.tick.logical(instant).to_string();
        let release = [
            at(self.job.release),
            String::new(),
            format!("released, to be done by {}", at(self.job.deadline)),
        ];
        let told = self.steps.len();
        let half = STEPS_TOLD / 2;
        let shown = |position: usize| told <= STEPS_TOLD || position < half || position >= told - half;
        let mut rows = vec![release];
        for (position, step) in self.steps.iter().enumerate() {
            if shown(position) {
                let length = names.tick.length(step.to.since(step.from)).to_string();
                rows.push([at(step.from), length, self.reason(position, step, history, names)]);
            } else if position == half {
                rows.push(["...".to_owned(), String::new(), format!("{} more steps", told - 2 * half)]);
            }
        }
        let end = self.job.end.map_or(self.end(), |end| end);
        rows.push([at(end), String::new(), ending(self.job.outcome).to_owned()]);
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let (instants, lengths) = (width(0), width(1));
        let line = |[at, length, what]: &[String; 3]| format!("{at:>instants$}  {length:>lengths$}  {what}");
        rows.iter().map(line).collect()
    }

    /// The reason for the use of a stretch of time.
    fn reason(&self, position: usize, step: &Step, history: &History, names: &Names) -> String {
        let job = &self.job;
        let has_run = job.start.is_some_and(|start| start < step.from);
        match step.cause {
            Cause::Own if !has_run && position == 0 => "has the processor at once".to_owned(),
            Cause::Own if !has_run => "gets the processor for the first time".to_owned(),
            Cause::Own => "goes on".to_owned(),
            Cause::EarlierJob => "its task's earlier job isn't done yet".to_owned(),
            Cause::Kernel => "the kernel comes first: it has not told of the release yet".to_owned(),
            Cause::Idle => {
                "the processor is idle: it waits for something else, which the trace doesn't tell".to_owned()
            }
            Cause::Unknown => "the trace doesn't tell who had the processor".to_owned(),
            Cause::Lock { awaited, object, owner, runs } => {
                let (what, holder) = (names.awaited(awaited, object), names.thread(owner));
                let has = if awaited == Awaited::Semaphore { "has" } else { "serves" };
                match runs == owner {
                    true => format!("waits for {what}, which {holder} {has}: it runs in its place"),
                    false => {
                        let other = names.thread(runs);
                        format!("waits for {what}, which {holder} {has}; {other} has the processor")
                    }
                }
            }
            Cause::Wait { awaited, object } => format!("waits for {}", names.awaited(awaited, object)),
            Cause::Other(thread) => {
                let verb = if has_run { "preempted by" } else { "waits for" };
                let name = names.thread(thread);
                let kind = names.known_thread(thread).map(|known| known.kind);
                let why = match (kind, job_at(history, thread, step.from)) {
                    (Some(ThreadKind::Driver), _) => "native drivers come before all tasks".to_owned(),
                    (_, Some(other)) => {
                        let relation = match other.deadline.cmp(&job.deadline) {
                            std::cmp::Ordering::Less => "due earlier",
                            std::cmp::Ordering::Equal => "due at the same time",
                            std::cmp::Ordering::Greater => {
                                "first by band, priority or lock, though due later"
                            }
                        };
                        format!(
                            "released at {}, {relation}, at {}",
                            names.tick.logical(other.release),
                            names.tick.logical(other.deadline)
                        )
                    }
                    (Some(ThreadKind::Free), None) => match history.waits.before(thread, step.from) {
                        Some(wait) => format!(
                            "it had waited for {}, which came at {}",
                            names.awaited(wait.awaited, wait.object),
                            names.tick.logical(wait.to)
                        ),
                        None => "it has no jobs".to_owned(),
                    },
                    _ => "no job of it is open".to_owned(),
                };
                format!("{verb} {name}: {why}")
            }
        }
    }

    /// The parts of its response time, compared with the usual ones.
    #[must_use]
    pub fn sums(&self, names: &Names) -> String {
        let length = |duration: Duration| names.tick.length(duration);
        let others =
            self.usual.parts.iter().filter(|usual| self.parts.iter().all(|part| part.cause != usual.cause));
        let parts = self.parts.iter().map(|part| (part.cause, part.length));
        let all = parts.chain(others.map(|usual| (usual.cause, Duration::ZERO)));
        let rows = all.map(|(cause, here)| {
            let usual = self.usual.of_cause(cause);
            [
                called(cause, names),
                length(here).to_string(),
                length(usual).to_string(),
                change(here, usual, names),
            ]
        });
        table(["", "here", "usually", "difference"], &rows.collect::<Vec<_>>())
    }

    /// What made the job later than others, or took most of its time if it was late.
    #[must_use]
    pub fn blame(&self, names: &Names) -> Vec<String> {
        let length = |duration: Duration| names.tick.length(duration).to_string();
        let mut blame = Vec::new();
        let declared = names.known_thread(self.job.task).and_then(|known| known.declared);
        let executed = names.tick.length(self.job.executed);
        if let Some(declared) = declared.filter(|declared| executed > declared.worst) {
            blame.push(format!(
                "it took {executed} itself, more than the {} that are declared",
                declared.worst
            ));
        }
        let longer = |part: &&super::Part| part.length > self.usual.of_cause(part.cause);
        let more = |part: &&super::Part| part.length.minus(self.usual.of_cause(part.cause));
        if let Some(part) = self.parts.iter().filter(longer).max_by_key(more).filter(|_| self.usual.jobs > 1)
        {
            let difference = part.length.minus(self.usual.of_cause(part.cause));
            blame.push(format!(
                "longer than usual above all by {} of {}",
                length(difference),
                called(part.cause, names)
            ));
        }
        let others = self.parts.iter().filter(|part| !matches!(part.cause, Cause::Own));
        if let Some(part) = others.max_by_key(|part| part.length) {
            blame.push(format!(
                "most of what it waited: {} of {}",
                length(part.length),
                called(part.cause, names)
            ));
        }
        blame
    }

    /// The chain as JSON; times are in nanoseconds.
    #[must_use]
    pub fn to_json(&self, history: &History, names: &Names) -> Value {
        let at = |instant: Instant| names.tick.logical(instant).nanoseconds();
        let length = |duration: Duration| names.tick.length(duration).number();
        let step = |(position, step): (usize, &Step)| {
            json!({
                "from_ns": at(step.from),
                "to_ns": at(step.to),
                "cause": called(step.cause, names),
                "reason": self.reason(position, step, history, names),
            })
        };
        let part = |part: &super::Part| {
            json!({
                "cause": called(part.cause, names),
                "here_ns": length(part.length),
                "usually_ns": length(self.usual.of_cause(part.cause)),
            })
        };
        json!({
            "task": names.thread(self.job.task),
            "job": self.number,
            "release_ns": at(self.job.release),
            "deadline_ns": at(self.job.deadline),
            "end_ns": self.job.end.map(at),
            "executed_ns": length(self.job.executed),
            "verdict": self.verdict(names),
            "steps": self.steps.iter().enumerate().map(step).collect::<Vec<_>>(),
            "parts": self.parts.iter().map(part).collect::<Vec<_>>(),
            "blame": self.blame(names),
        })
    }
}

fn ending(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Completed => "done",
        Outcome::Missed => "done, too late",
        Outcome::Violated => "stopped: its result was needed",
        Outcome::Faulted => "stopped by a fault",
        Outcome::Open => "no end is told",
    }
}

fn called(cause: Cause, names: &Names) -> String {
    match cause {
        Cause::Own => "itself".to_owned(),
        Cause::EarlierJob => "its earlier job".to_owned(),
        Cause::Other(thread) => names.thread(thread),
        Cause::Kernel => "the kernel".to_owned(),
        Cause::Lock { awaited, object, .. } | Cause::Wait { awaited, object } => {
            names.awaited(awaited, object)
        }
        Cause::Idle => "idle".to_owned(),
        Cause::Unknown => "not told".to_owned(),
    }
}

fn change(here: Duration, usual: Duration, names: &Names) -> String {
    match here.cmp(&usual) {
        std::cmp::Ordering::Equal => "=".to_owned(),
        std::cmp::Ordering::Greater => format!("+{}", names.tick.length(here.minus(usual))),
        std::cmp::Ordering::Less => format!("-{}", names.tick.length(usual.minus(here))),
    }
}
