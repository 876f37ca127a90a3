//! The helicopter's functions, and a thread that sends what is told of them.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::time::Duration;
use beryl_user::trace::Trace;

pub use helicopter::*;

/// How long to sleep when all is told.
const PAUSE: Duration = Duration::from_ticks(250_000);

/// Sends what is in the trace buffer.
pub fn tell(trace: Trace) -> ! {
    beryl_drain::drain(trace, PAUSE)
}
