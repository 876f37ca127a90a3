//! Stolen time: a thread less urgent than all others goes round a short loop, and sees when a round took longer.

use core::arch::asm;

use crate::Sample;

/// Waits until a round of the loop takes longer than its five instructions, and answers its two readings.
/// What was stolen is the difference less five instructions.
#[inline(always)]
pub fn next_gap() -> Sample {
    let (before, after): (u32, u32);
    // SAFETY: the timer is a device that the process may read. 192 ticks are 7.5 instructions.
    unsafe {
        asm!(
            "ldr {after}, [{timer}]",
            "2: mov {before}, {after}",
            "ldr {after}, [{timer}]",
            "sub {elapsed}, {before}, {after}",
            "cmp {elapsed}, #192",
            "bls 2b",
            timer = in(reg) 0x4000_0004,
            before = out(reg) before,
            after = out(reg) after,
            elapsed = out(reg) _,
            options(nostack),
        );
    }
    Sample { before: !before, after: !after }
}
