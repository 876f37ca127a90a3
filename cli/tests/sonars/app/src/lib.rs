//! A robot that listens for walls, in numbers of jobs: what matters here is who has the processor when.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::call;
use beryl_user::time::Duration;

/// Ticks of kernel time in a microsecond.
const MICROSECOND: u64 = 25;
/// What a job takes: but for a little on a board, where the call that looks at its clock and the one that
/// ends it are part of it.
const SHORT: Duration = Duration::from_ticks(19_960 * MICROSECOND);
const LONG: Duration = Duration::from_ticks(99_960 * MICROSECOND);

/// Sends a burst and waits for its echo.
pub fn sonar_impl(jobs: &mut i32, range: &mut i32) {
    count(jobs, range, SHORT);
}

/// Reads a wheel.
pub fn odometer_impl(jobs: &mut i32, way: &mut i32) {
    count(jobs, way, SHORT);
}

/// Forgets what was seen in front.
pub fn antisensor_impl(jobs: &mut i32, forgotten: &mut i32) {
    count(jobs, forgotten, SHORT);
}

/// Enters what was heard into the map.
pub fn update_impl(
    first: &i32,
    last: &i32,
    left: &i32,
    right: &i32,
    forgotten: &i32,
    jobs: &mut i32,
    cells: &mut i32,
) {
    count(jobs, &mut 0, LONG);
    *cells =
        [first, last, left, right, forgotten].iter().fold(0, |sum: i32, number| sum.saturating_add(**number));
}

/// Shows the map to nobody but the trace.
pub fn set_map(_cells: &i32) {}

/// Sends the map, again and again.
pub fn requests() -> ! {
    loop {
        take(SHORT);
    }
}

fn count(jobs: &mut i32, output: &mut i32, length: Duration) {
    *jobs = jobs.saturating_add(1);
    *output = *jobs;
    take(length);
}

/// Uses the processor for so long in virtual time. What a job has left of its longest time goes by at its end.
#[cfg(not(target_arch = "arm"))]
fn take(duration: Duration) {
    call::spend(duration);
}

/// Uses the processor for so long, not counting when others have it.
#[cfg(target_arch = "arm")]
fn take(duration: Duration) {
    let end = call::execution_time().plus(duration);
    while call::execution_time() < end {}
}
