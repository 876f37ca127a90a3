//! The tasks and drivers of the robot that draws a map.
//!
//! `robot.tdl` names these functions and says when they run. The map is a static variable of the process: `update` alone
//! changes it, and its copy while nothing of that is sent.
#![no_std]
#![forbid(unsafe_code)]

mod drivers;
mod grid;
mod last;
mod length;
mod odometer;
mod pose;
mod send;
mod update;
mod waiting;

pub use drivers::{
    read_ahead_left, read_ahead_right, read_asked, read_left, read_left_side, read_left_wheel, read_right,
    read_right_side, read_right_wheel, show,
};
pub use grid::{CELL, SIDE, START};
pub use odometer::{COUNTER, odometer_impl};
pub use send::{BLOCKS, Packet, send_impl};
pub use update::{FARTHEST, update_impl};

use length::Length;

/// Waits for an echo until none can come any more.
pub fn sonar_impl(echo: &i32, range: &mut i32) {
    let length = Length::short();
    *range = *echo;
    length.pass();
}

/// It is time to forget.
pub fn antisensor_impl(times: &mut i32) {
    let length = Length::short();
    *times = times.wrapping_add(1);
    length.pass();
}
