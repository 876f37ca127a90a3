//! One task that works and three that go wrong on purpose.
//!
//! `stray.tdl` names these functions and says when they run. Being wrong takes unsafe code: it is in the two
//! functions that say so, and nowhere else.
#![no_std]
#![deny(unsafe_code)]

mod overflow;
mod pointer;
mod privilege;
mod steady;

pub use overflow::overflow_impl;
pub use pointer::pointer_impl;
pub use privilege::privilege_impl;
pub use steady::{ALIVE, show_alive, steady_impl};

/// Counts a job; `count` tells the others.
fn count_job(jobs: &mut i32, count: &mut i32) {
    *jobs = jobs.saturating_add(1);
    *count = *jobs;
}
