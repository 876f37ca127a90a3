//! Waits: what the kernel does until a sporadic thread is ready, and what it does behind a job until all
//! threads are in their places.
//!
//! A wait ends when what it waits for happens, or when its timer goes off. A thread that sleeps always wakes by
//! its timer; any other wait may have a limit. If a wait ends early, its timer stays and goes off for nothing.
//! The description doesn't say which waits have limits, so a timer is counted for every wait, and the longer of
//! the two ways to wake. If a thread is woken by another thread's call, the steps are part of that thread's
//! time.

use beryl_abi::Duration;
use beryl_kernel::Rule;

use super::kind::Kind;
use super::rates::{Rates, Steps};

use crate::assembly::lenders::{self, has_owner};
use crate::assembly::{Assembly, OnOverrun, Role, Thread, Use};

/// The end of a thread's wait by its timer, in ticks: the thread leaves the queue in which it waits, its place
/// goes into its band, it takes the semaphore that it was promised, and the timer of its watchdog is set.
pub(super) fn end_of_wait(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    let roused = u64::from(assembly.is_watched_over(thread));
    Steps { jobs: 2 + promised(assembly, thread) + roused, sorting: assembly.sorting_steps(), decisions: 0 }
        .ticks(rates)
}

/// The step in which a thread takes the semaphore that it was promised, if there is one that may be.
#[must_use]
pub fn promised(assembly: &Assembly, thread: &Thread) -> u64 {
    let is_owned = |used: &Use| matches!(used, Use::Semaphore(index) if has_owner(assembly, *index));
    u64::from(thread.uses.iter().any(is_owned))
}

/// The steps behind the completion of a thread's job, in ticks. The completion itself takes the thread's place
/// out of its band. A thread that the kernel doesn't release may then set a timer, and a decision follows. All
/// this is done before any other thread runs, so it is as urgent as the job.
pub(super) fn after_job(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    behind_job(rates, assembly, thread).saturating_add(end_of_budget(rates, assembly, thread))
}

/// The same without what the end of its budget takes.
pub(super) fn behind_job(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    let steps = match thread.role {
        Role::Free { .. } => Steps { jobs: 1, sorting: 0, decisions: 1 },
        _ => Steps { jobs: 0, sorting: 0, decisions: decisions(assembly) },
    };
    let told = reports(assembly, assembly.told_of_jobs(thread)).ticks(rates);
    steps.ticks(rates).saturating_add(told)
}

/// The steps until a supervisor has so many reports: each is sent, the timer of a watchdog is set, and the supervisor wakes.
#[must_use]
pub(crate) fn reports(assembly: &Assembly, count: usize) -> Steps {
    let of_one = if assembly.has_watchdogs() { 3 } else { 2 };
    let count = u64::try_from(count).unwrap_or(u64::MAX);
    let sorting = count.saturating_mul(assembly.sorting_steps());
    Steps { jobs: count.saturating_mul(of_one), sorting, decisions: count.min(1) }
}

/// What may be taken beyond a budget, be it a job's worst or a thread's, in ticks: a tick until that is seen, at most
/// a section that goes on, and the steps that follow. It is asked of each semaphore whether the job holds it,
/// and each is taken back, with the calls of all clients; in between anything may be told.
fn end_of_budget(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    if thread.on_overrun == OnOverrun::Counts && thread.budget.is_none() {
        return 0;
    }
    if thread.has_bandwidth() {
        return put_off(rates, assembly, thread);
    }
    const ITS_OWN: usize = 4;
    let objects = &assembly.objects;
    let (asked, clients) = (objects.semaphores.len(), assembly.threads.len());
    let jobs = ITS_OWN + 2 * asked + objects.endpoints.len() + clients;
    let steps = Steps { jobs: u64::try_from(jobs).unwrap_or(u64::MAX), sorting: 0, decisions: 1 };
    let alarms = [Kind::Alarm, Kind::EMachine].map(|kind| rates.steps(kind, 1));
    let section = enforced(rates, lenders::longest_section(assembly, thread));
    let all = [1, section, steps.ticks(rates)].into_iter().chain(alarms);
    all.fold(0, u64::saturating_add)
}

/// How long a section may take where that is enforced, in ticks: the kernel counts from within the decision on by which it goes
/// on, and that isn't the section's. None may take any time where it mayn't take any by the description.
pub(super) fn enforced(rates: &Rates, hold: Duration) -> u64 {
    match hold.ticks() {
        0 => 0,
        ticks => ticks.saturating_add(rates.steps(Kind::Decision, 1)),
    }
}

/// A sporadic budget comes back in parts, and each may be used up. In a stretch of a period that is once for what there
/// is, once for what is due by then, and once for each part that comes back and for the one that is in use.
pub(super) fn further_ends(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    let Some(budget) = thread.budget.filter(|budget| budget.rule == Rule::Sporadic) else { return 0 };
    another_end(rates, assembly, thread).saturating_mul(budget.returns().saturating_add(2))
}

/// That a thread finds its budget used up where what is owed is counted: an alarm, a tick, the question whether a
/// section goes on, a place that moves, and a decision.
pub(super) fn another_end(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    const ITS_OWN: usize = 2;
    let jobs = u64::try_from(ITS_OWN + assembly.objects.semaphores.len()).unwrap_or(u64::MAX);
    let told = reports(assembly, assembly.told_of_jobs(thread)).ticks(rates);
    let steps = Steps { jobs, sorting: 0, decisions: 1 }.ticks(rates).saturating_add(told);
    let alarms = [Kind::Alarm, Kind::EMachine].map(|kind| rates.steps(kind, 1));
    alarms.into_iter().chain([1, steps]).fold(0, u64::saturating_add)
}

/// That a deadline is put off: what another end takes, and its place is sorted in anew.
fn put_off(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    let sorting = Steps { jobs: 0, sorting: assembly.sorting_steps(), decisions: 0 }.ticks(rates);
    another_end(rates, assembly, thread).saturating_add(sorting)
}

/// The most of it that may be under way when a thread's turn comes.
pub(super) fn after_jobs(rates: &Rates, assembly: &Assembly) -> u64 {
    let threads = assembly.threads.iter();
    let jobs = threads.filter(|thread| !matches!(thread.role, Role::Drivers | Role::Idle));
    jobs.map(|thread| after_job(rates, assembly, thread)).max().unwrap_or(0)
}

/// Steps that decide who runs after a job. The completion decides by itself, unless a preempted thread may be
/// raised by a ceiling, or its place may be lent.
fn decisions(assembly: &Assembly) -> u64 {
    let objects = &assembly.objects;
    let is_shared =
        !objects.locks.is_empty() || !objects.semaphores.is_empty() || !objects.endpoints.is_empty();
    u64::from(is_shared)
}
