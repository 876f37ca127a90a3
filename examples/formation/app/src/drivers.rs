//! Getters and setters: each helicopter's sensors and its rotor, by channel of the environment.

use beryl_user::environment::{self, Channel};

/// What a helicopter has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channels {
    /// Position fixes; m: forward and up of the leader's start.
    pub gps: Channel,
    /// Pitch; rad, nose down is positive.
    pub attitude: Channel,
    /// Thrust by mass and tilt of the rotor disc; m/s², rad.
    pub rotor: Channel,
}

impl Channels {
    const fn from(first: u32) -> Channels {
        Channels {
            gps: Channel::new(first),
            attitude: Channel::new(first + 1),
            rotor: Channel::new(first + 2),
        }
    }
}

/// The helicopter in front.
pub const LEADER: Channels = Channels::from(0);
/// The one at its left.
pub const LEFT: Channels = Channels::from(3);
/// The one at its right.
pub const RIGHT: Channels = Channels::from(6);

/// Reads a position fix of the leader: forward and up of the leader's start, m.
pub fn read_leader_gps(value: &mut [f32; 2]) {
    environment::read(LEADER.gps, value);
}

/// Reads the pitch of the leader: rad, nose down is positive.
pub fn read_leader_attitude(value: &mut f32) {
    environment::read(LEADER.attitude, value);
}

/// Sets the rotor of the leader: thrust by mass in m/s² and tilt of its disc in rad, forward is positive.
pub fn set_leader_rotor(value: &[f32; 2]) {
    environment::write(LEADER.rotor, value);
}

/// Reads a position fix of the left helicopter: forward and up of the leader's start, m.
pub fn read_left_gps(value: &mut [f32; 2]) {
    environment::read(LEFT.gps, value);
}

/// Reads the pitch of the left helicopter: rad, nose down is positive.
pub fn read_left_attitude(value: &mut f32) {
    environment::read(LEFT.attitude, value);
}

/// Sets the rotor of the left helicopter: thrust by mass in m/s² and tilt of its disc in rad, forward is positive.
pub fn set_left_rotor(value: &[f32; 2]) {
    environment::write(LEFT.rotor, value);
}

/// Reads a position fix of the right helicopter: forward and up of the leader's start, m.
pub fn read_right_gps(value: &mut [f32; 2]) {
    environment::read(RIGHT.gps, value);
}

/// Reads the pitch of the right helicopter: rad, nose down is positive.
pub fn read_right_attitude(value: &mut f32) {
    environment::read(RIGHT.attitude, value);
}

/// Sets the rotor of the right helicopter: thrust by mass in m/s² and tilt of its disc in rad, forward is positive.
pub fn set_right_rotor(value: &[f32; 2]) {
    environment::write(RIGHT.rotor, value);
}
