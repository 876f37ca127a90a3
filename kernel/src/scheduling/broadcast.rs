//! Broadcasts: an object whose waiters are woken one at each step.

use beryl_abi::{ConditionId, EventGroupId};

/// The object whose waiters are being woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Broadcast {
    /// None.
    Nobody,
    /// A condition: all its waiters.
    Condition(ConditionId),
    /// An event group: the waiters whose bits are set.
    EventGroup(EventGroupId),
}
