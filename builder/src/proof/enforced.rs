//! What the kernel enforces, and what the proof believes: execution times, budgets, and how often threads are woken.

use crate::assembly::{Assembly, Role, Thread, Use, lenders};
use crate::description::OnOverrun;

/// Threads by their names, each in one list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Enforced<'a> {
    /// Those whose jobs end when their `worst` is used up.
    pub jobs: Vec<&'a str>,
    /// Those that have no more than their budget in every period.
    pub budgets: Vec<&'a str>,
    /// Those of whom what is declared is believed.
    pub believed: Vec<&'a str>,
}

/// Of whom what is enforced and believed, if anything is enforced.
#[must_use]
pub fn enforced(assembly: &Assembly) -> Option<Enforced<'_>> {
    let mut all = Enforced::default();
    for thread in &assembly.threads {
        let is_proved = match &thread.role {
            Role::Task(_) | Role::Periodic(_) => true,
            Role::Free { sporadic, .. } => sporadic.is_some(),
            Role::Drivers | Role::Idle => false,
        };
        if thread.enforced_budget().is_some() {
            all.budgets.push(thread.name.as_str());
        } else if ends(thread.on_overrun) {
            all.jobs.push(&thread.name);
        } else if is_proved {
            all.believed.push(&thread.name);
        }
    }
    let is_any = !all.jobs.is_empty() || !all.budgets.is_empty();
    is_any.then_some(all)
}

/// Whether a job that has used its worst goes on no longer.
pub(super) fn ends(on_overrun: OnOverrun) -> bool {
    matches!(on_overrun, OnOverrun::EndsJob | OnOverrun::Faults)
}

/// The sporadic threads whose `separation` is enforced, and those whose isn't, where any is: by their names.
#[must_use]
pub fn separated(assembly: &Assembly) -> Option<(Vec<&str>, Vec<&str>)> {
    let sporadic = assembly.threads.iter().filter_map(|thread| match &thread.role {
        Role::Free { sporadic: Some(times), .. } => Some((thread, times.separation)),
        _ => None,
    });
    let is_enforced = |(thread, separation): &(&Thread, _)| {
        let mut woken_by = thread.uses.iter().filter(|used| wakes(assembly, used));
        let gate = woken_by.next().and_then(|used| assembly.gate(*used));
        woken_by.next().is_none() && gate.is_some_and(|gate| gate.separation >= *separation)
    };
    let (enforced, believed): (Vec<_>, Vec<_>) = sporadic.partition(is_enforced);
    (!enforced.is_empty()).then(|| (names(&enforced), names(&believed)))
}

fn names<'a, T>(threads: &[(&'a Thread, T)]) -> Vec<&'a str> {
    threads.iter().map(|(thread, _)| thread.name.as_str()).collect()
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
