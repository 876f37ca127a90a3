//! The environment's window, as far as the kernel's side looks into it: when the run ends, and whether
//! it is recorded. Sensors and actuators are the processes' own.

use beryl_abi::Instant;
use beryl_abi::environment::{MAGIC, purpose};

use crate::register::Register;

/// A run that somebody opened a window for.
pub struct Run {
    /// When it ends.
    pub end: Instant,
    /// Whether trace records are collected.
    pub is_recorded: bool,
}

/// The run, if somebody opened a window at `window` at all.
#[inline(always)]
pub fn run(window: u32) -> Option<Run> {
    // SAFETY: the first words of the window: memory that no Rust object lives in.
    let [magic, low, high, purpose] =
        [0, 4, 8, 16].map(|offset| unsafe { Register::at(window + offset) }.read());
    (magic == MAGIC).then_some(Run {
        end: Instant::from_ticks(u64::from(high) << 32 | u64::from(low)),
        is_recorded: purpose == purpose::RECORD,
    })
}
