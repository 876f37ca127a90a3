//! A filter, a reference and what compares them. Values are numbers of jobs, so that each tells which job it is from.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::call;
use beryl_user::time::Duration;

/// Ticks of kernel time in a tenth of a millisecond.
const TENTH: u64 = 2_500;

/// How long jobs take, in tenths of a millisecond: those of the paper's first round, and later ones, which
/// are done sooner.
const FILTER: [u64; 4] = [20, 15, 10, 10];
const FOLLOW: [u64; 2] = [35, 20];
const COMPARE: [u64; 2] = [15, 5];

/// Counts: the n-th reading is n.
pub fn read_signal(reading: &mut i32) {
    *reading = reading.saturating_add(1);
}

/// Lets readings through: the n-th output is the n-th reading.
pub fn filter_impl(reading: &i32, jobs: &mut i32, filtered: &mut i32) {
    work(&FILTER, jobs);
    *filtered = *reading;
}

/// Rises: the n-th output is a hundred times n.
pub fn follow_impl(jobs: &mut i32, level: &mut i32) {
    work(&FOLLOW, jobs);
    *level = jobs.saturating_mul(100);
}

/// How far the signal is from the reference.
pub fn compare_impl(signal: &i32, level: &i32, jobs: &mut i32, deviation: &mut i32) {
    work(&COMPARE, jobs);
    *deviation = level.saturating_sub(*signal);
}

/// Shows it to nobody but the trace.
pub fn set_deviation(_deviation: &i32) {}

/// Takes as long as this job does; the last time is that of all later ones.
fn work(times: &[u64], jobs: &mut i32) {
    let job = usize::try_from(*jobs).unwrap_or_default();
    *jobs = jobs.saturating_add(1);
    let tenths = times.get(job).or(times.last()).copied().unwrap_or_default();
    take(Duration::from_ticks(tenths * TENTH));
}

/// Uses the processor for so long in virtual time.
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
