//! From a task's logical release to its first instruction.

use core::sync::atomic::{AtomicU32, Ordering};

use bench_board::{Sample, elapsed};

use crate::system::SAMPLES;
use crate::system::quiet::PERIOD;

/// When each job came to its first instructions, in ticks; zero as long as it hasn't.
static BEGINNINGS: [AtomicU32; SAMPLES as usize] = [const { AtomicU32::new(0) }; SAMPLES as usize];

/// Task: reads the timer first of all. The first job is released by the start of the system and doesn't count.
#[inline(always)]
pub fn released_impl(jobs: &mut i32) {
    let now = elapsed();
    let before = usize::try_from(*jobs).ok().and_then(|jobs| jobs.checked_sub(1));
    if let Some(beginning) = before.and_then(|jobs| BEGINNINGS.get(jobs)) {
        beginning.store(now, Ordering::Relaxed);
    }
    *jobs = jobs.saturating_add(1);
}

/// Thread, less urgent than all others: prints what the task has noted, then that all is done.
///
/// Logical releases are at the multiples of the period, and a job is far shorter than one, so the
/// last multiple before a job's beginning is its release.
pub fn releases() -> ! {
    for beginning in &BEGINNINGS {
        let after = loop {
            match beginning.load(Ordering::Relaxed) {
                0 => core::hint::spin_loop(),
                after => break after,
            }
        };
        Sample { before: after - after % PERIOD, after }.print("release/to-task");
    }
    bench_board::end()
}
