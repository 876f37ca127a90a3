//! What the emulated MPS2 boards with one Cortex-M have in common: memory, timers, a console, and a
//! window to the world.
//!
//! The memory map is compiled everywhere, the rest for a board only. A board's crate adds its name and its
//! processor. A generated kernel crate is the tables and one line, by the board:
//! `beryl_mps2_an385::kernel!(Sizes, SYSTEM, LAYOUT);`.
#![no_std]

pub mod an505;
pub mod map;

/// The map of the board that is compiled for.
#[cfg(all(target_arch = "arm", feature = "an505"))]
use an505 as here;
#[cfg(all(target_arch = "arm", not(feature = "an505")))]
use map as here;

#[cfg(any(target_arch = "arm", test))]
mod time;

#[cfg(target_arch = "arm")]
mod alarm;
#[cfg(target_arch = "arm")]
mod board;
#[cfg(target_arch = "arm")]
mod clock;
#[cfg(target_arch = "arm")]
mod last_words;
#[cfg(target_arch = "arm")]
mod recorder;
#[cfg(target_arch = "arm")]
mod register;
#[cfg(target_arch = "arm")]
mod semihosting;
#[cfg(target_arch = "arm")]
mod start;
#[cfg(target_arch = "arm")]
mod window;

#[cfg(target_arch = "arm")]
pub use board::Mps2;

/// The port that hosts the kernel here.
pub use beryl_cortex_m as port;
