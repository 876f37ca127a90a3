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
mod apart;
mod context;
mod entry;
mod floating;
mod host;
mod kernel;
mod memory;
mod registers;

pub use apart::{Vector, Vectors, asks, serve};
pub use context::{Context, Frame};
pub use kernel::{Kernel, Threads, boot, call, call_ordinarily, current, event, fatal, interrupt};

// The rest of the vector table, and the reset handler.
use cortex_m_rt as _;

unsafe extern "C" {
    /// The entry of every interrupt, for the vector table.
    pub fn DefaultHandler();
}
