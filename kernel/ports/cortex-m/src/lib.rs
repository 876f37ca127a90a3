//! The kernel's host on Armv7-M, and on Armv8-M in its secure state.
//!
//! The pure parts are compiled everywhere; the builder uses them on the host. What touches the
//! processor is compiled for it only.
//!
//! | file | what it is about |
//! |---|---|
//! | `mpu` | intervals of memory as regions of the protection unit of Armv7-M |
//! | `limited` | the same of Armv8-M, whose regions have a limit and don't overlap |
//! | `layout` | where the builder has put everything |
//! | `fault` | what the fault status registers say |
//! | `places` | the intervals that regions can cover |
//! | `facts` | what those who build for the port must know of it |
//! | `board` | what the port needs of a board |
//! | `processor/entry` | every exception comes in here and leaves here; the switch |
//! | `processor/apart` | a kernel that has a core of its own: both cores, and the hatch between them |
//! | `processor/kernel` | the kernel's memory, its boot, the loop of steps |
//! | `processor/host` | the kernel's door to the world |
//! | `processor/context` | the registers of a thread |
//! | `processor/floating` | the switch where threads use floating point |
//! | `processor/memory` | copying and filling, for boot |
//! | `processor/registers` | the system registers |
//! | `processor/v7m`, `processor/v8m` | what both architectures have of their own: the protection unit, the switch, limits of stacks |
#![no_std]

pub mod board;
pub mod facts;
pub mod fault;
pub mod layout;
pub mod limited;
pub mod mpu;
pub mod places;
#[cfg(target_arch = "arm")]
pub mod processor;

pub use beryl_abi as abi;
/// The hosted kernel, for [`kernel!`] and for what the builder generates.
pub use beryl_kernel as kernel;
/// What this port has in common with others.
pub use beryl_port as common;
pub use board::{Apart, Board, Joined, Lines};
pub use layout::{Fixed, Floating, FloatingRegisters, Image, Layout, Switched, Tables, ThreadLayout};
pub use mpu::{Interval, RegionWords, Rights, Uncoverable, cover};
#[cfg(target_arch = "arm")]
pub use processor::*;
