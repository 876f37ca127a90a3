//! Getters and setters: the lift's sensors and actuators, by channel of the environment.

use crate::Place;
use beryl_user::environment::{self, Channel};

/// The cabin above the ground floor.
pub const POSITION: Channel = Channel::new(0);
/// Where somebody waits; below zero if nobody does.
pub const WANTED: Channel = Channel::new(1);
/// The cabin's speed, up is positive.
pub const MOTOR: Channel = Channel::new(2);
/// The gap of the door.
pub const GAP: Channel = Channel::new(3);
/// Whether something is in the doorway.
pub const BEAM: Channel = Channel::new(4);
/// The speed of the door's leaf, opening is positive.
pub const LEAF: Channel = Channel::new(5);
/// The bell in the cabin.
pub const BELL: Channel = Channel::new(6);

/// Reads where the cabin is, and where it is wanted.
pub fn read_place(value: &mut Place) {
    environment::read(POSITION, &mut value.cabin);
    environment::read(WANTED, &mut value.wanted);
}

/// Sets the cabin's speed.
pub fn set_motor(value: &i32) {
    environment::write(MOTOR, value);
}

/// Reads the door's gap.
pub fn read_gap(value: &mut i32) {
    environment::read(GAP, value);
}

/// Reads whether something is in the doorway.
pub fn read_beam(value: &mut u8) {
    environment::read(BEAM, value);
}

/// Sets the speed of the door's leaf.
pub fn set_leaf(value: &i32) {
    environment::write(LEAF, value);
}

/// Sets the bell.
pub fn set_bell(value: &u8) {
    environment::write(BELL, value);
}
