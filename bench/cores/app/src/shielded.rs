//! The threads of `./x bench shielded/`: what is measured, what stands for the work of others, and what for their devices.
//!
//! Functions that are found in the log of instructions by their names begin with `mark_`; what `spend_measured` carries out isn't
//! logged.

use core::hint::black_box;

use beryl_user::interrupt::Interrupt;
use beryl_user::notification::Notifier;
use beryl_user::period::Period;

/// Rounds of the measured loop, and of a chore.
const ROUNDS: u32 = 50_000;
const CHORE: u32 = 500;
/// Nanoseconds from one alarm of the measured device to the next, at least: no multiple of anybody's period.
#[cfg(all(target_os = "none", not(target_arch = "arm")))]
const ALARM: u64 = 1_310_000;

/// The measured loop, again and again. It makes no call.
pub fn works() -> ! {
    loop {
        spend_measured(ROUNDS);
    }
}

/// The measured reader: it is woken by a device that goes off once each time that it is told to.
pub fn reads(mut alarm: Interrupt) -> ! {
    loop {
        #[cfg(all(target_os = "none", not(target_arch = "arm")))]
        beryl_user::goldfish::set(beryl_user::goldfish::now() + ALARM);
        let _ = alarm.wait();
        mark_woken();
    }
}

/// Has nothing to do in each period.
pub fn ticks(mut period: Period) -> ! {
    loop {
        period.wait();
    }
}

/// Has something to do in each period.
pub fn chores(mut period: Period) -> ! {
    loop {
        for round in 0..CHORE {
            black_box(round);
        }
        period.wait();
    }
}

/// Stands for a device of another core: it interrupts in each period.
pub fn device(mut period: Period, mut packet: Notifier) -> ! {
    loop {
        packet.notify();
        period.wait();
    }
}

#[inline(never)]
fn mark_begin() {
    black_box(1);
}

#[inline(never)]
fn mark_end() {
    black_box(2);
}

#[inline(never)]
fn mark_woken() {
    black_box(3);
}

#[inline(never)]
fn spend_measured(rounds: u32) {
    mark_begin();
    for round in 0..rounds {
        black_box(round);
    }
    mark_end();
}
