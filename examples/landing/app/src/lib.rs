//! The helicopter's tasks and drivers, the task that lands it, and the loader.
#![no_std]
#![forbid(unsafe_code)]

mod land;
mod loader;

pub use helicopter::{control_impl, navigate_impl, read_attitude, read_gps, set_rotor};
pub use land::land_impl;
pub use loader::{loader, receiver};
