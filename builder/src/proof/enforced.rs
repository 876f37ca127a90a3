//! What the kernel enforces, and what the proof believes: execution times, and how often threads are woken.

use crate::assembly::{Assembly, Role, Thread, Use, lenders};
use crate::description::OnOverrun;

/// The threads whose `worst` is enforced, and those whose isn't, where any is: by their names.
#[must_use]
pub fn enforced<'a>(assembly: &'a Assembly) -> Option<(Vec<&'a str>, Vec<&'a str>)> {
    let is_enforced = |thread: &&Thread| ends(thread.on_overrun);
    let proved = assembly.threads.iter().filter(|thread| match &thread.role {
        Role::Task(_) | Role::Periodic(_) => true,
        Role::Free { sporadic, .. } => sporadic.is_some(),
        Role::Drivers | Role::Idle => false,
    });
    let (enforced, believed): (Vec<_>, Vec<_>) = proved.partition(is_enforced);
    let names =
        |threads: Vec<&'a Thread>| threads.into_iter().map(|thread| thread.name.as_str()).collect::<Vec<_>>();
    (!enforced.is_empty()).then(|| (names(enforced), names(believed)))
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
