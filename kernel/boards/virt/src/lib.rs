//! The emulated board virt: QEMU's own machine, here with up to four RV32IMAC processors that have machine and user mode. The
//! memory map is compiled everywhere, the rest for the board only.
#![no_std]

#[cfg(target_arch = "riscv32")]
mod devices;
pub mod map;

#[cfg(target_arch = "riscv32")]
pub use beryl_riscv::kernel;
#[cfg(target_arch = "riscv32")]
pub use devices::{Board, Shared0, Shared1, Shared2, Shared3};

/// The name of the board.
pub const NAME: &str = "virt";
/// The types of the board in this crate for kernels that have a part of it, by their numbers.
pub const SHARED: [&str; map::HARTS] = ["Shared0", "Shared1", "Shared2", "Shared3"];
/// What the emulator is told to be it, without firmware.
pub const EMULATED: [&str; 8] = ["-M", NAME, "-cpu", PROCESSOR, "-bios", "none", "-rtc", DATE];
/// Without supervisor mode, so that user mode may wait for an interrupt, without pages and without floating point.
const PROCESSOR: &str = "rv32,h=off,s=off,mmu=off,f=off,d=off";
/// The real-time clock goes with the instructions, and is the same in each run.
const DATE: &str = "base=2000-01-01,clock=vm";
