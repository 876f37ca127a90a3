//! What is measured on several cores: threads that ring and hear doorbells, what runs on a core that is shielded from others, or isn't, and
//! threads whose kernel has a core of its own.
#![no_std]
#![forbid(unsafe_code)]

mod apart;
mod shielded;

use core::hint::black_box;

use beryl_user::interrupt::Interrupt;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::period::Period;

pub use apart::{calls, is_called, often, seldom};
pub use shielded::{chores, device, reads, ticks, works};

/// Rings at the other core twice, and sets bits for a thread of its own, at a place of its period that is another one each time.
pub fn asks(mut period: Period, mut first: Notifier, mut second: Notifier, mut near: Notifier) -> ! {
    let mut job = 0_u32;
    loop {
        job = job.wrapping_add(1);
        spend(job % PLACES);
        first.notify();
        second.notify();
        near.notify();
        period.wait();
    }
}

/// Adds to what it has heard.
pub fn add_heard(heard: &i32, sum: &mut i32) {
    *sum = heard.wrapping_add(1);
}

/// How many places there are.
const PLACES: u32 = 97;

/// Waits for what its neighbour says.
pub fn listens(mut near: Notification) -> ! {
    loop {
        let _ = near.wait();
    }
}

/// Waits for a doorbell.
pub fn hears(mut bell: Interrupt) -> ! {
    loop {
        let _ = bell.wait();
    }
}

/// Goes round so often.
#[inline(never)]
fn spend(rounds: u32) {
    for round in 0..rounds {
        black_box(round);
    }
}
