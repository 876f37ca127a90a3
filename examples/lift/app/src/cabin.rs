//! The cabin: when to leave, how fast to travel, when it has arrived.

use crate::{Place, approach};

/// The fastest that the cabin travels.
const FASTEST: i32 = 1500;

/// The speed that leads to the wanted place.
pub fn drive_impl(place: &Place, speed: &mut i32) {
    let left = place.wanted.saturating_sub(place.cabin);
    *speed = if place.is_wanted() && !place.is_reached() { approach(left, FASTEST) } else { 0 };
}

/// Whether somebody waits elsewhere and the door is shut.
pub fn must_travel(place: &Place, gap: &i32) -> bool {
    *gap <= 0 && place.is_wanted() && !place.is_reached()
}

/// Whether the cabin is where it is wanted and no longer moves.
pub fn has_arrived(place: &Place, speed: &i32) -> bool {
    place.is_reached() && *speed == 0
}
