//! Whose execution times the kernel enforces, and whose the proof believes.

use crate::assembly::{Assembly, Role, Thread};
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
