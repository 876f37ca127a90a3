//! Constant rows of restarts: which processes begin anew after a fault, and how often they may.

use beryl_abi::Duration;

/// How often a process begins anew after a fault. There is one row for each process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Restart {
    /// The most times within any stretch of this length; at most [`Restart::MOST`]. Zero: it stays stopped.
    pub most: u8,
    /// The length of the stretch.
    pub within: Duration,
}

impl Restart {
    /// The process stays stopped.
    pub const NONE: Restart = Restart { most: 0, within: Duration::ZERO };
    /// The kernel remembers the instants of so many restarts.
    pub const MOST: u8 = 8;
}
