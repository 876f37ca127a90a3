//! An interrupt whose moment is known: the console's transmitter (a CMSDK UART at 0x4000_4000), which the
//! emulator lets finish in the instruction that gives it a byte. Its line is 1. And whether its receiver has a byte.

use core::arch::asm;

use crate::Sample;

/// The transmitter is on, without and with its interrupt.
const TRANSMIT: u32 = 0b001;
const TRANSMIT_AND_INTERRUPT: u32 = 0b101;

/// Sends a line end with the transmitter's interrupt on; the second reading is made when whatever that
/// caused is over. The store is counted.
#[inline(always)]
pub fn interrupt() -> Sample {
    let (before, after): (u32, u32);
    // SAFETY: the timer and the console are devices that the process was given. The interrupt preserves all.
    unsafe {
        asm!(
            "str {on}, [{console}, #8]",
            "movw {before}, #0x0004", "movt {before}, #0x4000", "ldr {before}, [{before}]",
            "str {byte}, [{console}]",
            "movw {after}, #0x0004", "movt {after}, #0x4000", "ldr {after}, [{after}]",
            on = in(reg) TRANSMIT_AND_INTERRUPT,
            byte = in(reg) u32::from(b'\n'),
            console = in(reg) 0x4000_4000,
            before = out(reg) before,
            after = out(reg) after,
            options(nostack),
        );
    }
    Sample { before: !before, after: !after }
}

/// Whether a byte has come that nobody has fetched yet: state at 4 (bit 1).
#[inline(always)]
#[must_use]
pub fn has_received() -> bool {
    let state: u32;
    // SAFETY: the console is a device that the process was given, and a look at its state changes nothing.
    unsafe {
        asm!(
            "ldr {state}, [{console}, #4]",
            state = out(reg) state,
            console = in(reg) 0x4000_4000,
            options(nostack, preserves_flags),
        );
    }
    state & 0b10 != 0
}

/// Takes the interrupt back at the device, as its server must before it acknowledges.
#[inline(always)]
pub fn quiet() {
    // SAFETY: the console is a device that the process was given.
    unsafe {
        asm!(
            "str {off}, [{console}, #8]", "str {transmitter}, [{console}, #12]",
            off = in(reg) TRANSMIT,
            transmitter = in(reg) 1,
            console = in(reg) 0x4000_4000,
            options(nostack),
        );
    }
}
