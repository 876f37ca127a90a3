//! A shell that carries out orders, one of which never ends, and a controller.
#![no_std]
#![forbid(unsafe_code)]

use core::hint::black_box;

use beryl_user::call::spend;
use beryl_user::environment::{self, Channel};
use beryl_user::period::Period;
use beryl_user::time::{Duration, microseconds, milliseconds, seconds, sleep};

/// The valve.
pub const VALVE: Channel = Channel::new(0);

/// From one order to the next.
const REST: Duration = milliseconds(6);
/// What most orders take.
const ORDER: Duration = microseconds(500);
/// What it takes to blink.
const BLINK: Duration = microseconds(200);
/// The order that never ends.
const LOST: u32 = 4;

/// Carries out an order every few milliseconds.
pub fn shell() -> ! {
    for order in 1.. {
        let _ = sleep(REST);
        match order {
            LOST => run_away(),
            _ => spend(ORDER),
        }
    }
    unreachable!("there is always another order")
}

/// Blinks: a job that may share a budget with the shell.
pub fn blink(mut period: Period) -> ! {
    loop {
        spend(BLINK);
        period.wait();
    }
}

/// Opens the valve, and says how often it did so.
pub fn steady_impl(jobs: &mut i32, opened: &mut i32) {
    *jobs = jobs.saturating_add(1);
    // Most of what it may take.
    spend(microseconds(2880));
    *opened = *jobs;
}

/// Sets the valve.
pub fn set_valve(opened: &i32) {
    environment::write(VALVE, opened);
}

/// Takes ten seconds: in the simulator as virtual time, on the board by work.
fn run_away() {
    spend(seconds(10));
    if cfg!(target_os = "none") {
        for round in 0..u32::MAX {
            black_box(round);
        }
    }
}
