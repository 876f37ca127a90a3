//! The simulator: there is nothing to show.

use beryl_user::call;
use beryl_user::interrupt::Interrupt;

/// Nothing goes wrong there.
pub fn go_wild(_nothing: &i32) {}

/// Stops at once there.
pub fn culprit() -> ! {
    call::stop()
}

/// Stops at once there.
pub fn caller() -> ! {
    call::stop()
}

/// Stops at once there.
pub fn about_to_stop() -> ! {
    call::stop()
}

/// Waits for what never comes.
pub fn ringer(mut bell: Interrupt) -> ! {
    loop {
        if bell.wait().is_err() {
            call::stop();
        }
    }
}
