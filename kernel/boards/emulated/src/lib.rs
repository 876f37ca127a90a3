//! What emulated boards have in common, whatever their processor: requests to the emulator, the environment's window,
//! and the recording of a run. `kernel/boards/mps2` has the same in files of its own: moved here, its kernels would be
//! other ones, since the compiler orders functions by their crates.
//!
#![no_std]
#![cfg(any(target_arch = "riscv32", target_arch = "arm"))]

pub mod last_words;
pub mod recorder;
pub mod register;
pub mod semihosting;
pub mod stream;
pub mod window;
