//! Threads that go wrong at given instants, with given stack pointers, and those beside them.
//!
//! What goes wrong is a board's. In the simulator nothing does.
#![no_std]

mod beside;
pub use beside::*;

#[cfg(target_os = "none")]
mod culprits;
#[cfg(target_os = "none")]
pub use culprits::{about_to_stop, caller, culprit, go_wild, ringer};

#[cfg(target_arch = "arm")]
#[path = "thumb.rs"]
mod processor;
#[cfg(target_arch = "riscv32")]
#[path = "riscv.rs"]
mod processor;

#[cfg(not(target_os = "none"))]
mod elsewhere;
#[cfg(not(target_os = "none"))]
pub use elsewhere::*;
