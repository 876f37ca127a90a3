//! Using the processor: for so long in virtual time, and for so long on a board, whatever its code and its
//! clock are like.

use beryl_user::call;
use beryl_user::time::{Duration, in_nanoseconds, microseconds};

/// Ticks of kernel time in a microsecond, which has a whole number of them on each board: so lengths that are known when
/// the system runs take a multiplication, and no division.
const MICROSECOND: u64 = microseconds(1).ticks();
const _: () = assert!(in_nanoseconds(microseconds(1)) == 1_000);

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
