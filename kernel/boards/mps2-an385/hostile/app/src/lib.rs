//! Threads that carry out misdeeds as they are told, and those beside them.
//!
//! The misdeeds are a board's. In the simulator the threads do what is right; there it makes them hostile by itself
//! (`beryl attack`).
#![no_std]

mod beside;
pub use beside::*;

mod objects;
pub use objects::*;

#[cfg(target_os = "none")]
mod interpreter;
#[cfg(target_os = "none")]
pub use interpreter::{wild, wild_job};

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
