//! The water meter's tasks, drivers and guard.
//!
//! `meter.tdl` names these functions and says when they run.
#![no_std]
#![forbid(unsafe_code)]

mod drivers;

use beryl_user::bell;

pub use drivers::{LAMP, PUMP, VALVE, is_shown, read_valve, set_lamp, set_pump};

/// From how many pulses in 40 ms on it is fast, and too fast.
const FAST: [i32; 2] = [3, 5];

/// One pulse more.
pub fn count_impl(pulses: &mut i32, total: &mut i32) {
    bell::acknowledge();
    *pulses = pulses.wrapping_add(1);
    *total = *pulses;
}

/// The wider the tap, the shorter from pulse to pulse; and an alarm if more came since the last job than should.
pub fn control_impl(total: &i32, valve: &i32, before: &mut i32, interval: &mut i32, alarm: &mut i32) {
    *interval = if *valve > 0 { 700 + 8_000_000 / *valve } else { 0 };
    let pulses = total.wrapping_sub(*before);
    *before = *total;
    *alarm = FAST.iter().map(|limit| i32::from(pulses >= *limit)).sum();
}

/// One more warning.
pub fn warn_impl(alarm: &i32, seen: &mut i32, shown: &mut i32) {
    *seen = seen.wrapping_add(1);
    *shown = 10 * *seen + *alarm;
}
