//! A shell that carries out orders, one of which never ends, and a controller.
#![no_std]
#![forbid(unsafe_code)]

use core::hint::black_box;

use beryl_user::call::spend;
use beryl_user::environment::{self, Channel};
use beryl_user::period::Period;
use beryl_user::time::{Duration, sleep};

/// The valve.
pub const VALVE: Channel = Channel::new(0);

/// From one order to the next: 6 ms.
const REST: Duration = Duration::from_ticks(150_000);
/// What most orders take: half a millisecond.
const ORDER: Duration = Duration::from_ticks(12_500);
/// What it takes to blink: a fifth of a millisecond.
const BLINK: Duration = Duration::from_ticks(5000);
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
    spend(Duration::from_ticks(72_000));
    *opened = *jobs;
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
