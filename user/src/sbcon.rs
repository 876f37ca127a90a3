//! Arm's serial bus controller, which is two wires: for a process that has the device `i2c`.
//!
//! Each wire is up unless the processor, or a chip, holds it down.

/// The clock's wire.
pub const CLOCK: u32 = 1;
/// The data's wire.
pub const DATA: u32 = 2;

unsafe extern "C" {
    /// The first register; its address comes from the linker script.
    static __beryl_i2c: [u32; 2];
}

/// Lets go of wires, or holds them down.
#[inline(always)]
pub fn set(wires: u32, up: bool) {
    let place = (&raw const __beryl_i2c).cast::<u32>().cast_mut();
    // SAFETY: of the two registers the first lets go of the wires whose bits are written, the second holds them down. No Rust
    // object lives there, and a process that wasn't given the device faults.
    unsafe { place.add(usize::from(!up)).write_volatile(wires) }
}

/// Which wires are up.
#[inline(always)]
pub fn read() -> u32 {
    // SAFETY: as in `set`; reading changes nothing.
    unsafe { (&raw const __beryl_i2c).cast::<u32>().read_volatile() }
}
