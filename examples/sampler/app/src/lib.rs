//! The sampler's task, the tasks and drivers of the water meter, and the loader.
#![no_std]
#![forbid(unsafe_code)]

mod loader;
mod sample;

pub use loader::{loader, receiver};
pub use meter::{count_impl, read_valve, set_lamp, set_pump};
pub use sample::{sample_impl, steer_impl, sticky_impl};
