//! Threads that go wrong at given instants, with given stack pointers, and those beside them.
//!
//! What goes wrong is Armv7-M's. On other processors nothing does.
#![no_std]

mod beside;
pub use beside::*;

#[cfg(target_arch = "arm")]
mod culprits;
#[cfg(target_arch = "arm")]
pub use culprits::*;

#[cfg(not(target_arch = "arm"))]
mod elsewhere;
#[cfg(not(target_arch = "arm"))]
pub use elsewhere::*;
