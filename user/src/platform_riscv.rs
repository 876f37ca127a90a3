//! RV32 as target: system calls by `ecall`. What is a board's own is elsewhere: its console's driver (`ns16550.rs`), and
//! addresses, which the linker script says.

use core::arch::asm;
use core::panic::PanicInfo;

use beryl_abi::CallNumber;

// The console that all boards have.
pub use crate::ns16550::{listen, print, put, receive, transmit, write};
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
pub const LOADS_ANYWHERE: bool = false;

/// The low word of kernel time, for a process that may read the clock.
#[inline(always)]
pub fn moment() -> u32 {
    // SAFETY: a register that a process with a journal may read; no other is asked for the time.
    unsafe { (&raw const __beryl_clock).read_volatile() }
}

/// Makes a system call with a1 to a4; returns a0, a1 and a2. An argument that the call doesn't have
/// costs nothing: its register keeps its content.
#[inline(always)]
pub fn call(number: CallNumber, arguments: [Option<u32>; 4]) -> [u32; 3] {
    let [first, second, third, fourth] = arguments;
    let (first, second) = (register(first), register(second));
    let (third, fourth) = (register(third), register(fourth));
    let (status, low, high): (u32, u32, u32);
    // SAFETY: `ecall` enters the kernel, which returns values in a0, a1 and a2 and preserves all else. It may
    // write memory, so the block counts as writing memory (no `nomem`).
    unsafe {
        asm!(
            "ecall",
            inlateout("a0") number as u32 => status,
            inlateout("a1") first => low,
            inlateout("a2") second => high,
            in("a3") third,
            in("a4") fourth,
            options(nostack),
        );
    }
    [status, low, high]
}

/// Reads two words.
///
/// # Safety
///
/// They are there, at a multiple of four, and the caller may read them.
#[inline(always)]
pub unsafe fn load_two(words: *const u32) -> [u32; 2] {
    // SAFETY: as the caller says.
    unsafe { words.cast::<[u32; 2]>().read_volatile() }
}

/// Writes two words.
///
/// # Safety
///
/// They are there, at a multiple of four, and the caller may write them.
#[inline(always)]
pub unsafe fn store_two(words: *mut u32, both: [u32; 2]) {
    // SAFETY: as the caller says.
    unsafe { words.cast::<[u32; 2]>().write_volatile(both) }
}

/// An address on the calling thread's stack.
#[inline(always)]
pub fn on_the_stack() -> u32 {
    let pointer;
    // SAFETY: the stack pointer is read; it is another one in another call, so nothing is kept of it.
    unsafe { asm!("mv {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
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
    // SAFETY: a register that can't be written; the kernel stops the thread and doesn't return.
    unsafe { asm!("csrw 0xcbe, zero", options(noreturn, nomem, nostack)) }
}
