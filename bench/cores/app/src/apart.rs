//! The threads of `./x bench apart/`: three that compute for as long in periods of their own, and one that makes a call in each.
//!
//! Functions that are found in the log of instructions by their names begin with `mark_`; what `spend_others` carries out isn't logged.

use core::hint::black_box;

use beryl_user::notification::{Notification, Notifier};
use beryl_user::period::Period;

/// Rounds of each job: 2.2 ms at 32 ns an instruction.
const ROUNDS: u32 = 17_180;

/// The most urgent of the three.
pub fn often(mut period: Period) -> ! {
    loop {
        mark_job();
        spend_own(ROUNDS);
        mark_done();
        period.wait();
    }
}

/// The others.
pub fn seldom(mut period: Period) -> ! {
    loop {
        spend_others(ROUNDS);
        period.wait();
    }
}

/// Sets bits for a thread that is less urgent, in each period, and so goes on itself.
pub fn calls(mut period: Period, mut near: Notifier) -> ! {
    loop {
        mark_job();
        near.notify();
        mark_done();
        period.wait();
    }
}

/// Waits for these.
pub fn is_called(mut near: Notification) -> ! {
    loop {
        let _ = near.wait();
    }
}

#[inline(never)]
fn mark_job() {
    black_box(4);
}

#[inline(never)]
fn mark_done() {
    black_box(5);
}

#[inline(never)]
fn spend_own(rounds: u32) {
    for round in 0..rounds {
        black_box(round);
    }
}

#[inline(never)]
fn spend_others(rounds: u32) {
    for round in 0..rounds {
        black_box(round ^ 1);
    }
}
