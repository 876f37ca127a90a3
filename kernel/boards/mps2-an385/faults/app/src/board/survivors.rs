//! What looks like a fault and isn't: these threads say on the console that they are alive at their ends.

use core::arch::asm;

use beryl_user::{call, println};

/// Ticks a millisecond.
const MILLISECOND: u32 = 25_000;
/// The clock's value, which counts down from all ones.
const CLOCK_VALUE: usize = 0x4000_0004;

/// Thread: a system call that doesn't exist is an error for the caller, not a fault.
pub fn unknown_call() -> ! {
    const UNKNOWN: u32 = 999;
    const REFUSED: u32 = 0xFFFF_FFFF;
    let (status, value): (u32, u32);
    // SAFETY: a system call like any other; the kernel answers in r0, and leaves r1 as it is.
    unsafe { asm!("svc 0", inout("r0") UNKNOWN => status, inout("r1") 1 => value, options(nostack)) };
    if (status, value) == (REFUSED, 1) {
        println!("unknown_call: refused");
    }
    call::stop()
}

/// Thread: tries to switch off interrupts in every way, which has no effect. The steady task is released meanwhile.
pub fn interrupts_off() -> ! {
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
    wait_until(elapsed().saturating_add(3 * MILLISECOND), 0);
    println!("interrupts_off: without effect");
    call::stop()
}

/// Thread, less urgent than all others: waits until they are done, always about to make the call that would end it.
pub fn bystander() -> ! {
    const STOP: u32 = 6;
    if wait_until(25 * MILLISECOND, STOP) == STOP {
        println!("bystander: undisturbed");
    }
    call::stop()
}

/// Waits until so many ticks have passed since the start, with `held` in r0, where the kernel takes the number of a
/// system call from and puts its answer. Answers what is there in the end.
fn wait_until(ticks: u32, held: u32) -> u32 {
    let kept;
    // SAFETY: the clock is this process's to read.
    unsafe {
        asm!(
            "2: ldr {now}, [{clock}]",
            "mvn {now}, {now}",
            "cmp {now}, {ticks}",
            "blo 2b",
            now = out(reg) _,
            clock = in(reg) CLOCK_VALUE,
            ticks = in(reg) ticks,
            inout("r0") held => kept,
            options(nostack, readonly),
        );
    }
    kept
}

/// Ticks since the start.
fn elapsed() -> u32 {
    // SAFETY: the clock is this process's to read.
    !unsafe { core::ptr::with_exposed_provenance::<u32>(CLOCK_VALUE).read_volatile() }
}
