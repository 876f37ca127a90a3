//! Armv7-M as target: system calls by `svc`. What is a board's own is elsewhere: its console's driver (`cmsdk.rs`), and
//! addresses, which the linker script says.

use core::arch::asm;
use core::panic::PanicInfo;

use beryl_abi::CallNumber;

pub use crate::serial::{listen, print, put, receive, transmit, write};
use crate::target::register;
pub use crate::target::{
    contain, is_panicking, journal, lendable, memory, opaque, point, rest, section, seldom, spend,
    with_buffer,
};
pub use crate::window::{environment_read, environment_write};

unsafe extern "C" {
    /// The clock's count; its address comes from the linker script.
    static __beryl_clock: u32;
}

/// Whether the processor loads and stores words at any address.
pub const LOADS_ANYWHERE: bool = true;

/// The low word of kernel time, for a process that may read the clock.
#[inline(always)]
pub fn moment() -> u32 {
    // SAFETY: a register that a process with a journal may read; no other is asked for the time.
    elapsed(unsafe { (&raw const __beryl_clock).read_volatile() })
}

/// The same for a count of the clock: on most boards the timer counts down from its highest value.
#[inline(always)]
#[must_use]
pub const fn elapsed(count: u32) -> u32 {
    if cfg!(feature = "stm32f4") { count } else { !count }
}

/// Makes a system call with r1, r2, r3 and r12; returns r0, r1 and r2. An argument that the call doesn't have
/// costs nothing: its register keeps its content.
#[inline(always)]
pub fn call(number: CallNumber, arguments: [Option<u32>; 4]) -> [u32; 3] {
    let [first, second, third, fourth] = arguments;
    let (first, second) = (register(first), register(second));
    let (third, fourth) = (register(third), register(fourth));
    let (status, low, high): (u32, u32, u32);
    // SAFETY: `svc` enters the kernel, which returns values in r0, r1 and r2 and preserves all else. It may
    // write memory, so the block counts as writing memory (no `nomem`).
    unsafe {
        asm!(
            "svc 0",
            inlateout("r0") number as u32 => status,
            inlateout("r1") first => low,
            inlateout("r2") second => high,
            in("r3") third,
            in("r12") fourth,
            options(nostack),
        );
    }
    [status, low, high]
}

/// Reads two words with one instruction.
///
/// # Safety
///
/// They are there, at a multiple of four, and the caller may read them.
#[inline(always)]
pub unsafe fn load_two(words: *const u32) -> [u32; 2] {
    let (first, second);
    // SAFETY: as the caller says.
    unsafe {
        asm!(
            "ldrd {first}, {second}, [{words}]",
            words = in(reg) words,
            first = lateout(reg) first,
            second = lateout(reg) second,
            options(nostack, preserves_flags),
        );
    }
    [first, second]
}

/// Writes two words with one instruction.
///
/// # Safety
///
/// They are there, at a multiple of four, and the caller may write them.
#[inline(always)]
pub unsafe fn store_two(words: *mut u32, [first, second]: [u32; 2]) {
    // SAFETY: as the caller says.
    unsafe {
        asm!(
            "strd {first}, {second}, [{words}]",
            words = in(reg) words,
            first = in(reg) first,
            second = in(reg) second,
            options(nostack, preserves_flags),
        );
    }
}

/// An address on the calling thread's stack.
#[inline(always)]
pub fn on_the_stack() -> u32 {
    let pointer;
    // SAFETY: the stack pointer is read; it is another one in another call, so nothing is kept of it.
    unsafe { asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}

/// Waits for an interrupt.
pub fn sleep() {
    // SAFETY: `wfi` changes nothing; it may run in user mode.
    unsafe { asm!("wfi", options(nomem, nostack, preserves_flags)) }
}

/// A panic of the application: an instruction that the kernel reports as a panic.
#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    // SAFETY: an undefined instruction; the kernel stops the thread and doesn't return.
    unsafe { asm!("udf #0xBE", options(noreturn, nomem, nostack)) }
}
