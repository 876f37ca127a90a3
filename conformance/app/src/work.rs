//! Using the processor: for so long in virtual time, and for so long on a board, whatever its code and its
//! clock are like.

use beryl_user::call;
use beryl_user::time::Duration;

/// Ticks of kernel time in a microsecond.
pub const MICROSECOND: u64 = 25;

/// Uses the processor for so many microseconds, not counting those in which others have it.
#[cfg(not(target_os = "none"))]
pub fn work(microseconds: u64) {
    call::spend(Duration::from_ticks(microseconds * MICROSECOND));
}

/// Uses the processor for so many microseconds, not counting those in which others have it, and the length of
/// one call more.
#[cfg(target_os = "none")]
pub fn work(microseconds: u64) {
    let end = call::execution_time().plus(Duration::from_ticks(microseconds * MICROSECOND));
    while call::execution_time() < end {}
}
