//! The faults: those that are alike on all boards by what they are about, and those of a processor.

mod clock;
mod devices;
mod memory;
mod stack;
mod survivors;

#[cfg(target_arch = "arm")]
#[path = "board/thumb.rs"]
mod processor;
#[cfg(target_arch = "riscv32")]
#[path = "board/riscv.rs"]
mod processor;

pub use devices::{set_alarm, set_clock};
pub use memory::{read_kernel_text, write_kernel, write_neighbour, write_published, write_stack, write_text};
pub use processor::{
    breakpoint, call_below_stack, call_without_stack, divide, exception_return, execute_kernel,
    execute_stack, mask_alarm, overflow, reset, switch_off_protection, take_privileges, undefined,
    wait_below_stack, wait_without_stack,
};
pub use stack::{low_caller_impl, wild_caller_impl};
pub use survivors::{bystander, interrupts_off, unknown_call};

use beryl_user::{call, println};

/// Where a thread ends that should have been stopped.
fn still_alive(name: &str) -> ! {
    println!("{name} is still alive");
    call::stop()
}

/// Writes a word.
fn store(address: usize, value: u32) {
    let place = core::ptr::with_exposed_provenance_mut::<u32>(address);
    // SAFETY: it isn't safe, and that is the point: no thread here may write where it is told to. The protection unit
    // refuses the store before it reaches anything, and the kernel stops the thread.
    unsafe { place.write_volatile(value) };
}

/// Thread: panics.
pub fn panics() -> ! {
    panic!("that is what it is here for")
}
