//! Declarations that the proof relies on, compared with a trace: how long locks are held, and how soon
//! threads become ready again.
//!
//! A hold is execution time: the holder's processor time while it holds the lock, including time in a lent
//! place. The trace doesn't show locks that are taken without the kernel, so these aren't checked. A thread
//! with a `separation` T and a `jitter` J arrives at instants at least T apart, and becomes ready at most J
//! after each. The trace shows when it became ready; the check follows the earliest arrivals that fit, and a
//! wake-up that none fits came too soon. If a trace doesn't show which thread has the processor, holds aren't
//! checked.

use beryl_abi::{Awaited, Duration, Instant, SemaphoreId, ThreadId};
use serde::Serialize;

use super::Statistics;
use crate::clock::Nanoseconds;
use crate::jobs::{History, Run};
use crate::names::Names;
use crate::objects::{HoldPromise, SeparationPromise};
use crate::table::table;
use crate::waits::{Held, Waited};

/// A declared limit, and the observations of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Promise {
    /// The thread.
    pub thread: String,
    /// The kind of limit.
    #[serde(flatten)]
    pub kind: Kind,
    /// The declared value.
    #[serde(rename = "promised_ns")]
    pub promised: Nanoseconds,
    /// The longest hold, or the shortest time between two wake-ups.
    #[serde(rename = "observed_ns")]
    pub observed: Nanoseconds,
    /// The number of observations.
    pub times: usize,
    /// How often it was broken.
    pub broken: usize,
}

/// A kind of declared limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "promise", rename_all = "snake_case")]
pub enum Kind {
    /// The longest hold of a lock.
    Hold {
        /// The lock.
        lock: String,
    },
    /// The least time since the last wake-up, less the jitter.
    Separation {
        /// How late a wake-up may be.
        #[serde(rename = "jitter_ns")]
        jitter: Nanoseconds,
    },
}

/// All limits with at least one observation.
pub(super) fn promises(history: &History, names: &Names) -> Vec<Promise> {
    let holds = names.objects.holds.iter().filter_map(|promise| hold(promise, history, names));
    let separations =
        names.objects.separations.iter().filter_map(|promise| separation(promise, history, names));
    holds.chain(separations).collect()
}

fn hold(promise: &HoldPromise, history: &History, names: &Names) -> Option<Promise> {
    if history.runs.is_empty() {
        return None;
    }
    let HoldPromise { thread, lock, most } = *promise;
    let (thread, lock) = (ThreadId(thread), SemaphoreId(lock));
    let own: Vec<&Run> = history.runs.iter().filter(|run| run.thread == thread).collect();
    let held = history.waits.holds.iter().filter(|held| held.thread == thread && held.lock == lock);
    let lengths: Vec<Nanoseconds> = held.map(|held| names.tick.length(worked(&own, held))).collect();
    Some(Promise {
        thread: names.thread(thread),
        kind: Kind::Hold { lock: names.lock(lock) },
        promised: most,
        observed: lengths.iter().copied().max()?,
        times: lengths.len(),
        broken: lengths.iter().filter(|length| **length > most).count(),
    })
}

/// The holder's processor time while it held the lock. Its runs are in order.
fn worked(own: &[&Run], held: &Held) -> Duration {
    let first = own.partition_point(|run| run.to <= held.from);
    let inside = own.iter().skip(first).take_while(|run| run.from < held.to);
    let lengths = inside.map(|run| run.to.min(held.to).since(run.from.max(held.from)));
    lengths.fold(Duration::ZERO, Duration::plus)
}

fn separation(promise: &SeparationPromise, history: &History, names: &Names) -> Option<Promise> {
    let thread = ThreadId(promise.thread);
    // A wait that never ended ends with the trace.
    let is_over = |wait: &&Waited| wait.to < history.span.1;
    let own = history.waits.waits.iter().filter(is_over);
    let own = own.filter(|wait| wait.thread == thread && is_wake_up(wait));
    let since_start = |wait: &Waited| names.tick.length(wait.to.since(Instant::START)).number();
    let wakes: Vec<u64> = own.map(since_start).collect();
    let shortest = wakes.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).min()?;
    Some(Promise {
        thread: names.thread(thread),
        kind: Kind::Separation { jitter: promise.jitter },
        promised: promise.least,
        observed: Nanoseconds::new(shortest),
        times: wakes.len(),
        broken: too_soon(&wakes, promise.least.number(), promise.jitter.number()),
    })
}

/// Whether a thread becomes ready by the end of a wait other than for a lock. A wait that ends as it begins
/// doesn't count.
fn is_wake_up(wait: &Waited) -> bool {
    let is_lock = wait.owner.is_some() || matches!(wait.awaited, Awaited::Call | Awaited::Reply);
    !is_lock && wait.awaited != Awaited::Period && wait.to > wait.from
}

/// How many wake-ups came too soon for any arrivals that are far enough apart.
fn too_soon(wakes: &[u64], least: u64, jitter: u64) -> usize {
    let (mut count, mut next) = (0, 0);
    for wake in wakes.iter().copied() {
        let arrival = wake.saturating_sub(jitter).max(next);
        count += usize::from(arrival > wake);
        next = arrival.min(wake).saturating_add(least);
    }
    count
}

impl Promise {
    /// A broken promise in words.
    fn warning(&self) -> Option<String> {
        let Promise { thread, promised, observed, .. } = self;
        (self.broken > 0).then(|| match &self.kind {
            Kind::Hold { lock } => format!(
                "{thread}: it held {lock} for {observed} of processor time, the description says at most {promised}: raise its \
                 `hold`, or the proof doesn't hold"
            ),
            Kind::Separation { jitter } => format!(
                "{thread}: it became ready {observed} after the last time, the description says no sooner than {promised} less a \
                 jitter of {jitter}: lower its `separation` or raise its `jitter`, or the proof doesn't hold"
            ),
        })
    }
}

impl Statistics {
    /// Limits compared with observations; empty if there are none, or the trace doesn't have them.
    #[must_use]
    pub fn promise_table(&self) -> String {
        let rows = self.promises.iter().map(|row| {
            let (what, promised) = match &row.kind {
                Kind::Hold { lock } => (format!("holds {lock}"), format!("at most {}", row.promised)),
                Kind::Separation { jitter } => {
                    ("becomes ready".to_owned(), format!("every {}, late by {jitter}", row.promised))
                }
            };
            let observed = row.observed.to_string();
            [row.thread.clone(), what, promised, observed, row.times.to_string(), row.broken.to_string()]
        });
        table(["thread", "promise", "declared", "observed", "times", "broken"], &rows.collect::<Vec<_>>())
    }

    /// The promises that were broken, in words.
    pub(super) fn broken_promises(&self) -> impl Iterator<Item = String> {
        self.promises.iter().filter_map(Promise::warning)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wake_ups_may_follow_sooner_by_what_the_last_was_late() {
        let cases: [(&[u64], u64, usize); 7] = [
            (&[0, 10, 20], 0, 0),
            (&[0, 9, 20], 0, 1),
            // The first was 3 late, the others weren't.
            (&[13, 20, 30], 3, 0),
            // No arrivals allow all three.
            (&[13, 20, 27], 3, 1),
            (&[13, 19], 3, 1),
            (&[13, 13], 9, 1),
            (&[13, 13, 23], 10, 0),
        ];
        for (wakes, jitter, broken) in cases {
            assert_eq!(too_soon(wakes, 10, jitter), broken, "{wakes:?} {jitter}");
        }
    }

    /// No pattern that the promise allows is reported, and every pattern that no arrivals allow is.
    #[test]
    fn what_is_found_is_what_no_arrivals_allow() {
        let (least, jitter) = (4, 3);
        for pattern in 0..8_u64.pow(3) {
            let steps = [pattern % 8, pattern / 8 % 8, pattern / 64];
            let mut wakes = vec![10];
            steps.iter().for_each(|step| wakes.push(wakes[wakes.len() - 1] + step));
            assert_eq!(
                too_soon(&wakes, least, jitter) == 0,
                is_allowed(&wakes, 0, least, jitter),
                "{wakes:?}"
            );
        }
    }

    /// Tries all arrivals.
    fn is_allowed(wakes: &[u64], earliest: u64, least: u64, jitter: u64) -> bool {
        let Some((wake, others)) = wakes.split_first() else { return true };
        (earliest.max(wake - jitter)..=*wake)
            .any(|arrival| is_allowed(others, arrival + least, least, jitter))
    }

    #[test]
    fn a_hold_is_what_its_holder_had_of_the_processor() {
        let run = |from: u64, to: u64| Run {
            thread: ThreadId(1),
            from: Instant::from_ticks(from),
            to: Instant::from_ticks(to),
        };
        let runs = [run(0, 5), run(8, 12), run(20, 30), run(40, 41)];
        let held = Held {
            thread: ThreadId(1),
            lock: SemaphoreId(0),
            within: 0,
            from: Instant::from_ticks(3),
            to: Instant::from_ticks(24),
        };
        assert_eq!(worked(&runs.iter().collect::<Vec<_>>(), &held).ticks(), 2 + 4 + 4);
        let mut names = Names::parse(include_str!("../../tests/names.json")).expect("names");
        names.objects.holds = vec![HoldPromise { thread: 1, lock: 0, most: Nanoseconds::new(1) }];
        let mut history = History { runs: runs.to_vec(), ..History::default() };
        history.waits.holds.push(held);
        let seen = promises(&history, &names);
        assert_eq!((seen[0].observed, seen[0].broken), (names.tick.length(Duration::from_ticks(10)), 1));
        // Without processor times, nobody knows whether the promise was kept.
        history.runs.clear();
        assert_eq!(promises(&history, &names), []);
    }
}
