//! Programs that arrive while the system runs.

mod recordings;
pub mod slot;
pub mod slots;
pub mod takeovers;
pub mod texts;
