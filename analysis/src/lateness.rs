//! Lateness: how long after an instant the kernel is done with all that it does at it.

use crate::demand::{Load, busy_period};
use crate::failure::Failure;
use crate::model::System;
use crate::ticks::Ticks;

/// How late something may be done that runs above all bands: drivers, and what the kernel does at instants. That is the longest
/// time for which there is such work without a pause, if all of it begins together when the kernel has just
/// begun something for a thread, as in the response-time analysis of Joseph and Pandya (1986). Safe for any offsets.
///
/// # Errors
/// [`Failure::TooLong`] if such work alone takes the whole processor, [`Failure::TimesTooLarge`] if it takes more than that.
///
/// # Cost
/// A look at all streams for each of their arrivals in that time.
pub fn lateness(system: &System) -> Result<Ticks, Failure> {
    let above: Vec<_> = Load::of(system)?.above_jobs().collect();
    busy_period(&above, system.costs.under_way.plus(system.costs.timers)?)
}
