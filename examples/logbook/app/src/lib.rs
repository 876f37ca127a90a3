//! A logbook that is made of crates of others, and a controller beside it that isn't late whatever they do.
#![no_std]
#![forbid(unsafe_code)]

mod controller;
mod keeper;
mod memory;
mod watcher;

pub use controller::{heat_impl, read_room, set_heater};
pub use keeper::keep;
pub use watcher::watch;
