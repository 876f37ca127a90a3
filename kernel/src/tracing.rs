//! Where the kernel tells what happens, and to whom.

pub mod buffer;
pub mod kept;
mod reader;
mod triggers;
