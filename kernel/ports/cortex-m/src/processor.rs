//! What touches the processor.

mod context;
mod entry;
mod host;
mod kernel;
mod memory;
mod registers;

pub use context::{Context, Frame};
pub use kernel::{Kernel, Threads};
