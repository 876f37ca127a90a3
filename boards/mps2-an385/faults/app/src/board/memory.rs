//! Memory of others: reading, writing, executing it.

use core::arch::asm;
use core::sync::atomic::AtomicU32;

use super::{still_alive, store};

/// The kernel's variables.
const KERNEL_RAM: usize = 0x2000_0000;
/// The kernel's code: behind its vectors.
const KERNEL_TEXT: usize = 0x0000_0100;
/// From the start of this process's memory: the memory of process `steady`, where the builder puts it.
const NEIGHBOUR: isize = -0x3900;
/// Likewise: what tasks have published, where the builder puts it.
const PUBLISHED: isize = -0x38A0;
/// Bytes of a stack, which begins at a multiple of them. The next one belongs to another thread.
const STACK: usize = 512;

const VALUE: u32 = 0xDEAD_BEEF;

/// Thread: writes to the kernel's memory.
pub fn write_kernel() -> ! {
    store(KERNEL_RAM, VALUE);
    still_alive("write_kernel")
}

/// Thread: writes to the memory of another process.
pub fn write_neighbour() -> ! {
    store(own_memory().wrapping_add_signed(NEIGHBOUR), VALUE);
    still_alive("write_neighbour")
}

/// Thread: writes to what all may read.
pub fn write_published() -> ! {
    store(own_memory().wrapping_add_signed(PUBLISHED), VALUE);
    still_alive("write_published")
}

/// Thread: writes to the stack of another thread of its process.
pub fn write_stack() -> ! {
    let local = 0_u8;
    store((&raw const local).addr().next_multiple_of(STACK) + 8, VALUE);
    still_alive("write_stack")
}

/// Thread: writes to code that it may execute.
pub fn write_text() -> ! {
    let place = write_text as *const () as usize & !3;
    store(place, VALUE);
    still_alive("write_text")
}

/// Thread: reads the kernel's code.
pub fn read_kernel_text() -> ! {
    let place = core::ptr::with_exposed_provenance::<u32>(KERNEL_TEXT);
    // SAFETY: reading changes nothing; that it isn't allowed is the point.
    unsafe { place.read_volatile() };
    still_alive("read_kernel_text")
}

/// Thread: jumps into the kernel's code.
pub fn execute_kernel() -> ! {
    // SAFETY: it isn't safe, and that is the point: the fetch is refused. Bit 0 means Thumb code.
    unsafe { asm!("bx {place}", place = in(reg) KERNEL_TEXT | 1, options(noreturn)) }
}

/// Thread: jumps into its own stack, where it has put an instruction that loops for ever.
pub fn execute_stack() -> ! {
    const LOOP: u32 = 0xE7FE_E7FE;
    // SAFETY: it isn't safe, and that is the point: the fetch is refused. Bit 0 means Thumb code.
    unsafe { asm!("push {{{code}}}", "add r0, sp, #1", "bx r0", code = in(reg) LOOP, options(noreturn)) }
}

/// Where this process's memory starts, at a multiple of 256.
fn own_memory() -> usize {
    static OWN: AtomicU32 = AtomicU32::new(0);
    (&raw const OWN).addr() & !0xFF
}
