//! Waits: what the kernel does until a sporadic thread is ready, and behind a job until nobody has to be put
//! anywhere any more.
//!
//! A wait ends by what it is for or by its timer; who only sleeps always wakes by it, and any other wait may
//! have a limit. One that has ended early leaves its timer, which goes off for nothing. The description
//! doesn't say who waits with a limit, so the timer counts for all, with the longer way to wake. If another
//! thread's call is what wakes, its steps are part of that one's time.

use super::rates::{Rates, Steps};
use crate::assembly::lenders::has_owner;
use crate::assembly::{Assembly, Role, Thread, Use};

/// That a thread has waited long enough, in ticks: it leaves the queue in which it waits, its place goes in,
/// and it takes what it was promised.
pub(super) fn end_of_wait(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    Steps { jobs: 2 + promised(assembly, thread), sorting: assembly.sorting_steps(), decisions: 0 }
        .ticks(rates)
}

/// The step in which a thread takes the semaphore that it was promised, if there is one that may be.
#[must_use]
pub fn promised(assembly: &Assembly, thread: &Thread) -> u64 {
    let is_owned = |used: &Use| matches!(used, Use::Semaphore(index) if has_owner(assembly, *index));
    u64::from(thread.uses.iter().any(is_owned))
}

/// What the steps take that the end of a thread's job costs beyond the completion, in which its place leaves,
/// in ticks: who isn't released by the kernel may set a timer; and if there is one of these a decision
/// follows. They come before anybody else runs, so they are as urgent as the job.
pub(super) fn after_job(rates: &Rates, assembly: &Assembly, thread: &Thread) -> u64 {
    let steps = match thread.role {
        Role::Free { .. } => Steps { jobs: 1, sorting: 0, decisions: 1 },
        _ => Steps { jobs: 0, sorting: 0, decisions: decisions(assembly) },
    };
    steps.ticks(rates)
}

/// How much of that may be under way when somebody's turn comes.
pub(super) fn after_jobs(rates: &Rates, assembly: &Assembly) -> u64 {
    let threads = assembly.threads.iter();
    let jobs = threads.filter(|thread| !matches!(thread.role, Role::Drivers | Role::Idle));
    jobs.map(|thread| after_job(rates, assembly, thread)).max().unwrap_or(0)
}

/// Steps by which it is decided who runs behind the end of any job: none of its own, but for where somebody
/// may have been preempted that is raised by a ceiling or whose place is lent.
fn decisions(assembly: &Assembly) -> u64 {
    let objects = &assembly.objects;
    let is_shared =
        !objects.locks.is_empty() || !objects.semaphores.is_empty() || !objects.endpoints.is_empty();
    u64::from(is_shared)
}
