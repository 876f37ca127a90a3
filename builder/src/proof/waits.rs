//! Waits: what the kernel does until a sporadic thread is ready, and behind a job until nobody has to be put anywhere any more.
//!
//! A wait ends by what it is for or by its timer; who only sleeps always wakes by it, and any other wait may have a limit. One that has ended
//! early leaves its timer, which goes off for nothing. The description doesn't say who waits with a limit, so the timer counts for all, with the
//! longer way to wake. If another thread's call is what wakes, its steps are part of that one's time.

use beryl_analysis::{Interference, Ticks};

use super::costs::{Steps, charges, steps, steps_of_instants};
use super::kinds::Kind;
use crate::Project;
use crate::assembly::lenders::has_owner;
use crate::assembly::{Assembly, Role, Thread, Use};

/// An interrupt that wakes a thread: itself, and the thread's place in. The decision is behind that.
const OF_AN_INTERRUPT: u64 = 2;

/// The kernel's steps for a sporadic thread that becomes ready. No step is its release, which is counted for each job, so this is what there
/// is beside that.
pub(super) fn wake_ups(project: &Project, thread: &Thread) -> Option<Interference> {
    let Role::Free { sporadic: Some(times), .. } = &thread.role else { return None };
    let distance = times.separation.ticks().saturating_sub(times.jitter.ticks()).max(1);
    let lines = thread.uses.iter().filter(|used| matches!(used, Use::Interrupt(_))).count();
    let lines = u64::try_from(lines).unwrap_or(u64::MAX);
    let promised = promised(&project.assembly, thread);
    let by_interrupt = match lines {
        0 => 0,
        // Others that come while it is awake only leave their bits.
        lines => {
            let jobs = OF_AN_INTERRUPT.saturating_add(promised).saturating_add(lines - 1);
            Steps { jobs, sorting: 0, decisions: 1 }.ticks(project)
        }
    };
    let all = timer(project).saturating_add(by_interrupt.max(end_of_wait(project, thread)));
    Some(Interference {
        name: format!("wake-ups of {}", thread.name),
        period: Ticks::new(distance),
        worst: Ticks::new(all.saturating_sub(charges(project).release.ticks())),
        is_sporadic: true,
        ..Default::default()
    })
}

/// What timers may take, in ticks, of threads of which the proof says nothing: they are less urgent than all of which it does. Each goes off once
/// at most until its thread runs again. Servers run in their clients' places besides; limits of their waits aren't counted, as CAVEATS.md says.
pub(super) fn timers(project: &Project) -> u64 {
    let others = project.assembly.threads.iter();
    let others = others.filter(|thread| matches!(thread.role, Role::Free { sporadic: None, .. }));
    let each = others.map(|thread| timer(project).saturating_add(end_of_wait(project, thread)));
    each.fold(0, u64::saturating_add)
}

/// A timer that goes off, in ticks: the alarm, the step that finds it and sets the next, and the look into the queues by which its instant ends.
fn timer(project: &Project) -> u64 {
    let found = steps(project, Kind::Release, 1).saturating_add(steps_of_instants(project, 1));
    charges(project).alarm.ticks().saturating_add(found)
}

/// That a thread has waited long enough, in ticks: it leaves the queue in which it waits, its place goes in, and it takes what it was promised.
fn end_of_wait(project: &Project, thread: &Thread) -> u64 {
    let assembly = &project.assembly;
    Steps { jobs: 2 + promised(assembly, thread), sorting: assembly.sorting_steps(), decisions: 0 }
        .ticks(project)
}

/// The step in which a thread takes the semaphore that it was promised, if there is one that may be.
pub(super) fn promised(assembly: &Assembly, thread: &Thread) -> u64 {
    let is_owned = |used: &Use| matches!(used, Use::Semaphore(index) if has_owner(assembly, *index));
    u64::from(thread.uses.iter().any(is_owned))
}

/// What the steps take that the end of a thread's job costs beyond the completion, in which its place leaves, in ticks: who isn't released by
/// the kernel may set a timer; and if there is one of these a decision follows. They come before anybody else runs, so they are as urgent as
/// the job.
pub(super) fn after_job(project: &Project, thread: &Thread) -> u64 {
    let steps = match thread.role {
        Role::Free { .. } => Steps { jobs: 1, sorting: 0, decisions: 1 },
        _ => Steps { jobs: 0, sorting: 0, decisions: decisions(&project.assembly) },
    };
    steps.ticks(project)
}

/// How much of that may be under way when somebody's turn comes.
pub(super) fn after_jobs(project: &Project) -> u64 {
    let threads = project.assembly.threads.iter();
    let jobs = threads.filter(|thread| !matches!(thread.role, Role::Drivers | Role::Idle));
    jobs.map(|thread| after_job(project, thread)).max().unwrap_or(0)
}

/// Steps by which it is decided who runs behind the end of any job: none of its own, but for where somebody may have been preempted that
/// is raised by a ceiling or whose place is lent.
pub(super) fn decisions(assembly: &Assembly) -> u64 {
    let objects = &assembly.objects;
    let is_shared =
        !objects.locks.is_empty() || !objects.semaphores.is_empty() || !objects.endpoints.is_empty();
    u64::from(is_shared)
}
