//! Those that do nothing wrong, and must not notice that others do.

use beryl_user::environment::{self, Channel};
use beryl_user::period::Period;

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

/// Has nothing to say, but its driver is asked.
pub fn wild_impl(_nothing: &mut i32) {}

/// A periodic thread.
pub fn beat(mut period: Period) -> ! {
    loop {
        period.wait();
    }
}
