//! The task that does its work, whatever the others do.

use beryl_user::environment::{self, Channel};

const COUNT: Channel = Channel::new(0);

/// Counts its jobs.
pub fn steady_impl(jobs: &mut i32, count: &mut i32) {
    *jobs = jobs.saturating_add(1);
    *count = *jobs;
}

/// Shows the count.
pub fn show_count(count: &i32) {
    environment::write(COUNT, count);
}
