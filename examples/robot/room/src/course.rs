//! The robot's course: a circle to the left, since its right wheel turns faster. What drives it is no part of the system.

use crate::Place;

/// Between the wheels, mm.
const AXLE: f64 = 400.0;
/// How fast the wheels turn, left and right, mm/s.
const WHEELS: [f64; 2] = [50.0, 150.0];
/// Counts of a wheel's counter in a mm.
const COUNTS: f64 = 10.0;
/// Where the counters begin anew.
const COUNTER: i64 = 1 << 16;
/// What the counters say at the start: the right one begins anew soon.
const BEGIN: [i64; 2] = [1_234, 65_000];

/// Where the robot is (mm), and whither it goes (rad, to the left), at an instant in s.
pub fn pose(seconds: f64) -> (Place, f64) {
    let [left, right] = WHEELS;
    let radius = AXLE / 2.0 * (left + right) / (right - left);
    let heading = (right - left) / AXLE * seconds;
    ([radius * libm::sin(heading), radius * (1.0 - libm::cos(heading))], heading)
}

/// What a wheel's counter says at an instant in s, when its way is read wrong by so many mm. 0 is the left one.
pub fn counter(wheel: usize, seconds: f64, wrong: f64) -> i32 {
    let counts = libm::round(COUNTS * (WHEELS[wheel] * seconds + wrong)) as i64;
    (BEGIN[wheel] + counts).rem_euclid(COUNTER) as i32
}
