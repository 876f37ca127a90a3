//! Other processors: there is nothing to show.

use beryl_user::call;
use beryl_user::interrupt::Interrupt;

/// Nothing goes wrong on this processor.
pub fn go_wild(_nothing: &i32) {}

/// Stops at once on this processor.
pub fn culprit() -> ! {
    call::stop()
}

/// Stops at once on this processor.
pub fn caller() -> ! {
    call::stop()
}

/// Stops at once on this processor.
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
