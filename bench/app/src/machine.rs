//! What tasks do whose system code `./x bench` measures: go round as often as they are told, and hand that on.

use core::hint::black_box;

/// All tasks.
pub fn hand_on(value: &i32, handed: &mut i32) {
    let mut left = *value;
    // bound: what the timing program says
    while left > 0 {
        left = black_box(left.wrapping_sub(1));
    }
    *handed = *value;
}
