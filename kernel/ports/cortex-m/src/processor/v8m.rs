//! What Armv8-M has of its own: regions with limits, limits of stack pointers, and two security states of which only the
//! secure one is used. Everything runs in it, processes as well: the attribution unit is off, so all memory is secure, and
//! what protects is the protection unit.
//!
//! **Leaving the secure state** is an instruction (`BXNS`) that user mode may execute. There is nothing on the other side:
//! no instruction can be fetched there, and none of its stacks has room for a frame, since the limits of their pointers are
//! the end of memory. So whatever comes next, the fetch or an interrupt, is a hard fault, which knows where it comes from by
//! the exception's return value, and the thread ends like any that executes what it mustn't.
//!
//! **The kernel writes** where user mode may only read, and the unit has no such right: what it lets user mode read only,
//! nobody writes. It is off as long as faults are masked, so the kernel masks them where it writes for a process. No fault
//! can come there but by a mistake in its tables.

use core::arch::asm;

use beryl_abi::Fault;

use super::registers::{ENABLE_PRIVDEFENA, MPU_CTRL, Register};
use crate::fault::{STACK_LIMIT, Status};
use crate::layout::Fixed;
use crate::limited::{KINDS, RegionWords};

/// How many regions there are, in the second byte.
const MPU_TYPE: Register = Register::at(0xE000_ED90);
/// The region that the next two registers are of.
const MPU_RNR: Register = Register::at(0xE000_ED98);
/// Region base address, then RLAR and three aliases of both, of the regions behind it.
const MPU_RBAR: Register = Register::at(0xE000_ED9C);
/// Region limit.
const MPU_RLAR: Register = Register::at(0xE000_EDA0);
/// What the kinds of memory are that regions name.
const MPU_MAIR0: Register = Register::at(0xE000_EDC0);
/// Causes of a fault between the security states; writing ones clears them.
const SFSR: Register = Register::at(0xE000_EDE4);

/// Below the limit of the kernel's stack there is room for a hard fault that comes because of it.
const ROOM: usize = 64;

/// The part of a switch that loads the regions of the thread whose context r0 points to. It may change all registers but
/// r0.
macro_rules! load_regions {
    () => {
        // Seven regions: 1 to 3 by the aliases of RBAR and RLAR, behind region 0; then 4 to 7. The base of the last one, the
        // stack's, is the limit of its pointer.
        "ldr   r1, [r0, #36]
         ldr   r12, 2f
         movs  r2, #0
         add   r3, r12, #12
         str   r2, [r12], #4
         ldm   r1!, {{r4-r9}}
         stm   r3, {{r4-r9}}
         movs  r2, #4
         str   r2, [r12, #-4]
         ldm   r1, {{r4-r11}}
         stm   r12, {{r4-r11}}
         bic   r10, r10, #31
         msr   psplim, r10"
    };
}

/// Where a row of floating point has the place of a thread's registers: behind its regions.
macro_rules! floating_registers {
    () => {
        "56"
    };
}

/// The part of a switch that follows [`load_regions`] where threads use floating point: r2 becomes that place.
macro_rules! load_floating_registers {
    () => {
        "ldr   r2, [r1, #32]"
    };
}

/// What an exception's return must not restore: user mode can load floating point in a way (`VLLDM`) that makes its next frames
/// ones with floating point. Such a thread loses its place on its stack, and no other does.
macro_rules! plain_return {
    () => {
        "mvn   lr, #2"
    };
}

/// A hard fault of user mode is an ordinary fault, one that comes from the other security state is one, too, without a
/// frame; one of the kernel goes on behind this.
macro_rules! hard_fault_of_user_mode {
    () => {
        "cmn   lr, #3
         beq   UsageFault
         lsls  r0, lr, #25
         bmi   NonMaskableInt
         mvn   lr, #2
         mrs   r0, ipsr
         movs  r1, #0
         b     beryl_event"
    };
}

/// What comes first in a hard fault of the kernel: it may be one because the stack is at its limit, which is lifted.
macro_rules! end {
    () => {
        "movs  r0, #0
         msr   msplim, r0"
    };
}

/// The address of which the part that loads regions has the word.
macro_rules! region_registers {
    () => {
        "0xE000ED98"
    };
}

/// Turns on the regions that stay.
pub fn protect(fixed: Fixed) {
    for (number, region) in fixed.into_iter().enumerate() {
        set(number as u32, region);
    }
}

/// Gives the kernel's stack pointer a limit: if its stack overflows, that is a hard fault. No region is on yet. Neither
/// stack of the other security state has room for anything.
pub fn guard_stack() {
    unsafe extern "C" {
        /// The end of the kernel's variables, from the linker script.
        static __ebss: u32;
    }
    let limit = (&raw const __ebss).addr().next_multiple_of(8) + ROOM;
    // SAFETY: the kernel's stack is above, as the builder has planned it; nobody runs in the other state.
    unsafe {
        asm!(
            "msr msplim, {limit}",
            "msr msplim_ns, {end}",
            "msr psplim_ns, {end}",
            limit = in(reg) limit,
            end = in(reg) !7,
            options(nostack, preserves_flags),
        );
    }
    // bound: 256, what the type register can say
    for number in 0..MPU_TYPE.read() >> 8 & 0xFF {
        set(number, RegionWords::OFF);
    }
    MPU_MAIR0.write(KINDS);
    MPU_CTRL.write(ENABLE_PRIVDEFENA);
}

fn set(number: u32, region: RegionWords) {
    MPU_RNR.write(number);
    MPU_RBAR.write(region.rbar);
    MPU_RLAR.write(region.rlar);
}

/// What the kernel writes into the memory of processes.
#[inline(always)]
pub fn written<R>(write: impl FnOnce() -> R) -> R {
    // SAFETY: no exception can come meanwhile, and none comes in the kernel anyway; memory stays as it is.
    unsafe { asm!("cpsid f", options(nostack, preserves_flags)) };
    let answer = write();
    // SAFETY: as above.
    unsafe { asm!("cpsie f", options(nostack, preserves_flags)) };
    answer
}

/// What this architecture alone tells of a fault.
#[inline(always)]
pub fn told(status: &Status, instruction: Option<u32>) -> Option<Fault> {
    status.told_by_limits(instruction)
}

/// The lowest address at which the running thread's frame can be. One that would have been below the stack's limit isn't
/// stacked, and leaves the stack pointer at the limit.
#[inline(always)]
pub const fn lowest_frame(stack_bottom: u32, causes: u32) -> u32 {
    if causes & STACK_LIMIT == 0 { stack_bottom } else { stack_bottom.saturating_add(8) }
}

/// Forgets what this architecture alone keeps of a fault.
#[inline(always)]
pub fn forget_faults() {
    SFSR.write(u32::MAX);
}
