//! A task that writes through a bad pointer.

use crate::count_job;
use core::hint::black_box;
use core::ptr::with_exposed_provenance_mut;

/// The job that goes wrong.
const WRONG_JOB: i32 = 3;
/// The first word of RAM: on the board it is the kernel's, and in a program for a larger machine nothing is there.
const KERNEL_MEMORY: usize = 0x2000_0000;

/// Counts its jobs, until the third writes into the kernel.
pub fn pointer_impl(jobs: &mut i32, count: &mut i32) {
    count_job(jobs, count);
    if *jobs == WRONG_JOB {
        write_astray();
    }
}

#[expect(unsafe_code, reason = "this example is about being wrong")]
fn write_astray() {
    let stray = with_exposed_provenance_mut::<u32>(black_box(KERNEL_MEMORY));
    // SAFETY: it isn't safe, and that is the point: this process may not write there. The store is volatile and so
    // stays in the program; the protection unit (in the simulator, the machine's own memory map) refuses it before
    // it reaches anything, and the kernel stops the process.
    unsafe { stray.write_volatile(0xDEAD_BEEF) };
}
