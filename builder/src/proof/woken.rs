//! Whose jobs may have to wait until the processor is awake.

use crate::assembly::{Assembly, Role, Thread, Trigger};

/// The proved threads that an interrupt may release, by their names: time finds the processor awake, and so does
/// whatever a thread or program does.
#[must_use]
pub fn woken(assembly: &Assembly) -> Vec<&str> {
    let is_asynchronous = |index: usize| {
        let mut rows = assembly.asynchronous.iter();
        rows.any(|row| row.task == index && matches!(row.trigger, Trigger::Interrupt(_)))
    };
    let is_woken = |(index, thread): &(usize, &Thread)| match &thread.role {
        Role::Task(_) => is_asynchronous(*index),
        Role::Free { sporadic, .. } => sporadic.is_some(),
        Role::Periodic(_) | Role::Drivers | Role::Idle => false,
    };
    assembly.threads.iter().enumerate().filter(is_woken).map(|(_, thread)| thread.name.as_str()).collect()
}
