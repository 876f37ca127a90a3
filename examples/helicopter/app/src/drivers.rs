//! Getters and setters: the helicopter's sensors and its rotor, by channel of the environment.

use beryl_user::environment::{self, Channel};

/// Position fixes; m: forward, up.
pub const GPS: Channel = Channel::new(0);
/// Pitch; rad, nose down is positive.
pub const ATTITUDE: Channel = Channel::new(1);
/// Thrust by mass and tilt of the rotor disc; m/s², rad.
pub const ROTOR: Channel = Channel::new(2);

/// Reads a position fix: forward and up of the hover point, m.
pub fn read_gps(value: &mut [f32; 2]) {
    environment::read(GPS, value);
}

/// Reads the pitch: rad, nose down is positive.
pub fn read_attitude(value: &mut f32) {
    environment::read(ATTITUDE, value);
}

/// Sets the rotor: thrust by mass in m/s² and tilt of its disc in rad, forward is positive.
pub fn set_rotor(value: &[f32; 2]) {
    environment::write(ROTOR, value);
}
