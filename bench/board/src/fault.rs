//! A fault on purpose, as the next instruction.

use core::arch::asm;

/// Faults.
#[inline(always)]
pub fn fault() -> ! {
    // SAFETY: an instruction that there isn't: the kernel ends the thread there.
    unsafe { asm!("udf #1", options(noreturn, nomem, nostack)) }
}
