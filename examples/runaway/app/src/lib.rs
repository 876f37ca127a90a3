//! A guess that doesn't come back in one of its jobs, and a controller that goes by it.
#![no_std]
#![forbid(unsafe_code)]

use core::hint::black_box;

use beryl_user::call::spend;
use beryl_user::environment::{self, Channel};
use beryl_user::time::Duration;

/// The valve.
pub const VALVE: Channel = Channel::new(0);

/// The job that doesn't come back.
const LOST: i32 = 3;

/// Guesses, a little more with each job.
pub fn guess_impl(jobs: &mut i32, opening: &mut i32) {
    *jobs = jobs.saturating_add(1);
    // Half of a result: nobody may see it.
    *opening = -1;
    if *jobs == LOST {
        run_away();
    }
    *opening = jobs.saturating_mul(10);
}

/// Opens the valve as far as was guessed, and says how often it did so.
pub fn steady_impl(opening: &i32, jobs: &mut i32, opened: &mut i32) {
    *jobs = jobs.saturating_add(1);
    *opened = opening.saturating_mul(1000).saturating_add(*jobs);
}

/// Sets the valve.
pub fn set_valve(opened: &i32) {
    environment::write(VALVE, opened);
}

/// Takes ten seconds: in the simulator as virtual time, on the board by work.
fn run_away() {
    spend(Duration::from_ticks(250_000_000));
    if cfg!(target_os = "none") {
        for round in 0..u32::MAX {
            black_box(round);
        }
    }
}
