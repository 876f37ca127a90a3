//! The logger of the `defmt` crate: a statement's bytes become events of the process, which `beryl trace log` makes words of.
//!
//! Nothing is kept between two calls, and nobody is kept out: of each event the kernel knows which thread told it, so that
//! statements of threads that preempt each other come apart again. When a statement was made is when its first event was.

use beryl_user::trace::log::{BEGIN, pieces};
use beryl_user::trace::tell;

#[defmt::global_logger]
struct Log;

// SAFETY: there is no state that two threads could share. What a statement writes comes in order, since a thread's events
// do.
unsafe impl defmt::Logger for Log {
    fn acquire() {
        tell(BEGIN, 0);
    }

    unsafe fn flush() {}

    unsafe fn release() {}

    unsafe fn write(part: &[u8]) {
        pieces(part).for_each(|(event, value)| tell(event, value));
    }
}
