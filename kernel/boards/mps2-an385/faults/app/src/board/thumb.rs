//! Thumb: what goes wrong on Armv7-M and Armv8-M.
//!
//! When a thread's registers can't be put on its stack, the fault comes first and the system call is still pending. It
//! must not become the call of whoever runs next.

use core::arch::asm;

use super::memory::kernel_text;
use super::{clock, still_alive, store};

unsafe extern "C" {
    // Where the builder has put them.
    safe static __beryl_stack_call_below_stack: u32;
    safe static __beryl_stack_wait_below_stack: u32;
}

/// Control of the protection unit (MPU_CTRL).
const PROTECTION: usize = 0xE000_ED94;
/// Interrupt lines to be kept out (ICER0).
const MASK: usize = 0xE000_E180;
/// Application interrupt and reset control (AIRCR).
const RESET: usize = 0xE000_ED0C;
/// There is no memory at all.
pub const NOWHERE: *const u32 = core::ptr::without_provenance(0x7000_0000);

/// Thread: switches off the protection unit.
pub fn switch_off_protection() -> ! {
    store(PROTECTION, 0);
    still_alive("switch_off_protection")
}

/// Thread: keeps interrupts out.
pub fn mask_alarm() -> ! {
    store(MASK, u32::MAX);
    still_alive("mask_alarm")
}

/// Thread: resets the processor.
pub fn reset() -> ! {
    store(RESET, 0x05FA_0004);
    still_alive("reset")
}

/// Thread: makes itself privileged, which has no effect, then does what it takes privileges for.
pub fn take_privileges() -> ! {
    // SAFETY: no memory is touched; in user mode the instruction doesn't change the privileges.
    unsafe { asm!("msr control, {zero}", "isb", zero = in(reg) 2, options(nomem, nostack)) };
    store(PROTECTION, 0);
    still_alive("take_privileges")
}

/// Thread: jumps into the kernel's code.
pub fn execute_kernel() -> ! {
    // SAFETY: it isn't safe, and that is the point: the fetch is refused. Bit 0 means Thumb code.
    unsafe { asm!("bx {place}", place = in(reg) kernel_text() | 1, options(noreturn)) }
}

/// Thread: jumps into its own stack, where it has put an instruction that loops for ever.
pub fn execute_stack() -> ! {
    const LOOP: u32 = 0xE7FE_E7FE;
    // SAFETY: it isn't safe, and that is the point: the fetch is refused. Bit 0 means Thumb code.
    unsafe { asm!("push {{{code}}}", "add r0, sp, #1", "bx r0", code = in(reg) LOOP, options(noreturn)) }
}

/// Thread: an instruction that doesn't exist.
pub fn undefined() -> ! {
    // SAFETY: no memory is touched; the kernel stops the thread.
    unsafe { asm!("udf #1", options(noreturn)) }
}

/// Thread: a breakpoint; this one would be a request to the emulator, which only the kernel may make: to end.
pub fn breakpoint() -> ! {
    // SAFETY: no memory is touched; the kernel stops the thread.
    unsafe { asm!("bkpt #0xAB", in("r0") 0x18, in("r1") 0x20026, options(nomem, nostack)) };
    still_alive("breakpoint")
}

/// Thread: divides by zero.
pub fn divide() -> ! {
    // SAFETY: no memory is touched; the kernel stops the thread.
    unsafe {
        asm!("udiv {one}, {one}, {zero}", one = inout(reg) 1 => _, zero = in(reg) 0, options(nomem, nostack))
    };
    still_alive("divide")
}

/// Thread: jumps to what would be the return from an exception into privileged mode, were this a handler.
pub fn exception_return() -> ! {
    const TO_HANDLER_MODE: u32 = 0xFFFF_FFF1;
    // SAFETY: it isn't safe, and that is the point: user mode can't return from an exception.
    unsafe { asm!("bx {place}", place = in(reg) TO_HANDLER_MODE, options(noreturn)) }
}

/// Points the stack pointer to `$pointer`, then does `$what`; nothing comes after that.
macro_rules! with_stack_pointer {
    ($pointer:expr, $($what:literal),+) => {
        // SAFETY: it isn't safe, and that is the point: the thread loses its stack. The kernel stops it before it
        // could use another; no local variable lives on.
        unsafe { asm!("mov sp, {pointer}", $($what),+, pointer = in(reg) $pointer, options(noreturn)) }
    };
}

/// Thread: pushes registers for ever.
pub fn overflow() -> ! {
    // SAFETY: it isn't safe, and that is the point: the protection unit refuses what lies below the stack.
    unsafe { asm!("2: push {{r0-r7}}", "b 2b", options(noreturn)) }
}

/// Thread: a system call with a wild stack pointer.
pub fn call_without_stack() -> ! {
    call_with(NOWHERE)
}

/// Thread: a system call with a stack that is used up.
pub fn call_below_stack() -> ! {
    call_with(used_up(&raw const __beryl_stack_call_below_stack))
}

/// Thread: an interrupt comes while its stack pointer is wild.
pub fn wait_without_stack() -> ! {
    with_stack_pointer!(NOWHERE, "2: b 2b")
}

/// Thread: an interrupt comes while its stack is used up.
pub fn wait_below_stack() -> ! {
    with_stack_pointer!(used_up(&raw const __beryl_stack_wait_below_stack), "2: b 2b")
}

/// A system call with this stack pointer.
#[inline(always)]
pub fn call_with(stack_pointer: *const u32) -> ! {
    with_stack_pointer!(stack_pointer, "movs r0, #0", "svc 0", "udf #2")
}

/// A stack pointer eight bytes above the bottom of a stack: an exception needs 32.
#[inline(always)]
pub fn used_up(stack: *const u32) -> *const u32 {
    stack.wrapping_add(2)
}

/// A system call of this number, and what it answers: status, and what was in the next register.
pub fn unknown(number: u32, value: u32) -> (u32, u32) {
    let (status, left);
    // SAFETY: a system call like any other; the kernel answers in r0, and leaves r1 as it is.
    unsafe { asm!("svc 0", inout("r0") number => status, inout("r1") value => left, options(nostack)) };
    (status, left)
}

/// Tries to switch off interrupts in every way that has no effect.
pub fn try_to_switch_interrupts_off() {
    // SAFETY: no memory is touched; in user mode these instructions do nothing.
    unsafe {
        asm!(
            "cpsid i",
            "cpsid f",
            "msr basepri, {one}",
            "msr primask, {one}",
            "msr faultmask, {one}",
            one = in(reg) 1,
            options(nomem, nostack),
        );
    }
}

/// Waits until so many ticks have passed since the start, with `held` in r0, where the kernel takes the number of a
/// system call from and puts its answer. Answers what is there in the end.
pub fn hold_until(ticks: u32, direction: u32, held: u32) -> u32 {
    let kept;
    // SAFETY: the clock is this process's to read.
    unsafe {
        asm!(
            "2: ldr {now}, [{clock}]",
            "eor {now}, {now}, {direction}",
            "cmp {now}, {ticks}",
            "blo 2b",
            now = out(reg) _,
            clock = in(reg) clock::place(),
            direction = in(reg) direction,
            ticks = in(reg) ticks,
            inout("r0") held => kept,
            options(nostack, readonly),
        );
    }
    kept
}
