//! A task that uses up its stack.

use crate::count_job;
use core::hint::black_box;

/// The job that goes wrong.
const WRONG_JOB: i32 = 7;

/// Counts its jobs, until the seventh calls itself over and over. That takes no unsafe code.
pub fn overflow_impl(jobs: &mut i32, count: &mut i32) {
    count_job(jobs, count);
    if *jobs == WRONG_JOB {
        *count = deeper(0);
    }
}

/// Needs more stack for every level, and has more levels than any stack can hold. What a level keeps is used after
/// the call, so that no compiler makes a loop of it. It is short, so that no call steps over the protected memory
/// that lies below the stack.
#[inline(never)]
fn deeper(level: i32) -> i32 {
    let kept = black_box([level; 4]);
    if kept[0] == i32::MIN {
        return 0;
    }
    deeper(level.wrapping_add(1)).wrapping_add(black_box(&kept)[1])
}
