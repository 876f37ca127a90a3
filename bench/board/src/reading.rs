//! Reading the timer (`TIMER0`, which counts down from all ones, at 0x4000_0004): always three instructions.

use core::arch::asm;

use crate::Sample;

/// Ticks since the start.
#[inline(always)]
pub fn elapsed() -> u32 {
    let value: u32;
    // SAFETY: the timer is a device that the process may read, and nothing else happens here.
    unsafe {
        asm!(
            "movw {value}, #0x0004", "movt {value}, #0x4000", "ldr {value}, [{value}]",
            value = out(reg) value,
            options(nostack, preserves_flags),
        );
    }
    !value
}

/// Two readings around `body`, as the compiler puts it into its caller: what an application's own code would
/// be. Both readings claim all registers that can be claimed, so that nothing which belongs to `body`
/// (constants, addresses) is prepared in front of the first, and nothing else comes in between.
///
/// Values that go into `body` or come out of it are to be [`made`] and [`used`] inside.
#[inline(always)]
pub fn around(body: impl FnOnce()) -> Sample {
    let (mut before, after): (u32, u32);
    // SAFETY: as in `elapsed`; registers that are claimed aren't written.
    unsafe {
        asm!(
            "movw r11, #0x0004", "movt r11, #0x4000", "ldr r11, [r11]",
            out("r11") before,
            out("r0") _, out("r1") _, out("r2") _, out("r3") _, out("r4") _, out("r5") _,
            out("r8") _, out("r9") _, out("r10") _, out("r12") _, out("lr") _,
            options(nostack),
        );
    }
    body();
    // SAFETY: as above.
    unsafe {
        asm!(
            "movw r0, #0x0004", "movt r0, #0x4000", "ldr r0, [r0]",
            inout("r11") before, out("r0") after,
            out("r1") _, out("r2") _, out("r3") _, out("r4") _, out("r5") _,
            out("r8") _, out("r9") _, out("r10") _, out("r12") _, out("lr") _,
            options(nostack),
        );
    }
    Sample { before: !before, after: !after }
}

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

/// Two readings around a call of `function`, arguments prepared before: the jump there, the
/// function, the return. All of it is one block, so that the compiler can't put anything in between.
#[inline(always)]
pub fn enclosed<T>(
    function: extern "C" fn(&mut T, u32, u64) -> u32,
    object: &mut T,
    small: u32,
    large: u64,
) -> (Sample, u32) {
    let (before, after, result): (u32, u32, u32);
    // The ABI passes a word of 64 bits in two registers, the lower half first.
    let (low, high) = (large as u32, (large >> 32) as u32);
    // SAFETY: a call by the C ABI with arguments of the function's types: its registers are those that
    // are named here, and what it may change is claimed. The timer is the process's to read.
    unsafe {
        asm!(
            "movw r4, #0x0004", "movt r4, #0x4000", "ldr r4, [r4]",
            "blx {function}",
            "movw r1, #0x0004", "movt r1, #0x4000", "ldr r1, [r1]",
            function = in(reg) function,
            out("r4") before,
            inlateout("r0") object => result,
            inlateout("r1") small => after,
            in("r2") low,
            in("r3") high,
            clobber_abi("C"),
        );
    }
    (Sample { before: !before, after: !after }, result)
}
