//! Values that are measured with: in a register, where the compiler computes nothing before it and forgets nothing behind it.

use core::arch::asm;

/// A value that was computed just now, in a register: no instruction.
#[inline(always)]
#[must_use]
pub fn made() -> i32 {
    let value;
    // SAFETY: no instruction; the register holds whatever it held.
    unsafe { asm!("/* {0} */", out(reg) value, options(nomem, nostack, preserves_flags)) };
    value
}

/// Uses a value in a register: no instruction.
#[inline(always)]
pub fn used(value: i32) {
    // SAFETY: no instruction.
    unsafe { asm!("/* {0} */", in(reg) value, options(nomem, nostack, preserves_flags)) };
}
