//! RV32: what goes wrong where there is machine and user mode.

use core::arch::asm;

use crate::culprits::Case;

unsafe extern "C" {
    /// The clock's count; its address comes from the linker script.
    static __beryl_clock: u32;
}

/// Does `$what` with the case's stack pointer, and its address in a0; nothing comes after that.
macro_rules! with_stack_pointer {
    ($case:expr, $($what:literal),+) => {
        // SAFETY: it isn't safe, and that is the point: the thread loses its stack, and is stopped by what it does. No
        // local variable lives on.
        unsafe {
            asm!(
                "mv sp, {pointer}", $($what),+,
                pointer = in(reg) $case.stack_pointer, in("a0") $case.address, in("a1") 0,
                options(noreturn),
            )
        }
    };
}

/// Goes wrong. Nothing is wrong with a division by zero, nor with a load from an odd address, but with what follows.
pub fn commit(case: Case) {
    match case.what {
        0 => with_stack_pointer!(case, "unimp"),
        1 => with_stack_pointer!(case, "csrw 0xcbe, zero"),
        2 => with_stack_pointer!(case, "ebreak"),
        3 => with_stack_pointer!(case, "div a0, a0, a1", "unimp"),
        4 => with_stack_pointer!(case, "lw a2, 0(a0)", "lw a3, 4(a0)", "unimp"),
        5 => with_stack_pointer!(case, "lw a2, 0(a0)"),
        6 => with_stack_pointer!(case, "sw a1, 0(a0)"),
        7 => with_stack_pointer!(case, "jr a0"),
        8 => with_stack_pointer!(case, "li a0, 6", "ecall", "unimp"),
        10 => with_stack_pointer!(case, "csrw pmpcfg0, zero"),
        11 => with_stack_pointer!(case, "mret"),
        _ => {}
    }
}

/// Ticks since the start.
pub fn count() -> u32 {
    // SAFETY: the clock is this process's to read.
    unsafe { (&raw const __beryl_clock).read_volatile() }
}

/// Counts in a register while another one, where the kernel takes the number of a call from, holds a word; answers what it
/// holds then.
pub fn hold_in_a_register(word: u32) -> u32 {
    let held: u32;
    // SAFETY: no memory is touched.
    unsafe {
        asm!("2: addi {count}, {count}, -1", "bnez {count}, 2b", count = inout(reg) 1_000 => _,
             inout("a0") word => held, options(nomem, nostack));
    }
    held
}
