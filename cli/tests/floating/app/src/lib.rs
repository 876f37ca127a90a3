//! Threads that fill all registers of floating point, wait while others run, and look whether they have kept them.
#![no_std]

#[cfg(target_abi = "eabihf")]
#[path = "hardware.rs"]
mod registers;
#[cfg(not(target_abi = "eabihf"))]
#[path = "software.rs"]
mod registers;

use beryl_user::period::Period;
use beryl_user::trace::tell;
use registers::{found, give_up, kept, lengthen, trespass};

/// Told by each thread, job by job: what was wrong.
const KEPT: u16 = 1;
/// Told by the spy: what it has found that isn't its own, beginning anew, and in each of its jobs.
const BEGAN: u16 = 2;
const FOUND: u16 = 3;
/// Told before and after the instruction that mustn't be carried out.
const BEFORE: u16 = 4;
const AFTER: u16 = 5;
/// Told by who makes its own frames longer: whether they are.
const LONGER: u16 = 6;

/// s0 to s31, then the bits of FPSCR that a program sets: what results are rounded to.
pub const ALL: usize = 33;
const ROUNDING: u32 = 0x00C0_0000;

/// Values that no other thread has, in any of its rounds.
fn values(thread: u32, round: u32) -> [u32; ALL] {
    let mut all = [0; ALL];
    for (place, value) in (0..).zip(&mut all) {
        *value = thread << 24 | (round & 0xFFFF) << 8 | place;
    }
    all[ALL - 1] = (thread + round) << 22 & ROUNDING;
    all
}

/// How many are another than before.
fn wrong(thread: u32, round: u32, rounds: u32) -> u32 {
    let all = values(thread, round);
    let after = kept(&all, rounds);
    all.iter().zip(&after).map(|(before, after)| u32::from(before != after)).sum()
}

fn periodic(mut period: Period, thread: u32, rounds: u32) -> ! {
    for round in 0.. {
        tell(KEPT, wrong(thread, round, rounds));
        period.wait();
    }
    loop {}
}

pub fn quick(period: Period) -> ! {
    periodic(period, 1, 5_000)
}

pub fn middle(period: Period) -> ! {
    periodic(period, 2, 20_000)
}

pub fn slow() -> ! {
    for round in 0.. {
        tell(KEPT, wrong(3, round, 100_000));
    }
    loop {}
}

/// Begins with what nobody has put there, and finds no more in any job. In every fifteenth it leaves something, which is saved while
/// it waits; then it makes a mistake, and begins anew.
pub fn spy(mut period: Period) -> ! {
    tell(BEGAN, found());
    for round in 0.. {
        if round % 16 == 15 {
            give_up();
        }
        tell(FOUND, found());
        if round % 16 == 14 {
            let _ = kept(&values(4, round), 1);
        }
        period.wait();
    }
    loop {}
}

/// Makes its frames longer, goes on like that, and is preempted.
pub fn longer(mut period: Period) -> ! {
    for round in 0.. {
        tell(LONGER, lengthen());
        let _ = kept(&values(5, round), 1_000);
        period.wait();
    }
    loop {}
}

/// Uses no floating point, and works.
pub fn plain(mut period: Period) -> ! {
    for round in 0_u32.. {
        tell(KEPT, round.wrapping_mul(0));
        period.wait();
    }
    loop {}
}

/// Has no right to it.
pub fn stranger(mut period: Period) -> ! {
    period.wait();
    tell(BEFORE, 0);
    trespass();
    tell(AFTER, 0);
    loop {}
}
