//! Floating point: the switch of a kernel with threads that use it, and how they begin.
//!
//! The processor's own ways to save these registers are off: frames are those of threads without floating point, and nothing is saved
//! later than at the switch. So one thread's registers are in its row, whole, before the next one's are loaded, whole. Who doesn't use
//! them may not: for user mode the unit is off then, and an instruction of it is a fault. What is left in the registers meanwhile is
//! seen by nobody, since who comes next with a right to them has all of them loaded. The kernel itself, which is compiled without
//! floating point, always has the right: it saves and loads.
//!
//! The instructions are written as numbers, because the kernel is compiled for processors without them.

use core::arch::{asm, global_asm};

use super::registers::Register;
use crate::layout::Floating;

/// Who may use floating point: nobody, the kernel, or user mode as well.
const CPACR: Register = Register::at(0xE000_ED88);
/// What the processor saves by itself.
const FPCCR: Register = Register::at(0xE000_EF34);

/// CPACR: the kernel alone.
const KERNEL_ALONE: u32 = 0b0101 << 20;
/// FPCCR: frames with floating point once a thread has used it; their saving only once somebody else does.
const AUTOMATIC: u32 = 0b11 << 30;

global_asm!(
    ".syntax unified",
    // Apart from the entry code: a kernel without such threads hasn't it.
    ".section .text.beryl_floating_switch, \"ax\", %progbits",
    ".global beryl_floating_switch",
    ".type beryl_floating_switch, %function",
    ".balign 4",
    // As `beryl_switch`: r0 the context to load, r1 that to save to.
    "beryl_floating_switch:",
    "mrs   r3, psp",
    "stm   r1, {{r3-r11}}",
    "ldr   r2, [r1, #36]",
    concat!("ldr   r2, [r2, #", floating_registers!(), "]"),
    "cbz   r2, 3f",
    ".inst.w 0xECA20A20", // vstmia r2!, {s0-s31}
    ".inst.w 0xEEF13A10", // vmrs r3, fpscr
    "str   r3, [r2]",
    "3:",
    load_regions!(),
    load_floating_registers!(),
    "ldr   r1, 4f",
    "mov   r3, #0x00500000",
    "cbz   r2, 5f",
    ".inst.w 0xECB20A20", // vldmia r2!, {s0-s31}
    "ldr   r3, [r2]",
    ".inst.w 0xEEE13A10", // vmsr fpscr, r3
    "mov   r3, #0x00F00000",
    "5:",
    "str   r3, [r1]",
    "ldm   r0, {{r3-r11}}",
    "msr   psp, r3",
    plain_return!(),
    // Regions and rights are in force before the exception return, which resynchronises the processor.
    "dsb",
    "bx    lr",
    ".balign 4",
    concat!("2: .word ", region_registers!()),
    "4: .word 0xE000ED88",
    ".size beryl_floating_switch, . - beryl_floating_switch",
);

/// Turns the unit on for the kernel alone, and off what the processor would save by itself.
pub fn set_up() {
    FPCCR.write(FPCCR.read() & !AUTOMATIC);
    CPACR.write(KERNEL_ALONE);
    // SAFETY: what follows finds the unit on.
    unsafe { asm!("dsb", "isb", options(nostack, preserves_flags)) };
}

/// A thread begins, with registers that are all zero. Those of the running thread are in the unit.
#[inline(always)]
pub fn begin(row: &Floating, is_running: bool) {
    let Some(registers) = row.registers else { return };
    registers.clear();
    if is_running {
        // SAFETY: the unit is on for the kernel, which has no floating point of its own to lose; the words are the thread's, from
        // the first one on: as many as are loaded.
        unsafe {
            asm!(
                ".inst.w 0xECB20A20", // vldmia r2!, {s0-s31}
                "ldr   r3, [r2]",
                ".inst.w 0xEEE13A10", // vmsr fpscr, r3
                inout("r2") registers.words() => _,
                out("r3") _,
                options(nostack, preserves_flags),
            );
        }
    }
}
