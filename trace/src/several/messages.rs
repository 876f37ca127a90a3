//! What one kernel's jobs have told those of others: from the instant at which a value was sent to the release of the job that
//! has read it.
//!
//! A job's value counts from an instant on that is known. Over the bus goes the frame whose values count then, if the job was
//! done when its slot began; through memory it goes when the job is done. Of what has arrived, a job has the newest that counts at its release.

use std::collections::BTreeMap;

use beryl_abi::frame::Fate;

use super::{Carried, Several};
use crate::clock::LogicalInstant;
use crate::jobs::{History, Job, Outcome};
use crate::names::Names;

/// A message, and who has read it. Jobs are told by the number of their kernel, and their own in that one's [`History`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Whose value it is.
    pub from: (usize, usize),
    /// When it was sent.
    pub sent: LogicalInstant,
    /// What has become of it.
    pub fate: Fate,
    /// The jobs that have it before any newer one.
    pub read: Vec<(usize, usize)>,
}

/// A kernel of the run: what it did, and what its numbers are called.
pub type Part<'a> = (&'a History, &'a Names);

/// All messages of a run, in the order of their sending. What was sent and had a newer one before anybody looked isn't among them.
#[must_use]
pub fn messages(several: &Several, parts: &[Part<'_>]) -> Vec<Message> {
    let over_bus = frames(several);
    let mut found: BTreeMap<Key, Message> = BTreeMap::new();
    // Of what one task has sent, which is the last that a job could read.
    let mut newest: BTreeMap<Reading, Key> = BTreeMap::new();
    for (number, crossing) in several.crossings.iter().enumerate() {
        let Some(after) = crossing.counts_after else { continue };
        let (kernel, task) = (crossing.from.0, &crossing.from.1);
        let readers: Vec<_> = crossing
            .to
            .iter()
            .map(|(reader, name)| (*reader, jobs(parts, *reader, name).collect::<Vec<_>>()))
            .collect();
        for (index, job) in jobs(parts, kernel, task) {
            let Some(done) = done(parts, kernel, job) else { continue };
            let counts = logical(parts, kernel, job.release).after(after);
            let frame = over_bus.get(&(number, counts)).filter(|carried| done <= carried.span().0);
            for (reader, its) in &readers {
                let (sent, fate) = match frame {
                    _ if several.are_near(kernel, *reader) => (done, Fate::Came),
                    Some(carried) => (carried.span().0, carried.fate),
                    None => continue,
                };
                let key = (sent, kernel, index);
                let read = its.iter().find(|(_, job)| logical(parts, *reader, job.release) >= counts);
                let message = Message { from: (kernel, index), sent, fate, read: Vec::new() };
                found.entry(key).or_insert(message);
                if let Some((job_read, _)) = read.filter(|_| fate == Fate::Came) {
                    newest.insert((kernel, job.task.0, *reader, *job_read), key);
                }
            }
        }
    }
    for ((_, _, reader, job), key) in newest {
        found.entry(key).and_modify(|message| message.read.push((reader, job)));
    }
    found.into_values().filter(|message| message.fate != Fate::Came || !message.read.is_empty()).collect()
}

/// When it was sent, and by which job of which kernel.
type Key = (LogicalInstant, usize, usize);

/// Kernel and task that sends, kernel and job that reads.
type Reading = (usize, u8, usize, usize);

/// For each value and each instant at which it counts, the frame that has carried it.
fn frames(several: &Several) -> BTreeMap<(usize, LogicalInstant), Carried<'_>> {
    let of_each = several.carried().flat_map(|carried| {
        let counts = carried.cycle.after(carried.frame.counts);
        carried.frame.crossings.iter().map(move |crossing| ((*crossing, counts), carried))
    });
    of_each.collect()
}

/// The jobs of a task, in the order of their releases, with their numbers.
fn jobs<'a>(parts: &'a [Part<'_>], kernel: usize, task: &str) -> impl Iterator<Item = (usize, &'a Job)> {
    let part = parts.get(kernel);
    let thread = part.and_then(|(_, names)| names.threads.iter().position(|thread| thread.name == task));
    let all = part.into_iter().flat_map(|(history, _)| history.jobs.iter().enumerate());
    all.filter(move |(_, job)| thread == Some(job.task.index()))
}

/// When a job was done, if it has published.
fn done(parts: &[Part<'_>], kernel: usize, job: &Job) -> Option<LogicalInstant> {
    let end = job.end.filter(|_| matches!(job.outcome, Outcome::Completed | Outcome::Missed))?;
    Some(logical(parts, kernel, end))
}

fn logical(parts: &[Part<'_>], kernel: usize, instant: beryl_abi::Instant) -> LogicalInstant {
    parts.get(kernel).map(|(_, names)| names.tick.logical(instant)).unwrap_or_default()
}
