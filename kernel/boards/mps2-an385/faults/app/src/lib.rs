//! Threads that commit one fault each, and a task that keeps its deadlines all the while.
//!
//! The faults are a board's. In the simulator their threads and tasks do nothing, so that it can tell what the steady task
//! has to do.
#![no_std]

#[cfg(target_os = "none")]
mod board;
#[cfg(target_os = "none")]
pub use board::*;

#[cfg(not(target_os = "none"))]
mod elsewhere;
#[cfg(not(target_os = "none"))]
pub use elsewhere::*;

mod steady;
pub use steady::{show_count, steady_impl};
