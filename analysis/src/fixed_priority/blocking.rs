//! Blocking: how long less urgent tasks delay a task because they are inside a lock.

use std::collections::BTreeMap;

use crate::failure::Failure;
use crate::ticks::{Ticks, sum};

/// A critical section: a task holds a lock for at most this long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Section {
    /// The task's position in the order of priorities, the most urgent first.
    pub task: usize,
    /// Which lock.
    pub lock: usize,
    /// The longest execution time inside, including nested sections.
    pub length: Ticks,
}

/// Blocking of each of `tasks` tasks under ceilings: the longest section of a less urgent task in a lock that
/// this task or a more urgent one uses.
///
/// *Safe* for the immediate ceiling protocol and the original one, on one processor, if no task suspends
/// itself inside: Sha, Rajkumar and Lehoczky, *Priority inheritance protocols: an approach to real-time
/// synchronization* (1990), theorem 12; Baker, *Stack-based scheduling of realtime processes* (1991).
/// Sections may nest. Cost: tasks times sections.
pub fn ceiling(tasks: usize, sections: &[Section]) -> Vec<Ticks> {
    let longest = |task| blocking_sections(task, sections).map(|section| section.length).max();
    (0..tasks).map(|task| longest(task).unwrap_or(Ticks::ZERO)).collect()
}

/// Blocking of each of `tasks` tasks under priority inheritance: once by each less urgent task, or once in
/// each lock, whichever is shorter.
///
/// *Safe* for sections that don't nest, on one processor, if no task suspends itself inside: Sha, Rajkumar
/// and Lehoczky (1990), theorems 3 to 5. Cost: tasks times sections.
///
/// # Errors
/// [`Failure::TimesTooLarge`].
pub fn inheritance(tasks: usize, sections: &[Section]) -> Result<Vec<Ticks>, Failure> {
    let blocking = |task| {
        let by_task =
            longest_each(blocking_sections(task, sections).map(|section| (section.task, section.length)))?;
        let by_lock =
            longest_each(blocking_sections(task, sections).map(|section| (section.lock, section.length)))?;
        Ok(by_task.min(by_lock))
    };
    (0..tasks).map(blocking).collect()
}

/// The sections of less urgent tasks in locks whose ceiling is this task or above.
fn blocking_sections(task: usize, sections: &[Section]) -> impl Iterator<Item = &Section> {
    let reaches = move |lock| sections.iter().any(|user| user.lock == lock && user.task <= task);
    sections.iter().filter(move |section| section.task > task && reaches(section.lock))
}

/// The sum over all keys of the longest length with that key.
fn longest_each(lengths: impl Iterator<Item = (usize, Ticks)>) -> Result<Ticks, Failure> {
    let mut longest: BTreeMap<usize, Ticks> = BTreeMap::new();
    for (key, length) in lengths {
        let known = longest.entry(key).or_default();
        *known = length.max(*known);
    }
    sum(longest.into_values().map(Ok))
}
