//! A tank's tasks and drivers.
#![no_std]

/// Reads the level.
pub fn read_level(level: &mut i32) {
    *level = 1;
}

/// Opens the valve while the level is low.
pub fn hold_impl(level: &i32, opening: &mut i32) {
    *opening = i32::from(*level < 10);
}

/// Sets the valve.
pub fn set_valve(_: &i32) {}
