//! The bell: on a board a timer that interrupts, in the simulation the environment, which raises the same
//! line at the same instants.

use beryl_user::bell;
pub use beryl_user::bell::acknowledge as silence;

/// As `conformance/bell` has it.
const MICROSECONDS: u32 = 2_700;

/// Lets the bell ring each 2.7 ms, counted from now.
pub fn start() {
    start_each(MICROSECONDS);
}

/// Lets it ring each so many microseconds.
pub fn start_each(microseconds: u32) {
    bell::every(microseconds * 1_000);
}
