//! Thumb: what a thread may try on Armv7-M and Armv8-M.

use core::arch::asm;

use crate::interpreter::Misdeed;

/// Does `$what` with the misdeed's registers, and with its stack pointer, if it has one. Nothing comes after that.
macro_rules! with_its_pointer {
    ($misdeed:expr, $($what:literal),+) => {{
        let Misdeed { stack_pointer, registers: [r0, r1, ..], .. } = $misdeed;
        // SAFETY: it isn't safe, and that is the point: the thread is stopped by what it does. No local variable lives on.
        unsafe {
            match stack_pointer {
                0 => asm!($($what),+, in("r0") r0, in("r1") r1, options(noreturn)),
                pointer => asm!(
                    "mov sp, {pointer}", $($what),+,
                    pointer = in(reg) pointer, in("r0") r0, in("r1") r1, options(noreturn),
                ),
            }
        }
    }};
}

/// Does what ends the thread.
pub fn for_good(what: u32, misdeed: Misdeed) {
    match what {
        2 => with_its_pointer!(misdeed, "udf #1"),
        3 => with_its_pointer!(misdeed, "udf #0xBE"),
        4 => with_its_pointer!(misdeed, "bkpt #1"),
        5 => with_its_pointer!(misdeed, "movs r1, #0", "udiv r0, r0, r1", "udf #1"),
        6 => with_its_pointer!(misdeed, "ldm r0, {{r2, r3}}", "udf #1"),
        7 => with_its_pointer!(misdeed, "ldr r2, [r0]", "udf #1"),
        8 => with_its_pointer!(misdeed, "str r1, [r0]", "udf #1"),
        9 => with_its_pointer!(misdeed, "bx r0"),
        _ => {}
    }
}

/// A call with any registers.
pub fn raw_call([r0, r1, r2, r3, r12]: [u32; 5]) {
    // SAFETY: a call; whatever the kernel writes, it writes to what is this thread's.
    unsafe {
        asm!(
            "svc 0",
            inout("r0") r0 => _, inout("r1") r1 => _, inout("r2") r2 => _, inout("r3") r3 => _, inout("r12") r12 => _,
        );
    }
}

/// The stack pointer.
#[inline(always)]
pub fn pointer() -> u32 {
    let pointer: u32;
    // SAFETY: reads a register.
    unsafe { asm!("mov {pointer}, sp", pointer = out(reg) pointer, options(nomem, nostack)) };
    pointer
}

/// Tries to switch interrupts off, which has no effect.
pub fn interrupts_off() {
    // SAFETY: no memory is touched; in user mode these instructions do nothing.
    unsafe {
        asm!("cpsid i", "cpsid f", "msr basepri, {one}", "msr primask, {one}", "msr faultmask, {one}",
             "msr control, {zero}", one = in(reg) 1, zero = in(reg) 0, options(nomem, nostack));
    }
}
