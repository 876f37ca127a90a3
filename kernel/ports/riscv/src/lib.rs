//! The kernel's host on RV32IMAC: the kernel in machine mode, processes in user mode.
//!
//! The pure parts are compiled everywhere; the builder uses them on the host. What touches the
//! processor is compiled for it only.
//!
//! | file | what it is about |
//! |---|---|
//! | `pmp` | intervals of memory as entries of the protection unit, and what they let through |
//! | `layout` | where the builder has put everything |
//! | `fault` | what a trap's cause says |
//! | `facts` | what those who build for the port must know of it |
//! | `board` | what the port needs of a board |
//! | `processor/entry` | every trap comes in here and leaves here; the switch |
//! | `processor/kernel` | the kernel's memory, its boot, the loop of steps |
//! | `processor/host` | the kernel's door to the world |
//! | `processor/context` | the registers of a thread |
//! | `processor/registers` | the processor's own registers |
#![no_std]

pub mod board;
pub mod facts;
pub mod fault;
pub mod layout;
pub mod pmp;
#[cfg(target_arch = "riscv32")]
pub mod processor;

pub use beryl_abi as abi;
/// The hosted kernel, for [`kernel!`] and for what the builder generates.
pub use beryl_kernel as kernel;
/// What this port has in common with others.
pub use beryl_port as common;
pub use board::{Board, Controller};
pub use layout::{Fixed, Image, Layout, Switched, Tables, ThreadLayout};
#[cfg(target_arch = "riscv32")]
pub use processor::*;
