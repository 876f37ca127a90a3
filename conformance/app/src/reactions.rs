//! Reactions: what is done about a task that isn't done in time. One is given up and the mode changes, one
//! goes on, one makes up for what it missed.

use crate::work;

/// Works longer than it may in its third job.
pub fn plan_impl(jobs: &mut i32, speed: &mut i32) {
    *jobs = jobs.wrapping_add(1);
    work(if *jobs == 3 { 15_400 } else { 1_230 });
    *speed = jobs.wrapping_mul(10);
}

/// Goes slowly.
pub fn creep_impl(speed: &mut i32) {
    work(830);
    *speed = 1;
}

/// Is late in each eighth job, and goes on.
pub fn log_impl(speed: &i32, jobs: &mut i32, lines: &mut i32) {
    *jobs = jobs.wrapping_add(1);
    work(if *jobs % 8 == 0 { 8_350 } else { 470 });
    *lines = speed.wrapping_add(*jobs);
}

/// Is late in each sixth job, and makes up for it.
pub fn copy_impl(count: &i32, jobs: &mut i32, copies: &mut i32) {
    *jobs = jobs.wrapping_add(1);
    work(if *jobs % 6 == 5 { 9_270 } else { 610 });
    *copies = count.wrapping_mul(1000).wrapping_add(*jobs);
}
