//! A critical section of others, which finds its thread's lock, beside the lock itself. Nothing is inside of either.

use bench_board::around;
use beryl_user::call;
use beryl_user::lock::Lock;

use crate::repeat;

/// Thread: measures the lock, and critical sections of a thread whose stack is the first of the process.
pub fn among_the_first(mut exclusion: Lock<()>) -> ! {
    repeat("ecosystem/section/lock", || around(|| exclusion.with(|()| ())));
    repeat("ecosystem/section/first", || around(|| critical_section::with(|_| ())));
    call::stop()
}

/// Thread: the same of one with the last stack but that of the console's.
pub fn among_the_last(_exclusion: Lock<()>) -> ! {
    repeat("ecosystem/section/last", || around(|| critical_section::with(|_| ())));
    call::stop()
}
