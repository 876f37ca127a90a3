//! Taking samples, and how fast the water flows.

use beryl_user::call::keep_busy;
use beryl_user::time::{Duration, milliseconds};

/// The sample at which the sticky valve sticks.
const STUCK: i32 = 810;
/// For so long.
const STICKS: Duration = milliseconds(12);

/// The wider the tap, in per mille, the shorter from pulse to pulse, in us: 24 ms at 400, 16 ms at 600. The
/// volume is what the tap said, summed up: it changes while water flows.
pub fn steer_impl(valve: &i32, sum: &mut i32, interval: &mut i32, volume: &mut i32) {
    *interval = if *valve > 0 { 9_600_000 / *valve } else { 0 };
    *sum = sum.saturating_add(*valve);
    *volume = *sum;
}

/// One more bottle.
pub fn sample_impl(taken: &mut i32, bottles: &mut i32) {
    *taken = taken.saturating_add(1);
    *bottles = *taken;
}

/// The same with a valve that sticks once, so that a job takes longer than it may.
pub fn sticky_impl(taken: &mut i32, bottles: &mut i32) {
    sample_impl(taken, bottles);
    if *taken == STUCK {
        keep_busy(STICKS);
    }
}
