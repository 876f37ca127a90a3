//! A timing program: tasks that read each other, modes and guards, a job that is stopped because it isn't
//! done in time, a getter that takes too long and one that panics.

use crate::work;

/// Counts up.
pub fn read_count(count: &mut i32) {
    work(25);
    *count = count.wrapping_add(1);
}

/// Counts up, and takes longer than it may at its third and sixth time.
pub fn read_slowly(count: &mut i32) {
    *count = count.wrapping_add(1);
    work(if *count % 3 == 0 { 400 } else { 25 });
}

/// Counts up, and panics at its fourth time.
pub fn read_in_vain(count: &mut i32) {
    work(25);
    assert!(*count < 3, "the fourth time goes wrong");
    *count = count.wrapping_add(1);
}

/// Shows a value to nobody but the trace.
pub fn show(_value: &i32) {
    work(25);
}

/// Whether to change over.
pub fn is_seventh(count: &i32) -> bool {
    work(25);
    *count % 7 == 0
}

/// Follows the counters.
pub fn lead_impl(count: &i32, slow: &i32, vain: &i32, sum: &mut i32) {
    work(1_030);
    *sum = count.wrapping_add(*slow).wrapping_mul(31).wrapping_add(*vain);
}

/// Works longer than its logical execution time in each third job.
pub fn stumble_impl(lead: &i32, jobs: &mut i32, value: &mut i32) {
    *jobs = jobs.wrapping_add(1);
    work(if *jobs % 3 == 0 { 12_400 } else { 2_430 });
    *value = lead.wrapping_mul(3);
}

/// Follows who stumbles.
pub fn follow_impl(stumble: &i32, value: &mut i32) {
    work(570);
    *value = stumble.wrapping_add(1);
}

/// Takes longer than others have time until their next job.
pub fn heavy_impl(lead: &i32, value: &mut i32) {
    work(1_830);
    *value = lead.wrapping_mul(5);
}
