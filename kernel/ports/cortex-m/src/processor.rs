//! What touches the processor.

// First, since the entry code is made with their macros.
#[cfg(not(feature = "armv8m"))]
#[macro_use]
#[path = "processor/v7m.rs"]
mod architecture;
#[cfg(feature = "armv8m")]
#[macro_use]
#[path = "processor/v8m.rs"]
mod architecture;
mod context;
mod entry;
mod floating;
mod host;
mod kernel;
mod memory;
mod registers;

pub use context::{Context, Frame};
pub use kernel::{Kernel, Threads};
