//! The emulated board mps2-an505: application note AN505 on the MPS2, a Cortex-M33 that runs in its secure state alone, and
//! whose floating point processes may use.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(target_arch = "arm")]
pub use beryl_mps2::{Board, kernel};

/// The name of the board.
pub const NAME: &str = "mps2-an505";
/// What the emulator is told to be it, with a memory on its I2C bus.
pub const EMULATED: [&str; 6] = ["-M", NAME, "-cpu", "cortex-m33", "-device", beryl_mps2::ON_THE_BUS];
