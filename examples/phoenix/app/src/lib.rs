//! One task that works, and one that faults again and again.
//!
//! `phoenix.tdl` names these functions and says when they run.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::environment::{self, Channel};

/// The jobs that each task has counted: steady, guess.
pub const COUNTS: Channel = Channel::new(0);

/// What a job adds. Somebody has forgotten that there may be more jobs.
const STEPS: [i32; 3] = [0, 1, 1];

/// Counts its jobs, until the table is too short for them.
pub fn guess_impl(jobs: &mut i32, count: &mut i32) {
    let next = usize::try_from(*jobs).map_or(0, |jobs| jobs + 1);
    *count += STEPS[core::hint::black_box(next)];
    *jobs += 1;
}

/// Gathers the other's count and its own.
pub fn steady_impl(guess: &i32, jobs: &mut i32, counts: &mut [i32; 2]) {
    *jobs = jobs.saturating_add(1);
    *counts = [*jobs, *guess];
}

/// Shows both counts.
pub fn show_counts(counts: &[i32; 2]) {
    environment::write(COUNTS, counts);
}
