//! What threads waited for, how long locks were held, and how much time the kernel took.

use std::collections::BTreeMap;

use beryl_abi::{Awaited, CallNumber, Duration, SemaphoreId, ThreadId};
use serde::Serialize;

use super::Statistics;
use super::distribution::Distribution;
use crate::clock::Nanoseconds;
use crate::names::Names;
use crate::table::table;
use crate::waits::Waits;

/// How long a thread waited for something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WaitStatistics {
    /// The thread.
    pub thread: String,
    /// What it waited for.
    pub awaited: String,
    /// Whether it was a lock: its owner then ran in the waiting thread's place.
    pub is_lock: bool,
    /// The lengths of the waits.
    pub length: Distribution,
    /// The total.
    #[serde(rename = "whole_ns")]
    pub whole: Nanoseconds,
}

/// How long a lock was held.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LockStatistics {
    /// The lock.
    pub lock: String,
    /// The lengths of the holds.
    pub held: Distribution,
    /// How often another thread waited for it.
    pub contended: usize,
    /// The most other locks that a holder had.
    pub within: usize,
    /// The share of time in which it was held, from 0 to 1.
    pub share: f64,
}

/// The kernel's time for one kind of event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelStatistics {
    /// The reason for the entry.
    pub event: String,
    /// From entry to exit.
    pub length: Distribution,
    /// The share of time, from 0 to 1.
    pub share: f64,
}

/// The awaited object, whether it was a lock, and the length of each wait.
type Lengths = (Awaited, bool, Vec<Duration>);

/// A line for each thread and object that it waited for, in thread order. Waits for releases and instants are
/// a thread's normal rhythm, so they are left out.
pub(super) fn waits(waits: &Waits, names: &Names) -> Vec<WaitStatistics> {
    let mut lengths: BTreeMap<(ThreadId, u8, u8), Lengths> = BTreeMap::new();
    for wait in &waits.waits {
        if matches!(wait.awaited, Awaited::Period | Awaited::Time) {
            continue;
        }
        // A client waits for its turn and then for the reply: count both as the endpoint's.
        let number = if wait.awaited == Awaited::Call { Awaited::Reply as u8 } else { wait.awaited as u8 };
        let row = lengths.entry((wait.thread, number, wait.object));
        let (_, is_lock, all) = row.or_insert_with(|| (wait.awaited, false, Vec::new()));
        *is_lock |= wait.owner.is_some();
        all.push(wait.to.since(wait.from));
    }
    let line = |((thread, _, object), (awaited, is_lock, all)): (_, Lengths)| {
        let whole = all.iter().fold(Duration::ZERO, |sum, length| sum.plus(*length));
        Some(WaitStatistics {
            thread: names.thread(thread),
            awaited: names.awaited(awaited, object),
            is_lock,
            length: Distribution::of(all.iter().map(|length| names.tick.length(*length)).collect())?,
            whole: names.tick.length(whole),
        })
    };
    lengths.into_iter().filter_map(line).collect()
}

/// A line for each lock that was held.
pub(super) fn locks(waits: &Waits, names: &Names, whole: Duration) -> Vec<LockStatistics> {
    let mut holds: BTreeMap<SemaphoreId, (Vec<Duration>, usize)> = BTreeMap::new();
    for held in &waits.holds {
        let (lengths, within) = holds.entry(held.lock).or_default();
        lengths.push(held.to.since(held.from));
        *within = (*within).max(held.within);
    }
    let line = |(lock, (lengths, within)): (SemaphoreId, (Vec<Duration>, usize))| {
        let is_this = |awaited, object| awaited == Awaited::Semaphore && object == lock.0;
        Some(LockStatistics {
            lock: names.lock(lock),
            contended: waits
                .waits
                .iter()
                .filter(|wait| wait.owner.is_some() && is_this(wait.awaited, wait.object))
                .count(),
            within,
            share: share(&lengths, whole),
            held: Distribution::of(lengths.iter().map(|length| names.tick.length(*length)).collect())?,
        })
    };
    holds.into_iter().filter_map(line).collect()
}

/// A line for each kind of event that entered the kernel, the most expensive first.
pub(super) fn kernel(waits: &Waits, names: &Names, whole: Duration) -> Vec<KernelStatistics> {
    let mut lengths: BTreeMap<u32, Vec<Duration>> = BTreeMap::new();
    for entry in &waits.entries {
        lengths.entry(entry.why).or_default().push(entry.to.since(entry.from));
    }
    let line = |(why, lengths): (u32, Vec<Duration>)| {
        Some(KernelStatistics {
            event: called(why),
            share: share(&lengths, whole),
            length: Distribution::of(lengths.iter().map(|length| names.tick.length(*length)).collect())?,
        })
    };
    let mut lines: Vec<_> = lengths.into_iter().filter_map(line).collect();
    lines.sort_by(|one, other| other.share.total_cmp(&one.share));
    lines
}

fn share(lengths: &[Duration], whole: Duration) -> f64 {
    let sum = lengths.iter().fold(Duration::ZERO, |sum, length| sum.plus(*length));
    match whole.ticks() {
        0 => 0.0,
        whole => sum.ticks() as f64 / whole as f64,
    }
}

/// The reason for a kernel entry, in words.
fn called(why: u32) -> String {
    match why {
        0 => "interrupts and alarms".to_owned(),
        1 => "faults".to_owned(),
        call => match CallNumber::decode(call - 2) {
            Some(number) => format!("{number:?}"),
            None => format!("call {}", call - 2),
        },
    }
}

impl Statistics {
    /// The waits of threads; empty if the trace doesn't have them.
    #[must_use]
    pub fn wait_table(&self) -> String {
        let rows = self.waits.iter().map(|wait| {
            [
                wait.thread.clone(),
                wait.awaited.clone(),
                if wait.is_lock { "yes" } else { "" }.to_owned(),
                wait.length.count.to_string(),
                wait.length.median.to_string(),
                wait.length.most.to_string(),
                wait.whole.to_string(),
            ]
        });
        let head = ["thread", "waited for", "a lock", "times", "median", "most", "in all"];
        table(head, &rows.collect::<Vec<_>>())
    }

    /// How long locks were held; empty if the trace doesn't say.
    #[must_use]
    pub fn lock_table(&self) -> String {
        let rows = self.locks.iter().map(|lock| {
            [
                lock.lock.clone(),
                lock.held.count.to_string(),
                lock.contended.to_string(),
                lock.within.to_string(),
                lock.held.median.to_string(),
                lock.held.high.to_string(),
                lock.held.most.to_string(),
                format!("{:.2} %", lock.share * 100.0),
            ]
        });
        let head = ["lock", "held", "waited for", "nested", "median", "99 %", "most", "share"];
        table(head, &rows.collect::<Vec<_>>())
    }

    /// The kernel's time; empty if the trace doesn't have it.
    #[must_use]
    pub fn kernel_table(&self) -> String {
        let rows = self.kernel.iter().map(|kernel| {
            [
                kernel.event.clone(),
                kernel.length.count.to_string(),
                kernel.length.median.to_string(),
                kernel.length.most.to_string(),
                format!("{:.2} %", kernel.share * 100.0),
            ]
        });
        table(["kernel", "entered", "median", "most", "share"], &rows.collect::<Vec<_>>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::{Event, Happening};
    use crate::{Form, Tick};
    use beryl_abi::DecodedNote;
    use beryl_abi::Instant;

    const QUICK: ThreadId = ThreadId(0);
    const SLOW: ThreadId = ThreadId(1);

    fn statistics(told: &[(u64, DecodedNote)]) -> Statistics {
        let names = Names {
            form: Form,
            system: "s".into(),
            board: String::new(),
            tick: Tick::new(1000, 1).expect("not zero"),
            processes: vec![],
            threads: vec![],
            drivers: vec![],
            programs: vec![],
            objects: crate::ObjectNames { semaphores: vec!["store".into()], ..Default::default() },
            modes: Default::default(),
            ports: Default::default(),
            states: Vec::new(),
            assertions: vec![],
            depths: Vec::new(),
            units: Default::default(),
        };
        let event = |(ticks, told): &(u64, DecodedNote)| Event {
            time: Instant::from_ticks(*ticks),
            happening: Happening::Note(*told),
        };
        Statistics::of(&told.iter().map(event).collect::<Vec<_>>(), &names)
    }

    #[test]
    fn blocking_locks_and_the_kernel_have_their_tables() {
        let lock = SemaphoreId(0);
        let statistics = statistics(&[
            (0, DecodedNote::Hold { thread: SLOW, lock }),
            (10, DecodedNote::Lend { thread: QUICK, awaited: Awaited::Semaphore, object: 0, owner: SLOW }),
            (40, DecodedNote::Free { thread: SLOW, lock }),
            (40, DecodedNote::Hold { thread: QUICK, lock }),
            (50, DecodedNote::Free { thread: QUICK, lock }),
            (50, DecodedNote::Block { thread: QUICK, awaited: Awaited::Period, object: 255 }),
            (60, DecodedNote::Enter { thread: SLOW, why: 2 + CallNumber::Notify as u32 }),
            (62, DecodedNote::Leave { thread: SLOW }),
            (70, DecodedNote::Enter { thread: SLOW, why: 0 }),
            (78, DecodedNote::Leave { thread: SLOW }),
            (99, DecodedNote::Lost { count: 3 }),
            (100, DecodedNote::Wake { thread: QUICK }),
        ]);
        let rows = |text: String| {
            text.lines()
                .skip(1)
                .map(|row| row.split_whitespace().collect::<Vec<_>>().join(" "))
                .collect::<Vec<_>>()
        };
        assert_eq!(rows(statistics.wait_table()), ["thread 0 semaphore store yes 1 30 us 30 us 30 us"]);
        assert_eq!(rows(statistics.lock_table()), ["semaphore store 2 1 0 10 us 40 us 40 us 50.00 %"]);
        assert_eq!(
            rows(statistics.kernel_table()),
            ["interrupts and alarms 1 8 us 8 us 8.00 %", "Notify 1 2 us 2 us 2.00 %"]
        );
        assert_eq!(statistics.lost, 3);
    }
}
