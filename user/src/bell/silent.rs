//! The simulation, in which the environment raises the line for a moment.

pub const GOES_ON: bool = true;

/// The environment rings by itself.
pub fn every(_nanoseconds: u32) {}

/// The environment knows when.
pub fn after(_nanoseconds: u32) {}

/// There is no other reason for an interrupt.
pub fn has_rung() -> bool {
    true
}

/// The line is down already.
pub fn acknowledge() {}

/// The environment knows how long.
pub fn again_after(_nanoseconds: u32) {}
