//! The controller's tasks, its getter and its setter.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::environment::{self, Channel};

/// Where the level comes from, and where the pump's rate goes.
pub const LEVEL: Channel = Channel::new(0);
pub const PUMP: Channel = Channel::new(1);

/// The level to hold, in um.
pub const WANTED: i32 = 100_000;
/// The most that the pump takes, in um a second.
pub const FASTEST: i32 = 60_000;

/// A mean of about the last four levels.
pub fn filter_impl(level: &i32, mean: &mut i32, smooth: &mut i32) {
    *mean += (*level - *mean) / 4;
    *smooth = *mean;
}

/// Proportional to what is missing, and to all that was missing; within what the pump can do.
pub fn control_impl(level: &i32, sum: &mut i32, pump: &mut i32) {
    let missing = WANTED - *level;
    let wanted = missing + *sum / 64;
    *pump = wanted.clamp(0, FASTEST);
    // A pump that is at its limit doesn't get more for being asked for more.
    if *pump == wanted {
        *sum += missing;
    }
}

/// Reads the level.
pub fn read_level(level: &mut i32) {
    environment::read(LEVEL, level);
}

/// Sets the pump.
pub fn set_pump(pump: &i32) {
    environment::write(PUMP, pump);
}
