//! A plain scheduler: who runs when if each job takes as long as it may.

use crate::error::GenerateError;
use crate::tasks::{Task, TaskSet};

/// A stretch of time in which a task runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The task.
    pub task: usize,
    /// When its job was released.
    pub released: u64,
    /// When it begins to run.
    pub begin: u64,
    /// When it stops, done or not.
    pub end: u64,
}

/// Who goes first. Of equal ones the later release does, then the lower number.
#[derive(Clone, Copy)]
enum First {
    Deadline,
    Period,
}

/// When the choice is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    /// At releases and ends of jobs.
    Preemptive,
    /// At ends of jobs only.
    ToTheEnd,
    /// At multiples of a slice.
    Sliced(u64),
}

#[derive(Clone, Copy)]
struct Job {
    task: usize,
    released: u64,
    period: u64,
    deadline: u64,
    left: u64,
}

/// Runs the earliest deadline first for a hyperperiod.
pub(crate) fn earliest_deadline(set: &TaskSet, choice: Choice) -> Result<Vec<Segment>, GenerateError> {
    run(set, First::Deadline, choice)
}

/// Runs the shortest period first for a hyperperiod, preemptively.
pub(crate) fn shortest_period(set: &TaskSet) -> Result<Vec<Segment>, GenerateError> {
    run(set, First::Period, Choice::Preemptive)
}

fn run(set: &TaskSet, first: First, choice: Choice) -> Result<Vec<Segment>, GenerateError> {
    let slice = if let Choice::Sliced(slice) = choice { Some(slice) } else { None };
    let hyperperiod = set.hyperperiod()?;
    let mut jobs: Vec<Job> = Vec::new();
    let mut segments: Vec<Segment> = Vec::new();
    let mut now = 0;
    let mut released = None;
    while now < hyperperiod {
        release(set, &mut jobs, released, now);
        released = Some(now);
        let next_release =
            set.tasks.iter().map(|task| now - now % task.period + task.period).min().unwrap_or(hyperperiod);
        let next_choice = slice.map_or(next_release, |slice| now - now % slice + slice).min(hyperperiod);
        let chosen = (0..jobs.len()).min_by_key(|index| {
            jobs.get(*index).map(|job| {
                let key = match first {
                    First::Deadline => job.deadline,
                    First::Period => job.period,
                };
                (key, std::cmp::Reverse(job.released), job.task)
            })
        });
        let Some(job) = chosen.and_then(|index| jobs.get_mut(index)) else {
            now = next_choice;
            continue;
        };
        let end = if choice == Choice::ToTheEnd { now + job.left } else { next_choice.min(now + job.left) };
        job.left -= end - now;
        let segment = Segment { task: job.task, released: job.released, begin: now, end };
        match segments.last_mut() {
            Some(last)
                if slice.is_none()
                    && (last.task, last.end) == (job.task, now)
                    && last.released == job.released =>
            {
                last.end = end;
            }
            _ => segments.push(segment),
        }
        if end > job.deadline || (end == job.deadline && job.left > 0) {
            let name = set.tasks.get(job.task).map(|task| task.name.clone());
            return Err(GenerateError::Missed { task: name.unwrap_or_default(), deadline: job.deadline });
        }
        jobs.retain(|job| job.left > 0);
        now = if slice.is_some() { next_choice } else { end };
    }
    match jobs.first() {
        Some(job) if job.left > 0 => {
            let name = set.tasks.get(job.task).map(|task| task.name.clone());
            Err(GenerateError::Missed { task: name.unwrap_or_default(), deadline: job.deadline })
        }
        _ => late(set, &segments),
    }
}

/// Releases what is due after `before` and up to `now`.
fn release(set: &TaskSet, jobs: &mut Vec<Job>, before: Option<u64>, now: u64) {
    for (index, task) in set.tasks.iter().enumerate() {
        let first = before.map_or(0, |before| before - before % task.period + task.period);
        let mut released = first;
        while released <= now {
            let Task { period, deadline, bound, .. } = *task;
            jobs.push(Job { task: index, released, period, deadline: released + deadline, left: bound });
            released += period;
        }
    }
}

/// Every job must have run as long as it may up to its deadline.
fn late(set: &TaskSet, segments: &[Segment]) -> Result<Vec<Segment>, GenerateError> {
    for segment in segments {
        let Some(task) = set.tasks.get(segment.task) else { continue };
        let deadline = segment.released + task.deadline;
        if segment.end > deadline {
            return Err(GenerateError::Missed { task: task.name.clone(), deadline });
        }
    }
    Ok(segments.to_vec())
}
