//! Holds a stage on a rail where it should be. All numbers are whole: micrometers, and micrometers in 10 ms.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::environment::{self, Channel};

/// Where the stage is.
pub const PLACE: Channel = Channel::new(0);
/// How hard the motor pushes.
pub const MOTOR: Channel = Channel::new(1);

/// Where it should be.
const TARGET: i32 = 1000;
/// The most that the motor can do.
const MOST: i32 = 400;

/// The middle of this sample and the last.
pub fn filter_impl(place: &i32, last: &mut i32, smooth: &mut i32) {
    *smooth = place.midpoint(*last);
    *last = *place;
}

/// The speed is how far it came in 10 ms; a motor that has been told to push will add to that.
pub fn estimate_impl(smooth: &i32, told: &i32, last: &mut i32, place: &mut i32, speed: &mut i32) {
    *place = *smooth;
    *speed = smooth.saturating_sub(*last).saturating_add(*told / 16);
    *last = *smooth;
}

/// Pushes towards the target, and against the speed.
pub fn control_impl(place: &i32, speed: &i32, push: &mut i32) {
    let towards = TARGET.saturating_sub(*place) / 4;
    *push = towards.saturating_sub(*speed).clamp(-MOST, MOST);
}

/// Measures where the stage is.
pub fn read_place(place: &mut i32) {
    environment::read(PLACE, place);
}

/// Tells the motor how hard to push.
pub fn set_motor(push: &i32) {
    environment::write(MOTOR, push);
}
