//! Threads that commit one fault each, and a task that keeps its deadlines all the while.
//!
//! The faults are Armv7-M's. On other processors their threads and tasks do nothing, so that the simulator can tell
//! what the steady task has to do.
#![no_std]

#[cfg(target_arch = "arm")]
mod board;
#[cfg(target_arch = "arm")]
pub use board::*;

#[cfg(not(target_arch = "arm"))]
mod elsewhere;
#[cfg(not(target_arch = "arm"))]
pub use elsewhere::*;

mod steady;
pub use steady::{show_count, steady_impl};
