//! A clock whose alarm goes off once, and is set anew when it was heard: that of virt, and a timer of stm32f405.

use core::sync::atomic::{AtomicU32, Ordering};

#[cfg(target_arch = "riscv32")]
use crate::goldfish as clock;
#[cfg(target_arch = "arm")]
use crate::stm32_timer as clock;

pub const GOES_ON: bool = false;

/// Nanoseconds from ring to ring; 0 if no other one follows.
static INTERVAL: AtomicU32 = AtomicU32::new(0);

pub fn every(nanoseconds: u32) {
    if INTERVAL.swap(nanoseconds, Ordering::Relaxed) == nanoseconds {
        return;
    }
    match nanoseconds {
        0 => clock::silence(),
        _ => clock::set(clock::now() + u64::from(nanoseconds)),
    }
}

pub fn after(nanoseconds: u32) {
    INTERVAL.store(0, Ordering::Relaxed);
    clock::set(clock::now() + u64::from(nanoseconds));
}

pub fn has_rung() -> bool {
    clock::has_gone_off()
}

/// A ring in the meantime was heard with this one.
pub fn acknowledge() {
    let interval = u64::from(INTERVAL.load(Ordering::Relaxed));
    if interval == 0 {
        return clock::silence();
    }
    let (mut next, now) = (clock::alarm() + interval, clock::now());
    while next <= now {
        next += interval;
    }
    clock::set(next);
}

pub fn again_after(nanoseconds: u32) {
    clock::set(clock::alarm() + u64::from(nanoseconds));
}
