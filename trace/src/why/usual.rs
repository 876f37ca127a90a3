//! What jobs of a task usually meet between release and end: a job is late compared with the others.

use beryl_abi::{Duration, ThreadId};

use super::{Cause, Step, steps};
use crate::jobs::History;
use crate::names::Names;

/// How much of a job's response time one cause took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The cause.
    pub cause: Cause,
    /// Its time.
    pub length: Duration,
}

/// Medians over the jobs of a task that completed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Usual {
    /// How many jobs were looked at.
    pub jobs: usize,
    /// The median response time; nothing if no job completed.
    pub response: Option<Duration>,
    /// The median of what each cause took; causes that usually take nothing are left out.
    pub parts: Vec<Part>,
}

/// Of a long trace, not all jobs are looked at: about so many, evenly chosen.
const MOST_JOBS: usize = 1000;
/// And no more than so many steps of them: jobs that were open for all of the trace have as many as it has.
const MOST_STEPS: usize = 2_000_000;

impl Usual {
    pub(super) fn of(history: &History, names: &Names, task: ThreadId) -> Usual {
        let completed: Vec<_> = history.jobs_of(task).filter(|job| job.response().is_some()).collect();
        let stride = completed.len().div_ceil(MOST_JOBS).max(1);
        let mut responses: Vec<Duration> = Vec::new();
        let mut causes: Vec<(Cause, Vec<Duration>)> = Vec::new();
        let mut walked = 0;
        for job in completed.iter().step_by(stride) {
            let steps = steps(history, names, job);
            walked += steps.len();
            responses.extend(job.response());
            for part in parts(&steps) {
                match causes.iter_mut().find(|(cause, _)| *cause == part.cause) {
                    Some((_, lengths)) => lengths.push(part.length),
                    None => causes.push((part.cause, vec![part.length])),
                }
            }
            if walked > MOST_STEPS {
                break;
            }
        }
        let jobs = responses.len();
        // Where a cause didn't appear in a job, it took nothing.
        let usual = |(cause, mut lengths): (Cause, Vec<Duration>)| {
            lengths.resize(jobs.max(lengths.len()), Duration::ZERO);
            Some(Part { cause, length: median(lengths)? }).filter(|part| part.length > Duration::ZERO)
        };
        Usual { jobs, response: median(responses), parts: causes.into_iter().filter_map(usual).collect() }
    }

    /// What a cause usually takes.
    #[must_use]
    pub fn of_cause(&self, cause: Cause) -> Duration {
        self.parts.iter().find(|part| part.cause == cause).map_or(Duration::ZERO, |part| part.length)
    }
}

/// Steps, summed up by cause.
pub(super) fn parts(steps: &[Step]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for step in steps {
        let length = step.to.since(step.from);
        let cause = step.cause.summed();
        match parts.iter_mut().find(|part| part.cause == cause) {
            Some(part) => part.length = part.length.plus(length),
            None => parts.push(Part { cause, length }),
        }
    }
    parts
}

/// The lower one of the two in the middle.
fn median(mut lengths: Vec<Duration>) -> Option<Duration> {
    lengths.sort_unstable();
    lengths.get(lengths.len().saturating_sub(1) / 2).copied()
}
