//! Instructions that user mode can't execute.

use core::arch::asm;

use super::still_alive;

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

/// Thread: panics.
pub fn panics() -> ! {
    panic!("that is what it is here for")
}

/// Thread: jumps to what would be the return from an exception into privileged mode, were this a handler.
pub fn exception_return() -> ! {
    const TO_HANDLER_MODE: u32 = 0xFFFF_FFF1;
    // SAFETY: it isn't safe, and that is the point: user mode can't return from an exception.
    unsafe { asm!("bx {place}", place = in(reg) TO_HANDLER_MODE, options(noreturn)) }
}
