//! The emulated board virt: QEMU's own machine, here with one RV32IMAC processor that has machine and user mode.
//!
//! The memory map is compiled everywhere, the rest for the board only. A generated kernel crate is the tables and one
//! line: `beryl_virt::kernel!(Sizes, SYSTEM, LAYOUT);`.
#![no_std]

pub mod map;

#[cfg(target_arch = "riscv32")]
mod alarm;
#[cfg(target_arch = "riscv32")]
mod board;
#[cfg(target_arch = "riscv32")]
mod clock;
#[cfg(target_arch = "riscv32")]
mod interrupts;
#[cfg(target_arch = "riscv32")]
mod start;

#[cfg(target_arch = "riscv32")]
pub use board::Virt;

/// The port that hosts the kernel here.
pub use beryl_riscv as port;

/// The name of the board.
pub const NAME: &str = "virt";
/// What the emulator is told to be it: no firmware; a processor without supervisor mode, so that user mode may wait for
/// an interrupt, without pages and without floating point; and a real-time clock that goes with the instructions, and is the
/// same in each run.
pub const EMULATED: [&str; 8] = [
    "-M",
    NAME,
    "-cpu",
    "rv32,h=off,s=off,mmu=off,f=off,d=off",
    "-bios",
    "none",
    "-rtc",
    "base=2000-01-01,clock=vm",
];
