//! An interrupt that comes while nobody has anything to do: a dual timer (at 0x4000_2000, line 10) counts
//! down to it and goes on from all ones, so that it tells how long ago that was.

use core::arch::asm;

use crate::Sample;

/// Ticks until it comes: enough for everybody to go to sleep, and so many that the look that the kernel takes
/// at its clock, every 43 s, falls into no sample.
const SOON: u32 = 60_000;
/// Counts, interrupts, 32 bits, and goes on from all ones.
const COUNT_AND_INTERRUPT: u32 = 0b1010_0010;
const OFF: u32 = 0;

/// Lets the interrupt come soon, and waits for it by `body`; the reading behind it tells how long ago it came.
#[inline(always)]
pub fn from_idle(body: impl FnOnce()) -> Sample {
    // SAFETY: the timer is a device that the process was given.
    unsafe {
        asm!(
            "str {off}, [{timer}, #8]", "str {soon}, [{timer}]", "str {on}, [{timer}, #8]",
            off = in(reg) OFF,
            soon = in(reg) SOON,
            on = in(reg) COUNT_AND_INTERRUPT,
            timer = in(reg) 0x4000_2000,
            options(nostack),
        );
    }
    body();
    let left: u32;
    // SAFETY: as above.
    unsafe {
        asm!(
            "movw {left}, #0x2004", "movt {left}, #0x4000", "ldr {left}, [{left}]",
            left = out(reg) left,
            options(nostack),
        );
    }
    Sample { before: 0, after: !left }
}

/// Takes the interrupt back at the device, as its server must before it acknowledges.
#[inline(always)]
pub fn quiet() {
    // SAFETY: as above.
    unsafe {
        asm!(
            "str {off}, [{timer}, #8]", "str {timer}, [{timer}, #12]",
            off = in(reg) OFF,
            timer = in(reg) 0x4000_2000,
            options(nostack),
        );
    }
}
