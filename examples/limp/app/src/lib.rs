//! A drive whose planner and log take too long in one of their jobs each.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::call::keep_busy;
use beryl_user::environment::{self, Channel};
use beryl_user::time::{Duration, milliseconds};

/// The motor's speed.
pub const MOTOR: Channel = Channel::new(0);
/// Whether the brake is on.
pub const BRAKE: Channel = Channel::new(1);

/// The job of the planner that takes too long, and that of the log.
const LATE_PLAN: i32 = 3;
const LATE_LINE: i32 = 8;
/// How long the first takes; and the second, more than one period of the log and less than two.
const LONG_PLAN: Duration = milliseconds(60);
const LONG_LINE: Duration = milliseconds(15);

/// Plans to go faster with each job. The third would take three times as long as it may, and is stopped.
pub fn plan_impl(jobs: &mut i32, speed: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == LATE_PLAN {
        keep_busy(LONG_PLAN);
    }
    *speed = jobs.saturating_mul(10);
}

/// Goes slowly.
pub fn creep_impl(speed: &mut i32) {
    *speed = 1;
}

/// Writes a line. The eighth takes longer than a period.
pub fn log_impl(_speed: &i32, jobs: &mut i32, lines: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == LATE_LINE {
        keep_busy(LONG_LINE);
    }
    *lines = *jobs;
}

/// Sets the motor's speed.
pub fn set_motor(speed: &i32) {
    environment::write(MOTOR, speed);
}

/// Puts the brake on, or takes it off.
pub fn set_brake(is_on: &i32) {
    environment::write(BRAKE, is_on);
}
