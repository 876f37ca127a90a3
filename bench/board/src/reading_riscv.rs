//! The same on RISC-V, whose clock counts up: always three instructions, two of which a linker might make one.

use core::arch::asm;

use crate::Sample;

unsafe extern "C" {
    /// The count's low word; its address comes from the linker script.
    static __beryl_clock: u32;
}

/// Ticks since the start.
#[inline(always)]
pub fn elapsed() -> u32 {
    let value: u32;
    // SAFETY: the timer is a device that the process may read, and nothing else happens here.
    unsafe {
        asm!(
            ".option push", ".option norelax",
            "lui {value}, %hi({clock})", "addi {value}, {value}, %lo({clock})", "lw {value}, 0({value})",
            ".option pop",
            value = out(reg) value,
            clock = sym __beryl_clock,
            options(nostack, preserves_flags),
        );
    }
    value
}

/// Two readings around `body`, as on the other processors: both claim all registers that can be claimed, so that
/// nothing which belongs to `body` is prepared in front of the first, and nothing else comes in between.
///
/// Values that go into `body` or come out of it are to be [`made`](crate::made) and [`used`](crate::used) inside.
#[inline(always)]
pub fn around(body: impl FnOnce()) -> Sample {
    let (mut before, after): (u32, u32);
    // SAFETY: as in `elapsed`; registers that are claimed aren't written.
    unsafe {
        asm!(
            ".option push", ".option norelax",
            "lui s11, %hi({clock})", "addi s11, s11, %lo({clock})", "lw s11, 0(s11)",
            ".option pop",
            clock = sym __beryl_clock,
            out("s11") before,
            out("ra") _, out("t0") _, out("t1") _, out("t2") _, out("t3") _, out("t4") _, out("t5") _, out("t6") _,
            out("a0") _, out("a1") _, out("a2") _, out("a3") _, out("a4") _, out("a5") _, out("a6") _, out("a7") _,
            out("s2") _, out("s3") _, out("s4") _, out("s5") _, out("s6") _, out("s7") _, out("s8") _, out("s9") _,
            out("s10") _,
            options(nostack),
        );
    }
    body();
    // SAFETY: as above.
    unsafe {
        asm!(
            ".option push", ".option norelax",
            "lui a0, %hi({clock})", "addi a0, a0, %lo({clock})", "lw a0, 0(a0)",
            ".option pop",
            clock = sym __beryl_clock,
            inout("s11") before, out("a0") after,
            out("ra") _, out("t0") _, out("t1") _, out("t2") _, out("t3") _, out("t4") _, out("t5") _, out("t6") _,
            out("a1") _, out("a2") _, out("a3") _, out("a4") _, out("a5") _, out("a6") _, out("a7") _,
            out("s2") _, out("s3") _, out("s4") _, out("s5") _, out("s6") _, out("s7") _, out("s8") _, out("s9") _,
            out("s10") _,
            options(nostack),
        );
    }
    Sample { before, after }
}
