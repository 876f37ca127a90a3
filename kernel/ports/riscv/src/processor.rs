//! What touches the processor.

mod context;
mod entry;
mod host;
mod kernel;
mod registers;

pub use context::Context;
pub use kernel::{Kernel, Threads, boot, call, fault, interrupt};
