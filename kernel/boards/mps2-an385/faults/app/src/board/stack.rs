//! Stack pointers that point nowhere, and what puts something there: pushing, a system call, an interrupt.
//!
//! When a thread's registers can't be put on its stack, the fault comes first and the system call is still pending. It
//! must not become the call of whoever runs next. Next to the two tasks is `bystander`, which stands ready to make a
//! call that would end it.

use core::arch::asm;

unsafe extern "C" {
    // Where the builder has put them.
    safe static __beryl_stack_call_below_stack: u32;
    safe static __beryl_stack_wait_below_stack: u32;
    safe static __beryl_stack_low_caller: u32;
}

/// There is no memory at all.
const NOWHERE: u32 = 0x1000_0000;
/// The jobs in which the tasks go wrong, when all other threads have had their turn.
const WILD_JOB: i32 = 8;
const LOW_JOB: i32 = 10;

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
    with_stack_pointer!(NOWHERE, "movs r0, #0", "svc 0", "udf #2")
}

/// Thread: a system call with a stack that is used up.
pub fn call_below_stack() -> ! {
    with_stack_pointer!(used_up(&raw const __beryl_stack_call_below_stack), "movs r0, #0", "svc 0", "udf #2")
}

/// Thread: an interrupt comes while its stack pointer is wild.
pub fn wait_without_stack() -> ! {
    with_stack_pointer!(NOWHERE, "2: b 2b")
}

/// Thread: an interrupt comes while its stack is used up.
pub fn wait_below_stack() -> ! {
    with_stack_pointer!(used_up(&raw const __beryl_stack_wait_below_stack), "2: b 2b")
}

/// Task: in one of its jobs, which preempts `bystander`, a system call with a wild stack pointer.
pub fn wild_caller_impl(jobs: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == WILD_JOB {
        with_stack_pointer!(NOWHERE, "movs r0, #0", "svc 0", "udf #2")
    }
}

/// Task: in one of its jobs, which preempts `bystander`, a system call with a stack that is used up.
pub fn low_caller_impl(jobs: &mut i32) {
    *jobs = jobs.saturating_add(1);
    if *jobs == LOW_JOB {
        with_stack_pointer!(used_up(&raw const __beryl_stack_low_caller), "movs r0, #0", "svc 0", "udf #2")
    }
}

/// A stack pointer eight bytes above the bottom of a stack: an exception needs 32.
#[inline(always)]
fn used_up(stack: *const u32) -> *const u32 {
    stack.wrapping_add(2)
}
