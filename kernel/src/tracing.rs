//! Where the kernel tells what happens, and to whom.

pub mod buffer;
mod journals;
pub mod kept;
mod reader;
mod triggers;
