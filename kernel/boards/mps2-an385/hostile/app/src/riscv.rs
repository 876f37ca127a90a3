//! RV32: what a thread may try where there is machine and user mode.

use core::arch::asm;

use crate::interpreter::Misdeed;

/// Does `$what` with the misdeed's registers, and with its stack pointer, if it has one. Nothing comes after that.
macro_rules! with_its_pointer {
    ($misdeed:expr, $($what:literal),+) => {{
        let Misdeed { stack_pointer, registers: [a0, a1, ..], .. } = $misdeed;
        // SAFETY: it isn't safe, and that is the point: the thread is stopped by what it does. No local variable lives on.
        unsafe {
            match stack_pointer {
                0 => asm!($($what),+, in("a0") a0, in("a1") a1, options(noreturn)),
                pointer => asm!(
                    "mv sp, {pointer}", $($what),+,
                    pointer = in(reg) pointer, in("a0") a0, in("a1") a1, options(noreturn),
                ),
            }
        }
    }};
}

/// Does what ends the thread. A division by zero doesn't, so an instruction follows that there isn't.
pub fn for_good(what: u32, misdeed: Misdeed) {
    match what {
        2 => with_its_pointer!(misdeed, "unimp"),
        3 => with_its_pointer!(misdeed, "csrw 0xcbe, zero"),
        4 => with_its_pointer!(misdeed, "ebreak"),
        5 => with_its_pointer!(misdeed, "div a0, a0, zero", "rem a1, a0, zero", "unimp"),
        6 => with_its_pointer!(misdeed, "lw a2, 0(a0)", "lw a3, 4(a0)", "unimp"),
        7 => with_its_pointer!(misdeed, "lw a2, 0(a0)", "unimp"),
        8 => with_its_pointer!(misdeed, "sw a1, 0(a0)", "unimp"),
        9 => with_its_pointer!(misdeed, "jr a0"),
        21 => reach_for_the_kernels(misdeed),
        _ => {}
    }
}

/// Reads or writes a register that is machine mode's, or returns from where it never was.
fn reach_for_the_kernels(misdeed: Misdeed) {
    match misdeed.registers[0] {
        0 => with_its_pointer!(misdeed, "csrw mstatus, a1"),
        1 => with_its_pointer!(misdeed, "csrr a1, mepc"),
        2 => with_its_pointer!(misdeed, "csrw mtvec, a1"),
        3 => with_its_pointer!(misdeed, "csrw pmpcfg0, zero"),
        4 => with_its_pointer!(misdeed, "csrw pmpaddr15, a1"),
        5 => with_its_pointer!(misdeed, "csrsi mie, 8"),
        6 => with_its_pointer!(misdeed, "csrci mstatus, 8"),
        7 => with_its_pointer!(misdeed, "csrr a1, mhartid"),
        8 => with_its_pointer!(misdeed, "csrw 0x7c0, a1"),
        _ => with_its_pointer!(misdeed, "mret"),
    }
}

/// A call with any registers.
pub fn raw_call([a0, a1, a2, a3, a4]: [u32; 5]) {
    // SAFETY: a call; whatever the kernel writes, it writes to what is this thread's.
    unsafe {
        asm!(
            "ecall",
            inout("a0") a0 => _, inout("a1") a1 => _, inout("a2") a2 => _, inout("a3") a3 => _, inout("a4") a4 => _,
        );
    }
}

/// The stack pointer.
#[inline(always)]
pub fn pointer() -> u32 {
    let pointer: u32;
    // SAFETY: reads a register.
    unsafe { asm!("mv {pointer}, sp", pointer = out(reg) pointer, options(nomem, nostack)) };
    pointer
}

/// User mode has no instruction for that which is passed over. It may wait for an interrupt, and forget what was fetched.
pub fn interrupts_off() {
    // SAFETY: no memory is touched; nothing changes but what has been fetched.
    unsafe { asm!("wfi", ".4byte 0x0000100f", options(nomem, nostack)) };
}
