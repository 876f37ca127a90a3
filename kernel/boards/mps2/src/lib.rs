//! What the emulated MPS2 boards with Cortex-M processors have in common: memory, timers, a console, and a
//! window to the world.
//!
//! The memory map is compiled everywhere, the rest for a board only. A board's crate adds its name and its
//! processor. A generated kernel crate is the tables and one line, by the board:
//! `beryl_mps2_an385::kernel!(Sizes, SYSTEM, LAYOUT, beryl_mps2_an385::Board);`.
#![no_std]

/// What the emulated boards have on their I2C bus: a memory of 4 KB.
pub const ON_THE_BUS: &str = "at24c-eeprom,address=0x50,rom-size=4096";

pub mod an505;
pub mod an521;
pub mod map;

/// The map of the board that is compiled for.
#[cfg(all(target_arch = "arm", feature = "an505", not(feature = "an521")))]
use an505 as here;
#[cfg(all(target_arch = "arm", feature = "an521"))]
use an521 as here;
#[cfg(all(target_arch = "arm", not(feature = "an505")))]
use map as here;

#[cfg(all(target_arch = "arm", feature = "an521"))]
mod apart;
#[cfg(target_arch = "arm")]
mod devices;
#[cfg(all(target_arch = "arm", feature = "an521"))]
mod second;

#[cfg(all(target_arch = "arm", feature = "an521"))]
pub use {
    apart::Apart,
    beryl_cortex_m::kernel_apart,
    second::{Shared0, Shared1},
};
#[cfg(target_arch = "arm")]
pub use {beryl_cortex_m::kernel, devices::Board};
