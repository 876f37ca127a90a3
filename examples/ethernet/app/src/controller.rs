//! The controller: it keeps a tank's level, and knows of no network.

use beryl_user::call::spend;
use beryl_user::environment::{self, Channel};
use beryl_user::time::microseconds;

/// How high the water stands, in mm.
const LEVEL: Channel = Channel::new(0);
/// How far the valve is open, in thousandths.
const VALVE: Channel = Channel::new(1);

/// How high it should stand.
const WANTED: i32 = 500;

/// How far a valve is open, in thousandths.
pub type Opening = i32;

/// Opens the valve by what is missing, now and so far.
pub fn steer_impl(level: &i32, missed: &mut i32, opening: &mut Opening) {
    let missing = WANTED.saturating_sub(*level);
    *missed = missed.saturating_add(missing).clamp(-20_000, 20_000);
    *opening = (missing.saturating_mul(4).saturating_add(*missed / 20)).clamp(0, 1000);
    spend(microseconds(700));
}

/// Reads the level.
pub fn read_level(level: &mut i32) {
    environment::read(LEVEL, level);
}

/// Sets the valve.
pub fn set_valve(opening: &Opening) {
    environment::write(VALVE, opening);
}
