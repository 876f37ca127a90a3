//! Getters and the setter, by channel of the environment.

use beryl_user::environment::{self, Channel};

/// The first sonar; the others follow.
const SONARS: u32 = 0;
/// The counters of the wheels, left and right.
const WHEELS: u32 = 6;
/// How often somebody has asked for the map.
const ASKED: Channel = Channel::new(8);
/// How many cells are occupied, and a checksum.
const SHOWN: Channel = Channel::new(9);
/// The line over which the map goes.
pub const LINE: Channel = Channel::new(10);

/// The echo at the left, mm; 0 if there was none.
pub fn read_left_side(echo: &mut i32) {
    environment::read(Channel::new(SONARS), echo);
}

/// Half left.
pub fn read_left(echo: &mut i32) {
    environment::read(Channel::new(SONARS + 1), echo);
}

/// Ahead, a little to the left.
pub fn read_ahead_left(echo: &mut i32) {
    environment::read(Channel::new(SONARS + 2), echo);
}

/// Ahead, a little to the right.
pub fn read_ahead_right(echo: &mut i32) {
    environment::read(Channel::new(SONARS + 3), echo);
}

/// Half right.
pub fn read_right(echo: &mut i32) {
    environment::read(Channel::new(SONARS + 4), echo);
}

/// At the right.
pub fn read_right_side(echo: &mut i32) {
    environment::read(Channel::new(SONARS + 5), echo);
}

/// The left wheel's counter.
pub fn read_left_wheel(counter: &mut i32) {
    environment::read(Channel::new(WHEELS), counter);
}

/// The right wheel's counter.
pub fn read_right_wheel(counter: &mut i32) {
    environment::read(Channel::new(WHEELS + 1), counter);
}

/// How often somebody has asked.
pub fn read_asked(asked: &mut i32) {
    environment::read(ASKED, asked);
}

/// Shows how many cells are occupied.
pub fn show(map: &[i32; 2]) {
    environment::write(SHOWN, map);
}
