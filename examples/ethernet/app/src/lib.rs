//! A protocol stack that is an application like any other, and a controller beside it that is never late.
#![no_std]
#![forbid(unsafe_code)]

mod controller;
mod frames;
mod stack;
mod wire;

pub use controller::{Opening, read_level, set_valve, steer_impl};
pub use stack::serve;
