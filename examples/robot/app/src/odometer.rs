//! Odometers: from a counter that begins anew to the way that a wheel has turned.

use crate::length::Length;

/// Where a wheel's counter begins anew.
pub const COUNTER: i32 = 1 << 16;

/// Adds what the counter has gone on since it was last read. A robot drives forward only, so the difference is less than a
/// whole turn of the counter and not negative.
pub fn odometer_impl(counter: &i32, before: &mut i32, way: &mut [i32; 2]) {
    let length = Length::short();
    if *before >= 0 {
        way[1] = way[1].wrapping_add(counter.wrapping_sub(*before).rem_euclid(COUNTER));
    }
    *before = *counter;
    way[0] = way[0].wrapping_add(1);
    length.pass();
}
