//! The carrier of transfers: on a board a timer that runs once, in the simulation the environment.

use beryl_user::bell;
use beryl_user::environment::{self, Channel};

/// As `conformance/carrier` has them.
const START: Channel = Channel::new(0);
const DONE: Channel = Channel::new(1);

/// Whether the environment is the carrier.
const IS_SIMULATED: bool = cfg!(not(target_os = "none"));

/// Starts a transfer of so many microseconds, and takes back the line that the last one has raised.
pub fn start(microseconds: i32) {
    bell::after(microseconds.unsigned_abs() * 1_000);
    if IS_SIMULATED {
        environment::write(START, &microseconds);
    }
}

/// Whether the transfer has ended.
pub fn is_done() -> bool {
    if !IS_SIMULATED {
        return bell::has_rung();
    }
    let mut done = 0;
    environment::read(DONE, &mut done);
    done == 1
}
