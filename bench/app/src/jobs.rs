//! What the kernel does for periodic jobs, as `./x bench` measures it on the board.
//!
//! Threads of one band are released periodically, and do next to nothing. A thread below them goes round a
//! short loop and notes how long it was kept from it: that is the kernel's work, and three instructions a job.

use core::sync::atomic::{AtomicU32, Ordering};

use bench_board::{Sample, next_gap};
use beryl_user::period::Period;

/// How many gaps are noted.
const GAPS: usize = 120;

/// Counts jobs: a job that does next to nothing.
static JOBS: AtomicU32 = AtomicU32::new(0);

/// Periodic thread.
pub fn job(mut period: Period) -> ! {
    loop {
        JOBS.store(JOBS.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        period.wait();
    }
}

/// Thread, the least urgent: notes gaps, then prints them.
pub fn meter() -> ! {
    let mut gaps = [Sample { before: 0, after: 0 }; GAPS];
    for gap in &mut gaps {
        *gap = next_gap();
    }
    for gap in &gaps {
        gap.print("gap");
    }
    bench_board::end()
}
