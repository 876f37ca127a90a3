//! A client that doesn't ask the server.

use core::hint::black_box;
use core::ptr::with_exposed_provenance_mut;

/// Where the console's device is on the board; in a program for a larger machine nothing is there.
const DEVICE: usize = 0x4000_4000;

/// Writes a byte past the server.
#[expect(unsafe_code, reason = "this client is about being wrong")]
pub fn write_to_the_device() {
    let device = with_exposed_provenance_mut::<u32>(black_box(DEVICE));
    // SAFETY: it isn't safe, and that is the point: this process doesn't have the device. The store is
    // volatile and so stays in the program; the protection unit (in the simulator, the machine's own memory
    // map) refuses it before it reaches anything, and the kernel stops the process.
    unsafe { device.write_volatile(u32::from(b'!')) };
}
