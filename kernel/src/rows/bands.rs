//! Constant rows of the band list.

/// One level of the scheduler's list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Band {
    /// Its policy, and where its queue is.
    pub policy: Policy,
}

/// A band's policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Policy {
    /// Earliest deadline first, preemptive. Its members have slots of their own: `leaves` of them (a power of
    /// two, at least two) from slot `base` (a multiple of `leaves`).
    Dynamic {
        /// Its first slot.
        base: u8,
        /// Number of slots.
        leaves: u8,
    },
    /// Highest priority first, first come first served inside a priority.
    Fixed,
}
