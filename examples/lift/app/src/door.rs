//! The door: when to open, how to move its leaf, when to ring.

use crate::{Place, approach};

/// The gap of the open door, as in the timing program.
const OPEN: i32 = 800;

/// The speed of the leaf towards the end to which `limit` points, at most `limit`.
pub fn push_impl(gap: &i32, limit: &i32, speed: &mut i32) {
    let end = if *limit > 0 { OPEN } else { 0 };
    *speed = match approach(end.saturating_sub(*gap), limit.saturating_abs()) {
        // The last millimetres are too few for a speed of their own.
        0 if *gap != end => limit.signum().saturating_mul(50),
        speed => speed,
    };
}

/// A stroke of the bell with every other job.
pub fn ring_impl(strokes: &mut i32, on: &mut u8) {
    *strokes = strokes.wrapping_add(1);
    *on = u8::from(*strokes % 2 != 0);
}

/// Whether the cabin stands where somebody waits.
pub fn is_here(place: &Place, speed: &i32) -> bool {
    *speed == 0 && place.is_reached()
}

/// Whether nobody waits.
pub fn is_calm(place: &Place) -> bool {
    !place.is_wanted()
}
