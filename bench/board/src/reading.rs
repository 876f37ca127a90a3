//! Reading the board's clock: always three instructions. What a count stands for is asked behind the second.

use core::arch::asm;

use beryl_user::time;

use crate::Sample;

unsafe extern "C" {
    /// The count; its address comes from the linker script.
    static __beryl_clock: u32;
}

/// Ticks since the start.
#[inline(always)]
pub fn elapsed() -> u32 {
    let value: u32;
    // SAFETY: the timer is a device that the process may read, and nothing else happens here.
    unsafe {
        asm!(
            "movw {value}, #:lower16:{clock}", "movt {value}, #:upper16:{clock}", "ldr {value}, [{value}]",
            value = out(reg) value,
            clock = sym __beryl_clock,
            options(nostack, preserves_flags),
        );
    }
    time::elapsed(value)
}

/// Two readings around `body`, as the compiler puts it into its caller: what an application's own code would
/// be. Both readings claim all registers that can be claimed, so that nothing which belongs to `body`
/// (constants, addresses) is prepared in front of the first, and nothing else comes in between.
///
/// Values that go into `body` or come out of it are to be [`made`](crate::made) and [`used`](crate::used) inside.
#[inline(always)]
pub fn around(body: impl FnOnce()) -> Sample {
    let (mut before, after): (u32, u32);
    // SAFETY: as in `elapsed`; registers that are claimed aren't written.
    unsafe {
        asm!(
            "movw r11, #:lower16:{clock}", "movt r11, #:upper16:{clock}", "ldr r11, [r11]",
            clock = sym __beryl_clock,
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
            "movw r0, #:lower16:{clock}", "movt r0, #:upper16:{clock}", "ldr r0, [r0]",
            clock = sym __beryl_clock,
            inout("r11") before, out("r0") after,
            out("r1") _, out("r2") _, out("r3") _, out("r4") _, out("r5") _,
            out("r8") _, out("r9") _, out("r10") _, out("r12") _, out("lr") _,
            options(nostack),
        );
    }
    counted(before, after)
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
            "movw r4, #:lower16:{clock}", "movt r4, #:upper16:{clock}", "ldr r4, [r4]",
            "blx {function}",
            "movw r1, #:lower16:{clock}", "movt r1, #:upper16:{clock}", "ldr r1, [r1]",
            clock = sym __beryl_clock,
            function = in(reg) function,
            out("r4") before,
            inlateout("r0") object => result,
            inlateout("r1") small => after,
            in("r2") low,
            in("r3") high,
            clobber_abi("C"),
        );
    }
    (counted(before, after), result)
}

/// A sample of two counts.
#[inline(always)]
const fn counted(before: u32, after: u32) -> Sample {
    Sample { before: time::elapsed(before), after: time::elapsed(after) }
}
