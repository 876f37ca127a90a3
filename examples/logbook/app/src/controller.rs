//! The controller: it keeps a room warm.

use beryl_user::call::spend;
use beryl_user::environment::{self, Channel};
use beryl_user::time::microseconds;

/// How warm it is, in tenths of a degree.
const ROOM: Channel = Channel::new(0);
/// What the heater gets, in thousandths.
const HEATER: Channel = Channel::new(1);
/// How warm it should be.
const WANTED: i32 = 210;

/// Heats by what is missing, now and so far.
pub fn heat_impl(room: &i32, missed: &mut i32, power: &mut i32) {
    let missing = WANTED.saturating_sub(*room);
    *missed = missed.saturating_add(missing).clamp(-50_000, 50_000);
    *power = missing.saturating_mul(10).saturating_add(*missed / 100).clamp(0, 1000);
    spend(microseconds(300));
}

/// Reads how warm it is.
pub fn read_room(room: &mut i32) {
    environment::read(ROOM, room);
}

/// Sets the heater.
pub fn set_heater(power: &i32) {
    environment::write(HEATER, power);
}
