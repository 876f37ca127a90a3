//! Boards with an STM32F405: a chip that one can buy, with a Cortex-M4 whose floating point nobody uses. The emulator's is that of
//! the Netduino Plus 2.
//!
//! The memory map is compiled everywhere, the rest for the board only. A generated kernel crate is the tables and one
//! line: `beryl_stm32f405::kernel!(Sizes, SYSTEM, LAYOUT);`.
#![no_std]

pub mod map;

#[cfg(any(target_arch = "arm", test))]
mod time;

#[cfg(target_arch = "arm")]
mod alarm;
#[cfg(target_arch = "arm")]
mod board;
#[cfg(target_arch = "arm")]
mod clock;
#[cfg(target_arch = "arm")]
mod clocks;
#[cfg(target_arch = "arm")]
mod console;
#[cfg(target_arch = "arm")]
mod start;

#[cfg(target_arch = "arm")]
pub use board::Stm32;

/// The port that hosts the kernel here.
pub use beryl_cortex_m as port;

/// The name of the board.
pub const NAME: &str = "stm32f405";
/// What the emulator is told to be it.
pub const EMULATED: [&str; 2] = ["-M", "netduinoplus2"];
