//! Stops: what the kernel takes to stop a process that faulted.
//!
//! ```text
//!   the fault --> the rows of threads --its own--> stop it --> what does it hold, and who waits for that?
//!                  ^                                               |
//!                  +------------------ nothing left ---------------+
//! ```

use std::collections::BTreeSet;

use beryl_abi::{Incident, crash};
use beryl_analysis::{Interference, Ticks};
use beryl_kernel::STOP_LOOKS;

use crate::assembly::limits::rows_for;
use crate::assembly::{Assembly, Process, Role, Subject, Thread, Use, lenders};
use crate::costs::{Costed, Kind, Steps, reports};

/// What a stop of a process takes from all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The index of the process.
    pub process: usize,
    /// The kernel's steps until all of it is stopped and everybody is told.
    pub steps: u64,
    /// What they take, in ticks.
    pub each: u64,
}

/// The processes that stop for good after a fault, and what that takes. Those that begin anew are counted with their
/// [restarts](super::restarts()).
#[must_use]
pub fn stops(costed: &Costed) -> Vec<Stop> {
    let rows = costed.assembly.processes.iter().enumerate();
    let stays = |(_, row): &(usize, &Process)| row.restarts.is_none();
    let has_threads = |process: &usize| costed.assembly.threads_of(*process).next().is_some();
    let stop = |process| {
        let work = Work::of(costed, process);
        Stop { process, steps: work.steps(), each: work.ticks(costed) }
    };
    rows.filter(stays).map(|(process, _)| process).filter(has_threads).map(stop).collect()
}

/// So far apart are two stops of one process: it has only one.
const NEVER_AGAIN: u64 = 1 << 50;

impl Stop {
    /// The same as the analysis wants it: it comes once, at any time, above all bands.
    #[must_use]
    pub fn interference(&self, costed: &Costed) -> Interference {
        let name = costed.assembly.processes.get(self.process).map_or("", |process| process.name.as_str());
        Interference {
            name: format!("stop of {name}"),
            period: Ticks::new(NEVER_AGAIN),
            worst: Ticks::new(self.each),
            is_sporadic: true,
            ..Default::default()
        }
    }
}

/// The steps from a fault until all of a process is stopped.
pub(super) struct Work {
    /// Faults, and the decisions that follow: one, or one of each thread where only that stops.
    faults: u64,
    /// Steps that find something to stop or to pass on.
    stops: u64,
    /// The step of the fault, those that write its record, and those that find nothing.
    searches: u64,
    /// What these leave over: places of others who wait return, and may have to be parked again; a server that lost its
    /// client among the stopped ones returns to its own place.
    left: u64,
    /// Steps that look on for these places.
    sorting: u64,
    /// The reports of the faults.
    reports: Steps,
    /// In ticks: what a server takes of its client's time until it is found that it doesn't answer in time, for which it is
    /// stopped; and what it takes until it comes for the first request of its next life.
    found: u64,
}

impl Work {
    pub(super) fn of(costed: &Costed, process: usize) -> Work {
        let assembly = &costed.assembly;
        let objects = &assembly.objects;
        let own: Vec<_> =
            assembly.threads_of(process).filter(|thread| !matches!(thread.role, Role::Idle)).collect();
        let faults = if assembly.processes[process].stops_thread_only { own.len() } else { 1 };
        let written = if assembly.crashes > 0 { usize::from(crash::PIECES) } else { 0 };
        let looks = |rows: usize| rows.div_ceil(STOP_LOOKS);
        // One look more finds that there is nothing left.
        let held = looks(rows_for(objects.semaphores.len()) + rows_for(objects.endpoints.len()) + 1);
        let semaphores = own.iter().flat_map(|thread| &thread.uses);
        let owned = semaphores.filter(|used| is_owned(assembly, used));
        let served = own.iter().flat_map(|thread| &thread.uses).filter_map(|used| clients(assembly, used));
        let passed = owned.count() + served.map(|clients| clients.len()).sum::<usize>();
        let (waiting, own_waiting) = waiting(assembly, process);
        let servers = own.iter().filter(|thread| assembly.has_to_answer(thread));
        let found = |server: &&Thread| {
            costed.enforced(assembly.longest_answer(server)).saturating_add(costed.end_of_policed(server))
        };
        let found = servers.map(found).max().unwrap_or(0);
        let told = own.iter().any(|thread| tells_of_faults(assembly, thread));
        Work {
            found: found.saturating_mul(count(faults)),
            reports: reports(assembly, if told { faults } else { 0 }),
            faults: count(faults),
            stops: count(own.len() + passed),
            searches: count(
                looks(rows_for(assembly.threads.len())) + own.len() * held + (2 + written) * faults,
            ),
            left: count(2 * waiting + own_waiting),
            sorting: assembly.sorting_steps().saturating_mul(count(waiting + own_waiting)),
        }
    }

    /// How many steps there are.
    pub(super) fn steps(&self) -> u64 {
        let Steps { jobs, sorting, decisions } = self.reports;
        let told = [jobs, sorting, decisions].into_iter().fold(0, u64::saturating_add);
        let all = [self.faults, self.stops, self.searches, self.left, self.sorting, told];
        all.into_iter().fold(0, u64::saturating_add)
    }

    /// What they take, with the decisions that follow.
    pub(super) fn ticks(&self, costed: &Costed) -> u64 {
        let costs = &costed.costs;
        [
            costs.steps(Kind::Stop, self.stops),
            costs.steps(Kind::Search, self.searches),
            costs.ticks(self.reports),
            costs.ticks(Steps { jobs: self.left, sorting: self.sorting, decisions: self.faults }),
            costs.steps_of_instants(self.faults),
            costs.kernel.switch.get().saturating_mul(self.faults),
            self.found,
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }
}

/// Whether a supervisor is told of a thread's faults.
fn tells_of_faults(assembly: &Assembly, thread: &Thread) -> bool {
    let index = assembly.threads.iter().position(|row| row.name == thread.name);
    let mut reports = index.into_iter().flat_map(|index| assembly.reports_of(Subject::Thread(index)));
    reports.any(|report| report.incident == Incident::Fault)
}

fn is_owned(assembly: &Assembly, used: &Use) -> bool {
    matches!(used, Use::Semaphore(index) if lenders::has_owner(assembly, *index))
}

/// The clients of an endpoint that a thread serves.
fn clients(assembly: &Assembly, used: &Use) -> Option<Vec<usize>> {
    match used {
        Use::Serve(index) => Some(lenders::users(assembly, Use::Call(*index))),
        _ => None,
    }
}

/// How many threads of others may wait for what threads of a process own or serve, and how many of its own may wait for
/// anything of that kind.
fn waiting(assembly: &Assembly, process: usize) -> (usize, usize) {
    let used = assembly.threads_of(process).flat_map(|thread| &thread.uses);
    let waiting = used.flat_map(|used| match is_owned(assembly, used) {
        true => lenders::users(assembly, *used),
        false => clients(assembly, used).unwrap_or_default(),
    });
    let is_its = |thread: &usize| assembly.threads[*thread].process == process;
    let others: BTreeSet<_> = waiting.filter(|thread| !is_its(thread)).collect();
    let waits = |used: &Use| is_owned(assembly, used) || matches!(used, Use::Call(_));
    (others.len(), assembly.threads_of(process).filter(|thread| thread.uses.iter().any(waits)).count())
}

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}
