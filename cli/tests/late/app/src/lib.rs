//! A clock, and what its beats release.
#![no_std]
#![forbid(unsafe_code)]

use core::hint::black_box;

use beryl_user::call::spend;
use beryl_user::environment::{self, Channel};
use beryl_user::time::Duration;

const LAMP: Channel = Channel::new(0);
const HORN: Channel = Channel::new(1);
const ALARM: Channel = Channel::new(2);

/// The job that takes too long.
const LATE: i32 = 3;

/// Counts.
pub fn clock_impl(jobs: &mut i32, beat: &mut i32) {
    *jobs = jobs.saturating_add(1);
    *beat = *jobs;
}

/// Shows the beat; one of its jobs takes more than one period and less than two.
pub fn show_impl(beat: &i32, jobs: &mut i32, shown: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == LATE {
        take_long();
    }
    *shown = *beat;
}

/// The same; that job takes three times as long.
pub fn stuck_impl(beat: &i32, jobs: &mut i32, shown: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == LATE {
        (0..3).for_each(|_| take_long());
    }
    *shown = *beat;
}

/// 15 ms in the simulator, about as much on the board.
fn take_long() {
    spend(Duration::from_ticks(375_000));
    if cfg!(target_os = "none") {
        for round in 0..110_000 {
            black_box(round);
        }
    }
}

/// Shows a number.
pub fn set_lamp(number: &i32) {
    environment::write(LAMP, number);
}

/// Blows the horn.
pub fn set_horn(pitch: &i32) {
    environment::write(HORN, pitch);
}

/// Tells what was shown last.
pub fn alarm(shown: &i32) {
    environment::write(ALARM, shown);
}
