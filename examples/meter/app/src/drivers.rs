//! Getters, setters and the guard, by channel of the environment.

use beryl_user::bell;
use beryl_user::environment::{self, Channel};

/// How far the tap is open, in per mille.
pub const VALVE: Channel = Channel::new(0);
/// Microseconds from pulse to pulse.
pub const PUMP: Channel = Channel::new(1);
/// How many warnings there were, and the last one.
pub const LAMP: Channel = Channel::new(2);

/// How far the tap is open.
pub fn read_valve(valve: &mut i32) {
    environment::read(VALVE, valve);
}

/// Lets the wheel turn: on the board it is a timer that interrupts, in the simulation the environment.
pub fn set_pump(interval: &i32) {
    environment::write(PUMP, interval);
    bell::every(u32::try_from(*interval).unwrap_or(0).saturating_mul(1_000));
}

/// Shows the last warning.
pub fn set_lamp(shown: &i32) {
    environment::write(LAMP, shown);
}

/// Whether anybody looks: not while the tap is shut.
pub fn is_shown(valve: &i32) -> bool {
    *valve > 0
}
