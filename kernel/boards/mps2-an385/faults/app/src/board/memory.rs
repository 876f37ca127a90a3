//! Memory of others: reading and writing it.

use super::{still_alive, store};

unsafe extern "C" {
    // Where the builder has put them.
    safe static __beryl_kernel_memory: u32;
    safe static __beryl_memory_steady: u32;
    safe static __beryl_published: u32;
    safe static __beryl_stack_write_text: u32;
}

const VALUE: u32 = 0xDEAD_BEEF;

/// The kernel's code: behind its vectors. All code is in the same megabyte, which begins with the kernel's.
pub fn kernel_text() -> usize {
    const MEGABYTE: usize = 0x0010_0000;
    let own = write_text as *const () as usize;
    own / MEGABYTE * MEGABYTE + 0x100
}

/// Thread: writes to the kernel's memory.
pub fn write_kernel() -> ! {
    store((&raw const __beryl_kernel_memory).addr(), VALUE);
    still_alive("write_kernel")
}

/// Thread: writes to the memory of another process.
pub fn write_neighbour() -> ! {
    store((&raw const __beryl_memory_steady).addr(), VALUE);
    still_alive("write_neighbour")
}

/// Thread: writes to what all may read.
pub fn write_published() -> ! {
    store((&raw const __beryl_published).addr(), VALUE);
    still_alive("write_published")
}

/// Thread: writes to the stack of another thread of its process.
pub fn write_stack() -> ! {
    store((&raw const __beryl_stack_write_text).addr(), VALUE);
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
    let place = core::ptr::with_exposed_provenance::<u32>(kernel_text());
    // SAFETY: reading changes nothing; that it isn't allowed is the point.
    unsafe { place.read_volatile() };
    still_alive("read_kernel_text")
}
