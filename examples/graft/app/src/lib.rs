//! A thread that says a word in each period, a task that counts, and the loader.
//!
//! `graft.tdl` and `beryl.toml` name these functions and say when they run.
#![no_std]
#![forbid(unsafe_code)]

mod loader;
mod speaker;

use beryl_user::environment::{self, Channel};

pub use loader::{loader, receiver};
pub use speaker::speaker;

/// How many jobs the task has counted.
pub const COUNT: Channel = Channel::new(0);

/// Counts its jobs.
pub fn steady_impl(jobs: &mut i32, count: &mut i32) {
    *jobs = jobs.saturating_add(1);
    *count = *jobs;
}

/// Shows the count.
pub fn show_count(count: &i32) {
    environment::write(COUNT, count);
}
