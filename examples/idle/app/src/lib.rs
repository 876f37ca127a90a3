//! The wave's tasks and driver, and the thread that makes its schedule.
#![no_std]
#![forbid(unsafe_code)]

mod maker;
mod wave;

pub use maker::maker;
pub use wave::{learn_impl, pulse_impl, set_dial, smooth_impl};
