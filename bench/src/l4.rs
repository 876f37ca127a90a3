//! L4's rules: what IPC takes on the board under six of its kernels, and what these do and avoid (OSPERT 2007, *Lazy
//! Scheduling and Direct Process Switch*).

use anyhow::{Context, Result, ensure};
use beryl_builder::workshop::Workshop;
use beryl_l4::compared::{Compare, NAMES as KERNELS, each};
use beryl_l4::ping_pong::{self, LENGTHS};
use beryl_l4::workload::{LEFT, REQUESTS, run};
use beryl_l4::{Counts, NotReady, Rules};

use crate::console::Console;
use crate::row::Row;
use crate::systems::{L4, load, run as run_on_board};

/// Instructions of an IPC between two threads.
pub const PING_PONG: &str = "l4/ping-pong";
/// Operations of as many round trips as are measured.
pub const OPERATIONS: &str = "l4/operations";
/// Instructions of a file server's kernel.
pub const WORK: &str = "l4/work";
/// What that kernel does and avoids.
pub const AVOIDED: &str = "l4/avoided";
/// Instructions of a step of the scheduler with threads left in its queue.
pub const LEFT_IN_QUEUE: &str = "l4/left";
/// The benches in this file.
pub const NAMES: &[&str] = &[PING_PONG, OPERATIONS, WORK, AVOIDED, LEFT_IN_QUEUE];

/// The two messages of a round trip.
pub const MESSAGES: [&str; 2] = ["call", "answer"];
/// Kinds of steps.
pub const KINDS: [&str; 3] = ["ipc", "interrupt", "tick"];

/// The length of the run, in millions of instructions: less than 43 s, where Beryl's kernel looks at its clock, which would be
/// part of somebody's step.
const MILLIONS: u64 = 41;

/// Counts on the host, and builds and runs the system that measures.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    let console = run_on_board(&load(L4)?, workshop, MILLIONS)?;
    Ok([measured(&console)?, counted()?].concat())
}

fn measured(console: &Console) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for kernel in KERNELS {
        for words in LENGTHS {
            for message in MESSAGES {
                let tally = console.tally(&format!("ping-pong/{kernel}/{words}/{message}"))?;
                rows.push(Row::instructions(PING_PONG, &message_case(kernel, words, message), tally)?);
            }
        }
        for kind in KINDS {
            let tally = console.tally(&format!("work/{kernel}/{kind}"))?;
            rows.push(Row::instructions(WORK, &case(kernel, kind), tally)?);
        }
        for number in LEFT {
            let sample = console.samples(&format!("left/{kernel}/{number}"))?.first();
            let instructions = sample.context("there is no sample")?.instructions()?;
            rows.push(Row::instructions(LEFT_IN_QUEUE, &left_case(kernel, number), &[instructions])?);
        }
    }
    Ok(rows)
}

/// What is counted on the host, kernel after kernel.
struct Counted {
    rows: Vec<Row>,
    is_refused: bool,
}

impl Compare for Counted {
    fn with<R: Rules>(&mut self) {
        let counts = || -> Result<(Counts, Counts), NotReady> {
            Ok((ping_pong::counts::<R>(ping_pong::TRIPS)?, *run::<R, Counts>(REQUESTS)?.counts()))
        };
        let Ok((trips, work)) = counts() else {
            self.is_refused = true;
            return;
        };
        let row = |bench, (name, count): (&str, fn(&Counts) -> u64), counts| {
            Row::count(bench, &case(R::NAME, name), count(counts))
        };
        self.rows.extend(DONE.map(|what| row(OPERATIONS, what, &trips)));
        self.rows.extend(AVOIDABLE.map(|what| row(AVOIDED, what, &work)));
    }
}

/// A count, and its name.
pub type Named = (&'static str, fn(&Counts) -> u64);

/// What a round trip may have to do.
pub const DONE: [Named; 3] = [
    ("enqueues", |counts| counts.enqueues),
    ("dequeues", |counts| counts.dequeues),
    ("lookups", |counts| counts.lookups),
];

/// The counts of the paper's Table 2.
pub const AVOIDABLE: [Named; 10] = [
    ("messages", |counts| counts.messages),
    ("enqueues, if eager", |counts| counts.eager_enqueues),
    ("enqueues", |counts| counts.enqueues),
    ("of these, of who ran before", |counts| counts.deferred_enqueues),
    ("dequeues, if eager", |counts| counts.eager_dequeues),
    ("dequeues", |counts| counts.dequeues),
    ("of these, of who blocked before", |counts| counts.deferred_dequeues),
    ("switches", |counts| counts.switches),
    ("decisions", |counts| counts.decisions),
    ("lookups", |counts| counts.lookups),
];

/// What is counted with all kernels.
fn counted() -> Result<Vec<Row>> {
    let mut counted = Counted { rows: Vec::new(), is_refused: false };
    each(&mut counted);
    ensure!(!counted.is_refused, "an IPC was refused");
    Ok(counted.rows)
}

/// The case of a kernel, and what of it.
pub fn case(kernel: &str, what: &str) -> String {
    format!("{kernel}, {what}")
}

/// The case of a message of so many words.
pub fn message_case(kernel: &str, words: u8, message: &str) -> String {
    format!("{kernel}, words: {words}, {message}")
}

/// The case of a step with so many threads left in the queue.
pub fn left_case(kernel: &str, number: u8) -> String {
    format!("{kernel}, left: {number}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::Recorded;

    #[test]
    fn what_is_recorded_is_counted() -> Result<()> {
        let recorded = Recorded::read()?;
        for row in counted()? {
            assert_eq!(recorded.row(&row.bench, &row.case)?, &row);
        }
        Ok(())
    }
}
