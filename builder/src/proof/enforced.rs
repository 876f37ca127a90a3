//! What the kernel enforces, and what the proof believes: execution times, budgets, and how often threads are woken.

use crate::assembly::{Assembly, Role, Thread, Use, lenders};
use crate::description::{OnOverrun, Waits};

/// Threads by their names, each in one list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enforced<'a> {
    /// Those whose jobs end when their `worst` is used up.
    pub jobs: Vec<&'a str>,
    /// Those that have no more than their budget in every period.
    pub budgets: Vec<&'a str>,
    /// Those of whom others with deadlines lose no more than a share, with constant bandwidth.
    pub shares: Vec<&'a str>,
    /// The processes, groups and bands whose threads together have no more than a budget in every period.
    pub pools: Vec<&'a str>,
    /// Those of whom what is declared is believed.
    pub believed: Vec<&'a str>,
}

/// Of whom what is enforced and believed, if anything is enforced.
#[must_use]
pub fn enforced(assembly: &Assembly) -> Option<Enforced<'_>> {
    let mut all = Enforced::default();
    for thread in &assembly.threads {
        if let Some(pool) = thread.enforced_budget().and_then(|budget| budget.pool) {
            let name = assembly.sharing.get(pool.shared).filter(|_| pool.is_purse);
            all.pools.extend(name.map(String::as_str));
            // Those with whom it shares the budget believe it.
            all.believed.extend(thread.has_jobs().then_some(thread.name.as_str()));
        } else if thread.has_bandwidth() {
            all.shares.push(thread.name.as_str());
        } else if thread.enforced_budget().is_some() {
            all.budgets.push(thread.name.as_str());
        } else if ends(thread.on_overrun) {
            all.jobs.push(&thread.name);
        } else if thread.has_jobs() {
            all.believed.push(&thread.name);
        }
    }
    let is_any =
        [&all.jobs, &all.budgets, &all.shares, &all.pools].into_iter().any(|those| !those.is_empty());
    is_any.then_some(all)
}

/// Whether a job that has used its worst goes on no longer.
pub(super) fn ends(on_overrun: OnOverrun) -> bool {
    matches!(on_overrun, OnOverrun::EndsJob | OnOverrun::Faults)
}

/// What the jobs of threads may wait for: threads by their names.
pub struct Prompt<'a> {
    /// For nothing.
    pub never: Vec<&'a str>,
    /// For their turns only.
    pub turns: Vec<&'a str>,
    /// For what they like. That they don't is believed.
    pub believed: Vec<&'a str>,
}

/// What jobs may wait for, where any may not for all that it likes.
#[must_use]
pub fn prompt(assembly: &Assembly) -> Option<Prompt<'_>> {
    let those = |waits: Waits| {
        let has_jobs = |thread: &&Thread| {
            thread.waits == waits && matches!(thread.role, Role::Task(_) | Role::Periodic(_))
        };
        names(&assembly.threads.iter().filter(has_jobs).collect::<Vec<_>>())
    };
    let all =
        Prompt { never: those(Waits::Never), turns: those(Waits::Turns), believed: those(Waits::Freely) };
    assembly.has_prompt().then_some(all)
}

/// The threads that are stopped if they stay inside a lock for too long, by their names.
#[must_use]
pub fn policed(assembly: &Assembly) -> Vec<&str> {
    names(&assembly.threads.iter().filter(|thread| assembly.is_policed(thread)).collect::<Vec<_>>())
}

/// The servers that are stopped if they take too long for a request, by their names.
#[must_use]
pub fn answering(assembly: &Assembly) -> Vec<&str> {
    names(&assembly.threads.iter().filter(|thread| assembly.has_to_answer(thread)).collect::<Vec<_>>())
}

/// The sporadic threads whose `separation` is enforced, and those whose isn't, where any is: by their names.
#[must_use]
pub fn separated(assembly: &Assembly) -> Option<(Vec<&str>, Vec<&str>)> {
    let is_sporadic = |thread: &&Thread| matches!(thread.role, Role::Free { sporadic: Some(_), .. });
    let sporadic = assembly.threads.iter().filter(is_sporadic);
    let (enforced, believed): (Vec<_>, Vec<_>) =
        sporadic.partition(|thread| keeps_separation(assembly, thread));
    (!enforced.is_empty()).then(|| (names(&enforced), names(&believed)))
}

/// Whether a sporadic thread is woken no more often than its separation says, whatever others do: by a single thing,
/// with a gate before it or limits of all its clients.
pub(super) fn keeps_separation(assembly: &Assembly, thread: &Thread) -> bool {
    let Role::Free { sporadic: Some(times), .. } = &thread.role else { return false };
    let comes_apart = |used: &Use| {
        let demand = match used {
            Use::Receive(index) => assembly.demand(Use::Send(*index)),
            _ => None,
        };
        assembly.gate(*used).is_some_and(|gate| gate.separation >= times.separation)
            || demand.is_some_and(|demand| demand.keeps(times.separation, times.jitter))
    };
    let mut woken_by = thread.uses.iter().filter(|used| wakes(assembly, used));
    woken_by.next().is_some_and(comes_apart) && woken_by.next().is_none()
}

fn names<'a>(threads: &[&'a Thread]) -> Vec<&'a str> {
    threads.iter().map(|thread| thread.name.as_str()).collect()
}

/// Whether a thread may be woken by others through what it uses so. What it takes a lock or a server for is part of
/// what it does when it has been woken.
fn wakes(assembly: &Assembly, used: &Use) -> bool {
    match used {
        Use::Interrupt(_) | Use::Await(_) | Use::Receive(_) | Use::AwaitBits(_) => true,
        Use::Serve(_) | Use::Condition(_) | Use::Trace => true,
        Use::Semaphore(index) => !lenders::has_owner(assembly, *index),
        _ => false,
    }
}
