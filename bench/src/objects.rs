//! The cost of the kernel's objects: locks, semaphores, state messages, mailboxes, endpoints, event groups,
//! an interrupt.

use anyhow::{Context, Result, ensure};
use beryl_builder::Project;
use beryl_builder::workshop::Workshop;

use crate::console::{Console, Sample, handed};
use crate::row::Row;
use crate::systems::{OBJECTS, load, run};

/// The benches in this file.
pub const NAMES: &[&str] = &[
    "ceiling-lock/pair",
    "semaphore/pair",
    "semaphore/pair-across",
    "semaphore/handover",
    "semaphore/wake",
    "state-message/write-8",
    "state-message/read-8",
    "state-message/read-slow-8",
    "state-message/read-slow-256",
    "mailbox/send-8",
    "mailbox/receive-8",
    "mailbox/pair-8",
    "mailbox/pair-32",
    "mailbox/wake-8",
    "endpoint/round-trip",
    "event-group/wait",
    "event-group/pair",
    "event-group/wake",
    "interrupt/to-thread",
    "interrupt/round-trip",
    "interrupt/from-idle",
    "notification/there",
    "notification/poll",
    "semaphore/poll",
    "mailbox/poll",
];

/// How often to measure each one.
const SAMPLES: usize = 1000;

/// The length of the run, in millions of instructions.
pub const MILLIONS: u64 = 120;

/// Builds the system, runs it, and counts.
///
/// # Errors
/// Those of building and running it, or samples that are missing.
pub fn rows(workshop: &Workshop) -> Result<Vec<Row>> {
    rows_of(&load(OBJECTS)?, workshop)
}

/// The same of this system, or of one that differs from it in its description only.
///
/// # Errors
/// As [`rows`].
pub fn rows_of(project: &Project, workshop: &Workshop) -> Result<Vec<Row>> {
    rows_named(NAMES, project, workshop, MILLIONS)
}

/// Only those with these names, of a system that has them and is through with them after so many millions of instructions.
///
/// # Errors
/// As [`rows`].
pub fn rows_named(names: &[&str], project: &Project, workshop: &Workshop, millions: u64) -> Result<Vec<Row>> {
    let console = run(project, workshop, millions)?;
    let mut rows = Vec::new();
    for bench in names {
        for (case, samples) in cases(bench, &console).with_context(|| (*bench).to_owned())? {
            ensure!(samples.len() >= SAMPLES, "{bench}: {} samples instead of {SAMPLES}", samples.len());
            let counts = samples.iter().map(|sample| sample.instructions());
            rows.push(Row::instructions(bench, case, &counts.collect::<Result<Vec<_>>>()?)?);
        }
    }
    Ok(rows)
}

/// The samples of a bench. Most begin and end in one thread; an operation that wakes another thread ends
/// there.
pub fn cases(bench: &str, console: &Console) -> Result<Vec<(&'static str, Vec<Sample>)>> {
    let own = |case: &str| Ok::<_, anyhow::Error>(console.samples(&format!("{bench}{case}"))?.to_vec());
    let waking =
        || handed(console.samples(&format!("{bench}/from"))?, console.samples(&format!("{bench}/to"))?);
    Ok(match bench {
        "semaphore/wake" | "mailbox/wake-8" | "event-group/wake" => {
            vec![("signaller to the thread that waited", waking()?)]
        }
        "interrupt/to-thread" => vec![("interrupt to the server, two processes", waking()?)],
        "interrupt/from-idle" => vec![("interrupt to the server, the processor idled", own("")?)],
        "interrupt/round-trip" => vec![("interrupt, server, back; two processes", own("")?)],
        "endpoint/round-trip" => {
            let (across, within) = (own("/across")?, own("/within")?);
            vec![
                ("same process", own("/same")?),
                ("two processes", across),
                ("two processes, a reply that is waited for with a limit", within),
            ]
        }
        "semaphore/handover" => vec![("asking to owning, the owner runs in between", own("")?)],
        _ => vec![("caller to caller", own("")?)],
    })
}
