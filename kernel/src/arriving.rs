//! Programs that arrive while the system runs.

pub mod layouts;
mod recordings;
pub mod replacement;
pub mod replacements;
pub mod slot;
pub mod slots;
pub mod takeovers;
