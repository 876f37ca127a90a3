//! Threads that carry out misdeeds as they are told, and those beside them.
//!
//! The misdeeds are Armv7-M's. On other processors the threads do what is right; in the simulator that makes them
//! hostile (`beryl attack`).
#![no_std]

mod beside;
pub use beside::*;

mod objects;
pub use objects::*;

#[cfg(target_arch = "arm")]
mod interpreter;
#[cfg(target_arch = "arm")]
pub use interpreter::*;

#[cfg(not(target_arch = "arm"))]
mod elsewhere;
#[cfg(not(target_arch = "arm"))]
pub use elsewhere::*;
