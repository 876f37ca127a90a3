//! The lift's tasks, drivers and guards.
//!
//! `lift.tdl` names these functions and says when they run. All lengths are in mm, all speeds in mm/s.
#![no_std]
#![forbid(unsafe_code)]

mod cabin;
mod door;
mod drivers;

pub use cabin::{drive_impl, has_arrived, must_travel};
pub use door::{is_calm, is_here, push_impl, ring_impl};
pub use drivers::{
    BEAM, BELL, GAP, LEAF, MOTOR, POSITION, WANTED, read_beam, read_gap, read_place, set_bell, set_leaf,
    set_motor,
};

/// In mm above the ground floor; `lift.tdl` has the same.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Where the cabin is.
    pub cabin: i32,
    /// Where somebody waits; below zero if nobody does.
    pub wanted: i32,
}

impl Place {
    /// Whether the cabin is where it is wanted, as far as passengers see.
    fn is_reached(&self) -> bool {
        const NEAR: u32 = 3;
        self.is_wanted() && self.cabin.abs_diff(self.wanted) <= NEAR
    }

    fn is_wanted(&self) -> bool {
        self.wanted >= 0
    }
}

/// From where to where it is still to go, so that a step of 20 ms at the answered speed never goes beyond.
fn approach(left: i32, fastest: i32) -> i32 {
    const STEPS_A_SECOND: i32 = 50;
    // Two logical execution times pass until the speed that is decided now has had its effect: half the way is safe.
    (left.saturating_mul(STEPS_A_SECOND) / 4).clamp(-fastest, fastest)
}
