//! The kernel's own protection: the devices and system registers that it stands on.

use core::arch::asm;

use super::{still_alive, store};

/// Control of the protection unit (MPU_CTRL).
const PROTECTION: usize = 0xE000_ED94;
/// Interrupt lines to be kept out (ICER0).
const MASK: usize = 0xE000_E180;
/// Application interrupt and reset control (AIRCR).
const RESET: usize = 0xE000_ED0C;
/// Control of timer 1, the alarm.
const ALARM: usize = 0x4000_1000;
/// Control of timer 0, the clock, which this process may read.
const CLOCK: usize = 0x4000_0000;

/// Thread: switches off the protection unit.
pub fn switch_off_protection() -> ! {
    store(PROTECTION, 0);
    still_alive("switch_off_protection")
}

/// Thread: keeps the alarm's interrupt out.
pub fn mask_alarm() -> ! {
    store(MASK, 1 << 9);
    still_alive("mask_alarm")
}

/// Thread: resets the processor.
pub fn reset() -> ! {
    store(RESET, 0x05FA_0004);
    still_alive("reset")
}

/// Thread: stops the alarm.
pub fn set_alarm() -> ! {
    store(ALARM, 0);
    still_alive("set_alarm")
}

/// Thread: stops the clock.
pub fn set_clock() -> ! {
    store(CLOCK, 0);
    still_alive("set_clock")
}

/// Thread: makes itself privileged, which has no effect, then does what it takes privileges for.
pub fn take_privileges() -> ! {
    // SAFETY: no memory is touched; in user mode the instruction doesn't change the privileges.
    unsafe { asm!("msr control, {zero}", "isb", zero = in(reg) 2, options(nomem, nostack)) };
    store(PROTECTION, 0);
    still_alive("take_privileges")
}
