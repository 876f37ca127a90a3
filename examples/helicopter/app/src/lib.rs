//! The helicopter's tasks and drivers.
//!
//! `helicopter.tdl` names these functions and says when they run. A function takes its ports by reference, in
//! the order of `uses`, and keeps nothing of its own: what must survive until the next job is a state port.
//! All mathematics is `f32`, by basic operations and `beryl_user::math`, so that a job gives the same bits on
//! every machine.
#![no_std]
#![forbid(unsafe_code)]

mod control;
mod drivers;
mod navigation;

pub use control::control_impl;
pub use drivers::{ATTITUDE, GPS, ROTOR, read_attitude, read_gps, set_rotor};
pub use navigation::navigate_impl;

/// Acceleration of gravity, m/s².
const GRAVITY: f32 = 9.81;
