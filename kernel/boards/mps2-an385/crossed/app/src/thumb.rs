//! Thumb: what goes wrong on Armv7-M and Armv8-M.

use core::arch::asm;

use beryl_user::time::elapsed;

use crate::culprits::Case;

unsafe extern "C" {
    /// The clock's count; its address comes from the linker script.
    static __beryl_clock: u32;
}

/// Does `$what` with the case's stack pointer, and its address in r0; nothing comes after that.
macro_rules! with_stack_pointer {
    ($case:expr, $($what:literal),+) => {
        // SAFETY: it isn't safe, and that is the point: the thread loses its stack, and is stopped by what it does. No
        // local variable lives on.
        unsafe {
            asm!(
                "mov sp, {pointer}", $($what),+,
                pointer = in(reg) $case.stack_pointer, in("r0") $case.address, in("r1") 0,
                options(noreturn),
            )
        }
    };
}

/// Goes wrong.
pub fn commit(case: Case) {
    match case.what {
        0 => with_stack_pointer!(case, "udf #1"),
        1 => with_stack_pointer!(case, "udf #0xBE"),
        2 => with_stack_pointer!(case, "bkpt #1"),
        3 => with_stack_pointer!(case, "udiv r0, r0, r1"),
        4 => with_stack_pointer!(case, "ldm r0, {{r2, r3}}"),
        5 => with_stack_pointer!(case, "ldr r2, [r0]"),
        6 => with_stack_pointer!(case, "str r1, [r0]"),
        7 => with_stack_pointer!(case, "bx r0"),
        8 => with_stack_pointer!(case, "movs r0, #6", "svc 0", "udf #2"),
        9 => with_stack_pointer!(case, "2: b 2b"),
        _ => {}
    }
}

/// Ticks since the start.
pub fn count() -> u32 {
    // SAFETY: the clock is this process's to read.
    elapsed(unsafe { (&raw const __beryl_clock).read_volatile() })
}

/// Counts in a register while another one, where the kernel takes the number of a call from, holds a word; answers what it
/// holds then.
pub fn hold_in_a_register(word: u32) -> u32 {
    let held: u32;
    // SAFETY: no memory is touched.
    unsafe {
        asm!("2: subs {count}, #1", "bne 2b", count = inout(reg) 1_000 => _,
             inout("r0") word => held, options(nomem, nostack));
    }
    held
}
