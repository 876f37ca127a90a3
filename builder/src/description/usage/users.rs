//! Who uses objects, and where.

use super::super::readable::Parts;
use super::super::{Hold, OnHold, Placed, Timing, Use};
use beryl_abi::ProcessId;
use miette::SourceSpan;

/// A thread or task, as far as objects are concerned.
pub(super) struct User<'a> {
    pub(super) name: &'a Placed<String>,
    pub(super) process: ProcessId,
    pub(super) uses: &'a [Placed<Use>],
    /// Whether its period is known: of a task from the timing program.
    pub(super) has_period: bool,
    pub(super) is_task: bool,
    /// How long it holds what it uses, and what is done about it if that takes longer.
    pub(super) holds: &'a [Hold],
    pub(super) on_hold: Option<Placed<OnHold>>,
}

/// Where a use stands, and whose it is.
pub(super) struct Place<'a> {
    pub(super) user: &'a User<'a>,
    pub(super) place: SourceSpan,
}

/// All of them.
pub(super) fn users(parts: &Parts) -> Vec<User<'_>> {
    let tasks = parts.tasks.iter().map(|task| User {
        name: &task.name,
        process: task.process.value,
        uses: &task.uses,
        has_period: true,
        is_task: true,
        holds: &task.holds,
        on_hold: task.on_hold,
    });
    let threads = parts.threads.iter().map(|thread| User {
        name: &thread.name,
        process: thread.process.value,
        uses: &thread.uses,
        has_period: matches!(thread.timing, Timing::Periodic(_)),
        is_task: false,
        holds: &thread.holds,
        on_hold: thread.on_hold,
    });
    tasks.chain(threads).collect()
}
