//! Keeping samples away from releases.

use core::ops::Range;

use bench_board::elapsed;

/// The task's period in ticks; `bench.tdl` has it in microseconds.
pub const PERIOD: u32 = 512_000;

/// The part of each period in which samples may begin: behind the task's job, and so early that the
/// longest sample (2,000 instructions) is over before the next.
const QUIET: Range<u32> = 64_000..440_000;

/// Waits until no release comes near. The thread never sleeps: under emulation a sleeping processor
/// jumps to the next event, and nothing can be counted.
pub fn wait() {
    while !QUIET.contains(&(elapsed() % PERIOD)) {}
}
