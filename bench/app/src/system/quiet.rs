//! Keeping samples away from releases.

use core::ops::Range;

use bench_board::elapsed;
use beryl_user::time::microseconds;

/// The task's period in ticks, as `bench.tdl` has it.
pub const PERIOD: u32 = microseconds(20_480).ticks() as u32;

/// The part of each period in which samples may begin: behind the task's job, and so early that the
/// longest sample (2,000 instructions) is over before the next.
const QUIET: Range<u32> = PERIOD / 8..PERIOD / 64 * 55;

/// Waits until no release comes near. The thread never sleeps: under emulation a sleeping processor
/// jumps to the next event, and nothing can be counted.
pub fn wait() {
    while !QUIET.contains(&(elapsed() % PERIOD)) {}
}
