//! Restarts: what the kernel takes to stop a process that faulted and to put it back to the start.

use beryl_analysis::{Interference, Ticks};

use super::stops::Work;
use crate::assembly::{Assembly, Home};
use crate::costs::{Costed, Kind, Steps};
use crate::quantity::Bytes;

/// Bytes that a step puts back.
const PIECE: u64 = 64;

/// What the restarts of a process take from all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restarts {
    /// The process.
    pub process: String,
    /// The most restarts in any stretch of time.
    pub most: u64,
    /// The length of that stretch, in ticks.
    pub within: u64,
    /// The kernel's steps of one restart, the stop before it included.
    pub steps: u64,
    /// What they take, in ticks.
    pub each: u64,
    /// What stopping alone takes, in ticks: after the last restart the process may fault once more.
    pub stop: u64,
    /// How often that may be in the same stretch of time: once; or behind each restart, where one that stayed stopped may be
    /// replaced as soon as it may begin anew.
    pub stops: u64,
}

/// The processes that begin anew, and what that takes.
#[must_use]
pub fn restarts(costed: &Costed) -> Vec<Restarts> {
    let assembly = &costed.assembly;
    let rows = assembly.processes.iter().enumerate();
    let row = |(index, process): (usize, &crate::assembly::Process)| {
        let restart = process.restarts?;
        let stopping = Work::of(costed, index);
        let renewing = renewing(assembly, index);
        let sorting = sorting(assembly, index);
        let sorted = costed.costs.ticks(Steps { jobs: 0, sorting, decisions: 0 });
        let stop = stopping.ticks(costed);
        let renewed = costed.costs.steps(Kind::Call, renewing).saturating_add(sorted);
        let steps = [stopping.steps(), renewing, sorting].into_iter().fold(0, u64::saturating_add);
        Some(Restarts {
            process: process.name.clone(),
            most: restart.most.into(),
            within: restart.within.ticks(),
            steps,
            each: stop.saturating_add(renewed),
            stop,
            stops: if process.room > Bytes::ZERO { u64::from(restart.most).saturating_add(1) } else { 1 },
        })
    };
    rows.filter_map(row).collect()
}

/// The same as the analysis wants it: it comes at any time, above all bands.
pub(super) fn interfering(costed: &Costed) -> impl Iterator<Item = Interference> {
    restarts(costed).into_iter().map(|row| Interference {
        name: format!("restarts of {}", row.process),
        period: Ticks::new(row.within.max(1)),
        worst: Ticks::new(
            row.most.saturating_mul(row.each).saturating_add(row.stops.saturating_mul(row.stop)),
        ),
        is_sporadic: true,
        ..Default::default()
    })
}

/// Steps that put it back: its memory piece by piece, with a step for each stretch that isn't its own, then each
/// object, thread and line, and one more each to see that there are no more.
fn renewing(assembly: &Assembly, process: usize) -> u64 {
    const STAGES: usize = 7;
    let ports = assembly.cells.size(Home::Process(process));
    let variables = assembly.processes[process].memory;
    let pieces = |bytes: Bytes| u64::from(bytes.get()).div_ceil(PIECE);
    // Initial values of variables, and those that are zero, end with a piece of their own each.
    let pieces = pieces(Bytes::new(ports)).saturating_add(pieces(variables)).saturating_add(2);
    let objects = &assembly.objects;
    // A process has ports, a journal, variables and state messages.
    let stretches = 4 * assembly.processes.len() + objects.regions.len() + 1;
    let others = [
        // The timer of each watchdog of its supervisors.
        assembly.threads_of(process).filter(|thread| assembly.is_watched_over(thread)).count(),
        stretches,
        rows(objects.semaphores.len()),
        rows(objects.mailboxes.len()),
        rows(objects.event_groups.len()),
        rows(objects.slots.len()),
        rows(assembly.threads.len()),
        rows(objects.interrupts.len()),
        STAGES,
    ];
    pieces.saturating_add(count(others.into_iter().sum()))
}

/// Steps that look on for the places of its threads.
fn sorting(assembly: &Assembly, process: usize) -> u64 {
    assembly.sorting_steps().saturating_mul(count(assembly.threads_of(process).count()))
}

/// The rows of a table in which so many are used.
fn rows(used: usize) -> usize {
    crate::assembly::limits::rows_for(used)
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
