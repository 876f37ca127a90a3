//! What boards have in common, whatever their processor: the clock, the alarm and the end of a run over timers of any kind,
//! requests to the emulator, the environment's window, and the recording of a run.
//!
//! A board is what [`board::Devices`] asks for: where its devices are, and how its timers are set.
#![no_std]

pub mod time;

#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
pub mod board;
#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
pub mod doorbells;
#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
mod last_words;
#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
pub mod recorder;
#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
pub mod register;
#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
pub mod semihosting;
#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
pub mod stream;
#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
pub mod together;
#[cfg(any(target_arch = "riscv32", target_arch = "arm"))]
mod window;
