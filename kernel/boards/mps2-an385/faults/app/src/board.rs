//! The faults, by what they are about.

mod devices;
mod instructions;
mod memory;
mod stack;
mod survivors;

pub use devices::*;
pub use instructions::*;
pub use memory::*;
pub use stack::*;
pub use survivors::*;

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
