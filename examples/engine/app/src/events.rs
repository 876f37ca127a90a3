//! Telling what happens, for a description with a `[trace]`: see docs/measurements/trace.md.

use beryl_user::time::{Duration, milliseconds};
use beryl_user::trace::Trace;

/// How long to sleep when all is told: the buffer of 32 kB holds what happens in 10 ms.
const PAUSE: Duration = milliseconds(10);

/// Sends what is in the trace buffer.
pub fn tell(trace: Trace) -> ! {
    beryl_drain::drain(trace, PAUSE)
}
