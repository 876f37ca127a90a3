//! What wakes several threads: an object whose waiters are woken one a step.

use beryl_abi::{ConditionId, EventGroupId};

/// Whose waiters are being woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Broadcast {
    /// Nobody's.
    Nobody,
    /// All of a condition's.
    Condition(ConditionId),
    /// Those of an event group whose bits are there.
    EventGroup(EventGroupId),
}
