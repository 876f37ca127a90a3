//! Boards with an STM32F405: a chip that one can buy, with a Cortex-M4 whose floating point processes may use. The emulator's is
//! that of the Netduino Plus 2. The memory map is compiled everywhere, the rest for the board only.
#![no_std]

#[cfg(target_arch = "arm")]
mod clocks;
#[cfg(target_arch = "arm")]
mod devices;
pub mod map;

#[cfg(target_arch = "arm")]
pub use {beryl_cortex_m::kernel, devices::Board};

/// The name of the board.
pub const NAME: &str = "stm32f405";
/// What the emulator is told to be it.
pub const EMULATED: [&str; 2] = ["-M", "netduinoplus2"];
