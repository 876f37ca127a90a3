//! The processor's own registers that the port uses (RISC-V privileged architecture, chapter 3).

use core::arch::asm;

use crate::layout::Fixed;

/// The machine timer, in `mie`, `mip` and, for an interrupt, `mcause`.
pub const TIMER: u32 = 7;
/// The interrupt controller, likewise.
pub const EXTERNAL: u32 = 11;
/// Both of them, and another processor that calls this one.
const ALL: u32 = 1 << TIMER | 1 << EXTERNAL | 1 << 3;

/// Which of these three have something to be taken, by their bits.
#[inline(always)]
pub fn pending() -> u32 {
    let bits: u32;
    // SAFETY: reads a register; no memory that Rust knows of depends on it.
    unsafe { asm!("csrr {}, mip", out(reg) bits, options(nomem, nostack, preserves_flags)) };
    bits & ALL
}

/// Whether one of them has, between two steps. The address of each instruction that looks is written into a section that isn't
/// loaded: the length of steps is counted from one of them to the next (`bench/path`).
#[inline(always)]
pub fn is_pending() -> bool {
    let bits: u32;
    // SAFETY: reads a register; no memory that Rust knows of depends on it.
    unsafe {
        asm!(
            "77: csrr {bits}, mip",
            ".pushsection .step_boundaries, \"\", %progbits",
            ".word 77b",
            ".popsection",
            bits = lateout(reg) bits,
            options(nomem, nostack, preserves_flags),
        );
    }
    bits & ALL != 0
}

/// Forgets what was fetched of memory into which code has been written since.
pub fn fetch_anew() {
    // SAFETY: `fence.i`, by its bits, since the target's name doesn't have it: all stores before it come first.
    unsafe { asm!(".4byte 0x0000100f", options(nostack, preserves_flags)) };
}

/// Lets all through to user mode; the kernel itself is never interrupted.
pub fn enable_interrupts() {
    // SAFETY: in machine mode interrupts stay off, which the entry relies on.
    unsafe { asm!("csrw mie, {}", in(reg) ALL, options(nomem, nostack, preserves_flags)) };
}

/// Sets the entries of the protection unit that stay, and the guard.
pub fn protect(fixed: &Fixed, guard: u32, guarding: u32) {
    let [first, second, third, fourth] = fixed.addresses;
    // SAFETY: entries limit user mode; the guard limits the kernel, which never touches that memory.
    unsafe {
        asm!(
            "csrw pmpaddr10, {first}",
            "csrw pmpaddr11, {second}",
            "csrw pmpaddr12, {third}",
            "csrw pmpaddr13, {fourth}",
            "csrw pmpaddr14, {guard}",
            "csrw pmpcfg3, {config}",
            first = in(reg) first,
            second = in(reg) second,
            third = in(reg) third,
            fourth = in(reg) fourth,
            guard = in(reg) guard,
            config = in(reg) fixed.config | guarding,
            options(nostack, preserves_flags),
        );
    }
}
