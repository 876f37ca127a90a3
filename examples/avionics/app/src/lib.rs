//! Flight, cabin and ground: three partitions of one processor, and a background.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::call::keep_busy;
use beryl_user::environment::{self, Channel};
use beryl_user::period::Period;
use beryl_user::time::microseconds;

/// The rudder's place.
pub const RUDDER: Channel = Channel::new(0);

/// How far the rudder goes in one job.
const STEP: i32 = 2;

/// Plans another course for each leg: 5 to one side, then 5 to the other, and so on, farther each time.
pub fn plan_impl(legs: &mut i32, course: &mut i32) {
    keep_busy(microseconds(1500));
    *legs = legs.wrapping_add(1);
    let side = if *legs % 2 == 1 { 5 } else { -5 };
    *course = side * (*legs % 8);
}

/// Goes a step towards the course.
pub fn steer_impl(course: &i32, place: &mut i32, rudder: &mut i32) {
    keep_busy(microseconds(600));
    *place += (*course - *place).clamp(-STEP, STEP);
    *rudder = *place;
}

/// Sets the rudder.
pub fn set_rudder(place: &i32) {
    environment::write(RUDDER, place);
}

/// Passes messages on, in whichever window it is.
pub fn gateway(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(60));
        period.wait();
    }
}

/// Shows a film. It never stops, and has nothing but the cabin's windows.
pub fn film() -> ! {
    loop {
        keep_busy(microseconds(200));
    }
}

/// Inspects something, in more than one of its windows.
pub fn inspect(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(1800));
        period.wait();
    }
}

/// Writes down what there is to write down, when nobody else wants the processor.
pub fn log() -> ! {
    loop {
        keep_busy(microseconds(100));
    }
}
