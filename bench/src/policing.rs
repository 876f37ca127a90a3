//! What policing costs: accounting, the end of a budget and its return, restarts, storms, and bytes of each option.
//!
//! Most of it is counted in the emulator's log of instructions, entry by entry into the kernel, so nothing is added by the
//! measuring.

pub mod accounting;
mod amounts;
pub mod anew;
pub mod entries;
pub mod latency;
pub mod returns;
pub mod storm;
pub mod text;
pub mod wakes;

pub use amounts::slope;
