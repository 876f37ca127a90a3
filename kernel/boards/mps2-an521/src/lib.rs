//! The emulated board mps2-an521: application note AN521 on the MPS2, two Cortex-M33 that run in their secure state alone.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(target_arch = "arm")]
pub use beryl_mps2::{Apart, Board, Shared0, Shared1, kernel, kernel_apart};

/// The name of the board.
pub const NAME: &str = "mps2-an521";
/// The types of the board in this crate for kernels that have a half of it, by their numbers.
pub const SHARED: [&str; beryl_mps2::an521::CORES] = ["Shared0", "Shared1"];
/// The type of the board in this crate for a kernel that has the second processor, and its threads the first; and what makes one.
pub const APART: [&str; 2] = ["Apart", "kernel_apart"];
/// What the emulator is told to be it, with a memory on its I2C bus.
pub const EMULATED: [&str; 6] = ["-M", NAME, "-cpu", "cortex-m33", "-device", beryl_mps2::ON_THE_BUS];
