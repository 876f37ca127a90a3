//! What looks like a fault and isn't: these threads say on the console that they are alive at their ends.

use beryl_user::time::milliseconds;
use beryl_user::{call, println};

use super::clock;
use super::processor::{hold_until, try_to_switch_interrupts_off, unknown};

/// Thread: a system call that doesn't exist is an error for the caller, not a fault.
pub fn unknown_call() -> ! {
    const REFUSED: u32 = 0xFFFF_FFFF;
    if unknown(999, 1) == (REFUSED, 1) {
        println!("unknown_call: refused");
    }
    call::stop()
}

/// Thread: tries to switch off interrupts in every way, which has no effect. The steady task is released meanwhile.
pub fn interrupts_off() -> ! {
    let direction = clock::direction();
    try_to_switch_interrupts_off();
    hold_until(clock::elapsed(direction).saturating_add(ticks(3)), direction, 0);
    println!("interrupts_off: without effect");
    call::stop()
}

/// Thread, less urgent than all others: waits until they are done, always about to make the call that would end it.
pub fn bystander() -> ! {
    const STOP: u32 = 6;
    if hold_until(ticks(25), clock::direction(), STOP) == STOP {
        println!("bystander: undisturbed");
    }
    call::stop()
}

/// Ticks in so many milliseconds, which are few.
fn ticks(count: u64) -> u32 {
    u32::try_from(milliseconds(count).ticks()).unwrap_or(u32::MAX)
}
