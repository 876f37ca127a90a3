//! The timer that interrupts: one face for the device of each emulated board that rings by itself. `dualtimer` on the MPS2 boards,
//! which mps2-an505 calls `timers`; `timer3` on stm32f405; `rtc` on virt. For a process that has it.
//!
//! Its line is up from when it rings until that is taken back. In the simulation nothing is behind it: there the environment
//! raises the line, and takes it back at once.
//!
//! All distances are in nanoseconds, and are rounded down to what the device counts in, the longest of which is 50.

#[cfg(all(target_arch = "arm", not(feature = "stm32f4")))]
#[path = "bell/again.rs"]
mod device;
#[cfg(any(target_arch = "riscv32", all(target_arch = "arm", feature = "stm32f4")))]
#[path = "bell/once.rs"]
mod device;
#[cfg(not(target_os = "none"))]
#[path = "bell/silent.rs"]
mod device;

/// Whether the device goes on ringing by itself. Where it doesn't, whoever hears it lets it ring again.
pub const GOES_ON: bool = device::GOES_ON;

/// Rings each so many nanoseconds, counted from now if they are others than before; not any more if there are none.
pub fn every(nanoseconds: u32) {
    device::every(nanoseconds);
}

/// Rings once, in so many nanoseconds.
pub fn after(nanoseconds: u32) {
    device::after(nanoseconds);
}

/// Whether it has rung since its line was taken back.
#[must_use]
pub fn has_rung() -> bool {
    device::has_rung()
}

/// Takes the line back.
pub fn acknowledge() {
    device::acknowledge();
}

/// Changes how far rings are from each other. Where the device [goes on](GOES_ON) by itself that is so from its next ring on.
/// Elsewhere it takes the line back, and the next ring comes so long after the last.
pub fn again_after(nanoseconds: u32) {
    device::again_after(nanoseconds);
}
