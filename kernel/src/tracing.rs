//! Tracing: where the kernel tells what happens, and to whom.

pub mod buffer;
pub mod crash;
mod crashes;
mod followed;
mod journals;
mod reader;
pub mod stored;
mod trace_points;
