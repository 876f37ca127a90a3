//! What Armv7-M has of its own: the registers of its protection unit, and the parts of the entry code that know them.

use beryl_abi::Fault;

use super::registers::{ENABLE_PRIVDEFENA, MPU_CTRL, Register};
use crate::fault::Status;
use crate::layout::Fixed;

/// Region base address, then RASR and three aliases of both.
const MPU_RBAR: Register = Register::at(0xE000_ED9C);
/// Region attributes and size.
const MPU_RASR: Register = Register::at(0xE000_EDA0);

/// The part of a switch that loads the regions of the thread whose context r0 points to. It may change all registers but
/// r0.
macro_rules! load_regions {
    () => {
        // Five regions: four by the aliases of RBAR and RASR, then one more.
        "ldr   r1, [r0, #36]
         ldr   r12, 2f
         ldm   r1!, {{r4-r11}}
         stm   r12, {{r4-r11}}
         ldrd  r4, r5, [r1]
         strd  r4, r5, [r12]"
    };
}

/// Where a row of floating point has the place of a thread's registers: behind its regions.
macro_rules! floating_registers {
    () => {
        "40"
    };
}

/// The part of a switch that follows [`load_regions`] where threads use floating point: r2 becomes that place.
macro_rules! load_floating_registers {
    () => {
        "ldr   r2, [r1, #8]"
    };
}

/// What an exception's return must not restore: nothing, since nothing in user mode makes a frame with floating point.
macro_rules! plain_return {
    () => {
        ""
    };
}

/// A hard fault of user mode is an ordinary fault; one of the kernel goes on behind this.
macro_rules! hard_fault_of_user_mode {
    () => {
        "cmn   lr, #3
         beq   UsageFault"
    };
}

/// What comes first in a hard fault of the kernel: nothing.
macro_rules! end {
    () => {
        ""
    };
}

/// The address of which the part that loads regions has the word.
macro_rules! region_registers {
    () => {
        "0xE000ED9C"
    };
}

/// Turns on the regions that stay.
pub fn protect(fixed: Fixed) {
    for region in fixed {
        MPU_RBAR.write(region.rbar);
        MPU_RASR.write(region.rasr);
    }
}

/// Makes the 32 bytes between the kernel's variables and its stack a region that nobody may touch,
/// not even the kernel: if its stack overflows, that is a hard fault, which sees memory as it is.
pub fn guard_stack() {
    const GUARD_REGION: u32 = 7;
    const VALID: u32 = 1 << 4;
    const NO_ACCESS_32_BYTES: u32 = 1 << 28 | 4 << 1 | 1;
    unsafe extern "C" {
        /// The end of the kernel's variables, from the linker script.
        static __ebss: u32;
    }
    let guard = (&raw const __ebss).addr().next_multiple_of(32);
    MPU_RBAR.write(guard as u32 | VALID | GUARD_REGION);
    MPU_RASR.write(NO_ACCESS_32_BYTES);
    MPU_CTRL.write(ENABLE_PRIVDEFENA);
}

/// What the kernel writes into the memory of processes: their regions say what they may do, never what it may.
#[inline(always)]
pub fn written<R>(write: impl FnOnce() -> R) -> R {
    write()
}

/// What this architecture alone tells of a fault: nothing.
#[inline(always)]
pub const fn told(_status: &Status, _instruction: Option<u32>) -> Option<Fault> {
    None
}

/// The lowest address at which the running thread's frame can be.
#[inline(always)]
pub const fn lowest_frame(stack_bottom: u32, _causes: u32) -> u32 {
    stack_bottom
}

/// Forgets what this architecture alone keeps of a fault: nothing.
#[inline(always)]
pub fn forget_faults() {}
