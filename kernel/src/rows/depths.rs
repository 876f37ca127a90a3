//! Constant rows of depths of sleep.

/// A depth to which the processor may sleep. The lightest sleep, which ends at once, has no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Depth {
    /// The longest that it takes to wake from it, in ticks: for hosts with virtual time, which let it pass.
    pub wake: u32,
    /// How much earlier than the next instant the alarm comes that ends it, in ticks: `wake`, and what the kernel
    /// needs for that alarm.
    pub early: u32,
    /// The shortest time until the next instant for which it is worth it, in ticks: more than `early`.
    pub least: u32,
}

impl Depth {
    /// A row that is never chosen.
    pub const NONE: Depth = Depth { wake: 0, early: 0, least: u32::MAX };
}
