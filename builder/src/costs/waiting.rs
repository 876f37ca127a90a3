//! How many threads wait for one object together, and how many one call wakes.

use crate::assembly::{Assembly, Use, lenders};

/// The most threads that may wait for one object together.
#[must_use]
pub fn most_waiting(assembly: &Assembly) -> u32 {
    let waits = |used: &&Use| {
        matches!(
            used,
            Use::Semaphore(_)
                | Use::Condition(_)
                | Use::Send(_)
                | Use::Receive(_)
                | Use::Call(_)
                | Use::AwaitBits(_)
        )
    };
    let used = assembly.threads.iter().flat_map(|thread| &thread.uses).filter(waits);
    let most = used.map(|used| lenders::users(assembly, *used).len()).max().unwrap_or(0);
    u32::try_from(most).unwrap_or(u32::MAX)
}

/// The most threads that one call wakes, beside the one whose wake is part of the call.
pub(super) fn most_woken(assembly: &Assembly) -> u64 {
    let conditions = (0..assembly.objects.conditions.len()).map(Use::Condition);
    let groups = (0..assembly.objects.event_groups.len()).map(Use::AwaitBits);
    let users = |used| lenders::users(assembly, used).len();
    let most = conditions.chain(groups).map(users).max().unwrap_or(0);
    u64::try_from(most).unwrap_or(u64::MAX)
}
