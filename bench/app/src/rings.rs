//! A timer that rings, on each board: who is interrupted, and who hears it in another process.

use beryl_user::bell;
use beryl_user::call;
use beryl_user::interrupt::Interrupt;

/// From ring to ring, in nanoseconds.
const DISTANCE: u32 = 1_000_000;

/// Thread, urgent: hears each ring, takes it back, and waits again.
#[inline(always)]
pub fn hear_rings(mut ring: Interrupt) -> ! {
    bell::every(DISTANCE);
    while ring.wait().is_ok() {
        bell::acknowledge();
    }
    call::stop()
}

/// Thread, less urgent: is interrupted.
#[inline(always)]
#[allow(clippy::empty_loop, reason = "it never sleeps, so that there is somebody to be interrupted")]
pub fn go_round() -> ! {
    loop {}
}
