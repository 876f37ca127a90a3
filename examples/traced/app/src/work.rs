//! Work that takes time.

use core::hint::black_box;

use beryl_user::call;
use beryl_user::time::Duration;

/// Ticks of a microsecond.
const MICROSECOND: u64 = 25;
/// Rounds of the loop below in a microsecond on the emulated board: five instructions of 16 ns each.
const ROUNDS: u32 = 12;

/// Works for about so many microseconds: in the simulator for exactly as long.
pub fn work(microseconds: u32) {
    call::spend(Duration::from_ticks(u64::from(microseconds) * MICROSECOND));
    if cfg!(target_os = "none") {
        (0..microseconds * ROUNDS).for_each(|round| {
            black_box(round);
        });
    }
}
