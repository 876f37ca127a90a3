//! The simulator: nothing is told to go wrong. The simulator makes it so by itself.

use beryl_user::call;
use beryl_user::period::Period;
use beryl_user::time::{self, Duration};

/// 1 ms at 25 MHz.
const WHILE: Duration = Duration::from_ticks(25_000);

/// Does nothing, again and again.
pub fn wild() -> ! {
    loop {
        if time::sleep(WHILE).is_err() {
            call::stop();
        }
    }
}

/// A job that does nothing.
pub fn wild_job(mut period: Period) -> ! {
    loop {
        call::null();
        period.wait();
    }
}
