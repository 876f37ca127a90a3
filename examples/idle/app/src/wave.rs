//! A wave of whole numbers: a triangle that is bent.

/// Steps of a wave.
const STEPS: i32 = 64;
/// Rounds of the search: the longest of the three tasks by far.
const ROUNDS: i32 = 65_000;

/// The next value of the wave: `angle` counts its steps, `gain` is its height.
pub fn pulse_impl(gain: &i32, angle: &mut i32, height: &mut i32) {
    *angle = (*angle + 1) % STEPS;
    let triangle = (*angle - STEPS / 2).abs() - STEPS / 4;
    *height = gain.wrapping_mul(triangle) / STEPS;
}

/// The mean of the last values.
pub fn smooth_impl(height: &i32, mean: &mut i32, level: &mut i32) {
    *mean = mean.wrapping_mul(7).wrapping_add(*height) / 8;
    *level = *mean;
}

/// How high the wave shall be: a number that depends on all bits of the level, found slowly.
pub fn learn_impl(level: &i32, gain: &mut i32) {
    let mut found = *level;
    for round in 0..ROUNDS {
        found = found.rotate_left(5).wrapping_mul(0x0019_660D).wrapping_add(round);
    }
    *gain = 500 + found.rem_euclid(1000);
}

/// Where a dial would be set.
pub fn set_dial(_: &i32) {}
