//! Turns: threads of one priority that let each other run, threads that end for good, clocks, semaphores that
//! a thread wakes up with, and the reader of what all of them tell.

use beryl_user::call::{execution_time, null, stop, yield_now};
use beryl_user::period::Period;
use beryl_user::semaphore::Binary;
use beryl_user::time::{self, Instant, microseconds};
use beryl_user::trace::{Trace, tell};

use crate::work;

/// Works in three pieces, and lets the other run between them.
pub fn polite(mut period: Period) -> ! {
    loop {
        for piece in 0..3 {
            work(310);
            tell(1, piece);
            yield_now();
        }
        period.wait();
    }
}

/// Does the same for three jobs, and ends.
pub fn brief(mut period: Period) -> ! {
    for _ in 0..3 {
        for piece in 0..3 {
            work(270);
            tell(2, piece);
            yield_now();
        }
        period.wait();
    }
    stop()
}

/// Tells what the clocks say, in milliseconds, in the middle of them.
pub fn clock(mut period: Period) -> ! {
    let milliseconds = |ticks: u64| (ticks / microseconds(1_000).ticks()) as u32;
    loop {
        work(500);
        null();
        tell(3, milliseconds(time::now().ticks()));
        tell(4, milliseconds(execution_time().ticks()));
        work(500);
        period.wait();
    }
}

/// Wakes up each 9.3 ms and has the semaphore then.
pub fn owner(mut shared: Binary<()>) -> ! {
    let mut next = Instant::START.after(microseconds(1_700));
    loop {
        if let Ok(held) = time::sleep_until_then(next, &mut shared) {
            work(640);
            drop(held);
        }
        next = next.after(microseconds(9_300));
    }
}

/// Has the semaphore from its release on, if nobody else has it then.
pub fn tenant(mut period: Period, mut shared: Binary<()>) -> ! {
    loop {
        if let Ok((_, held)) = period.wait_then(&mut shared) {
            work(1_130);
            drop(held);
        }
        work(180);
    }
}

/// Takes what was told, four notes at most in each of its jobs, and tells how many there were.
pub fn listener(mut period: Period, mut trace: Trace) -> ! {
    // What it tells itself would be in the buffer, too.
    let classes = trace.first();
    loop {
        let _ = trace.choose(classes);
        work(210);
        let _ = trace.choose(beryl_user::trace::Classes::NONE);
        let count = trace.take().map_or(0, |mut notes| notes.bytes().len());
        tell(5, (count / beryl_user::trace::NOTE_BYTES) as u32);
        work(90);
        period.wait();
    }
}
