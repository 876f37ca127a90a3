//! RV32: what goes wrong where there is machine and user mode.
//!
//! The kernel doesn't store a thread's registers on its stack, so a stack pointer that points nowhere does no harm to calls and
//! interrupts: a thread goes on behind them, to an instruction that there isn't. Neither does a division by zero.

use core::arch::asm;

use super::memory::kernel_text;
use super::{clock, still_alive, store};

unsafe extern "C" {
    // Where the builder has put them.
    safe static __beryl_stack_call_below_stack: u32;
    safe static __beryl_stack_wait_below_stack: u32;
}

/// The device that ends the emulator, or resets it.
const RESET: usize = 0x0010_0000;
/// There is no memory at all.
pub const NOWHERE: *const u32 = core::ptr::without_provenance(0x7000_0000);

/// Does `$what`, which is the kernel's to do, and says so if it was done.
macro_rules! of_the_kernel {
    ($name:literal, $($what:literal),+) => {{
        // SAFETY: no memory is touched; the kernel stops the thread.
        unsafe { asm!($($what),+, options(nomem, nostack)) };
        still_alive($name)
    }};
}

/// Thread: switches off the protection unit.
pub fn switch_off_protection() -> ! {
    of_the_kernel!("switch_off_protection", "csrw pmpcfg0, zero")
}

/// Thread: keeps interrupts out.
pub fn mask_alarm() -> ! {
    of_the_kernel!("mask_alarm", "csrw mie, zero")
}

/// Thread: resets the processor.
pub fn reset() -> ! {
    store(RESET, 0x7777);
    still_alive("reset")
}

/// Thread: says where traps go to, from where they come back in machine mode.
pub fn take_privileges() -> ! {
    of_the_kernel!("take_privileges", "csrw mtvec, zero")
}

/// Thread: returns from a trap that there wasn't.
pub fn exception_return() -> ! {
    of_the_kernel!("exception_return", "mret")
}

/// Thread: jumps into the kernel's code.
pub fn execute_kernel() -> ! {
    // SAFETY: it isn't safe, and that is the point: the fetch is refused.
    unsafe { asm!("jr {place}", place = in(reg) kernel_text(), options(noreturn)) }
}

/// Thread: jumps into its own stack, where it has put an instruction that loops for ever.
pub fn execute_stack() -> ! {
    const LOOP: u32 = 0x0000_006F;
    // SAFETY: it isn't safe, and that is the point: the fetch is refused.
    unsafe { asm!("addi sp, sp, -16", "sw {code}, 0(sp)", "jr sp", code = in(reg) LOOP, options(noreturn)) }
}

/// Thread: an instruction that doesn't exist.
pub fn undefined() -> ! {
    // SAFETY: no memory is touched; the kernel stops the thread.
    unsafe { asm!("unimp", options(noreturn)) }
}

/// Thread: a breakpoint; this one would be a request to the emulator, which only the kernel may make: to end.
pub fn breakpoint() -> ! {
    // SAFETY: no memory is touched; the kernel stops the thread.
    unsafe {
        asm!(
            ".option push", ".option norvc",
            ".balign 16", "slli zero, zero, 0x1f", "ebreak", "srai zero, zero, 7",
            ".option pop",
            in("a0") 0x18, in("a1") 0x20026, options(nomem, nostack),
        );
    };
    still_alive("breakpoint")
}

/// Thread: divides by zero.
pub fn divide() -> ! {
    // SAFETY: no memory is touched; the kernel stops the thread.
    unsafe { asm!("div a0, a0, zero", "unimp", out("a0") _, options(nomem, nostack)) };
    still_alive("divide")
}

/// Thread: fills its stack for ever.
pub fn overflow() -> ! {
    // SAFETY: it isn't safe, and that is the point: the protection unit refuses what lies below the stack.
    unsafe { asm!("2: addi sp, sp, -16", "sw zero, 12(sp)", "j 2b", options(noreturn)) }
}

/// Points the stack pointer to `$pointer`, then does `$what`, and what there isn't; nothing comes after that.
macro_rules! with_stack_pointer {
    ($pointer:expr, $($what:literal),+) => {
        // SAFETY: it isn't safe, and that is the point: the thread loses its stack. The kernel stops it before it
        // could use another; no local variable lives on.
        unsafe { asm!("mv sp, {pointer}", $($what),+, "unimp", pointer = in(reg) $pointer, options(noreturn)) }
    };
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
    wait_with(NOWHERE)
}

/// Thread: an interrupt comes while its stack is used up.
pub fn wait_below_stack() -> ! {
    wait_with(used_up(&raw const __beryl_stack_wait_below_stack))
}

/// A system call with this stack pointer.
#[inline(always)]
pub fn call_with(stack_pointer: *const u32) -> ! {
    with_stack_pointer!(stack_pointer, "li a0, 0", "ecall")
}

/// Some hundred thousand instructions with this stack pointer.
#[inline(always)]
fn wait_with(stack_pointer: *const u32) -> ! {
    with_stack_pointer!(stack_pointer, "li a0, 0x30000", "2: addi a0, a0, -1", "bnez a0, 2b")
}

/// A stack pointer eight bytes above the bottom of a stack.
#[inline(always)]
pub fn used_up(stack: *const u32) -> *const u32 {
    stack.wrapping_add(2)
}

/// A system call of this number, and what it answers: status, and what was in the next register.
pub fn unknown(number: u32, value: u32) -> (u32, u32) {
    let (status, left);
    // SAFETY: a system call like any other; the kernel answers in a0, and leaves a1 as it is.
    unsafe { asm!("ecall", inout("a0") number => status, inout("a1") value => left, options(nostack)) };
    (status, left)
}

/// User mode has no instruction for that which is passed over. It may wait for an interrupt.
pub fn try_to_switch_interrupts_off() {
    // SAFETY: no memory is touched; nothing changes.
    unsafe { asm!("wfi", options(nomem, nostack)) };
}

/// Waits until so many ticks have passed since the start, with `held` in a0, where the kernel takes the number of a
/// system call from and puts its answer. Answers what is there in the end.
pub fn hold_until(ticks: u32, direction: u32, held: u32) -> u32 {
    let kept;
    // SAFETY: the clock is this process's to read.
    unsafe {
        asm!(
            "2: lw {now}, 0({clock})",
            "xor {now}, {now}, {direction}",
            "bltu {now}, {ticks}, 2b",
            now = out(reg) _,
            clock = in(reg) clock::place(),
            direction = in(reg) direction,
            ticks = in(reg) ticks,
            inout("a0") held => kept,
            options(nostack, readonly),
        );
    }
    kept
}
