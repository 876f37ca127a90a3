//! Who uses all that it may, and who uses a tick more: alone, and of a budget that two share.
#![no_std]

use beryl_user::call::keep_busy;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::period::Period;
use beryl_user::time::Duration;

/// On the target work is measured by calls, and what is done beside it counts as well: so it keeps away so far from its end.
const CALLS: u64 = if cfg!(target_os = "none") { 50 * 25 } else { 0 };

/// All of so many microseconds, to the tick in the simulator.
fn all_of(length: u64) -> Duration {
    Duration::from_ticks(length * 25 - CALLS)
}

pub fn exact(mut period: Period, mut bell: Notifier) -> ! {
    loop {
        bell.notify();
        keep_busy(all_of(2000));
        period.wait();
    }
}

pub fn over(mut period: Period) -> ! {
    loop {
        keep_busy(Duration::from_ticks(2000 * 25 + 1));
        period.wait();
    }
}

pub fn first(mut bell: Notification, mut gong: Notifier) -> ! {
    loop {
        while bell.wait().is_err() {}
        keep_busy(all_of(600));
        gong.notify();
    }
}

/// Takes what is left, then more than that, which it goes on with in the next period; and begins again.
pub fn second(mut gong: Notification) -> ! {
    loop {
        while gong.wait().is_err() {}
        keep_busy(all_of(400));
        while gong.wait().is_err() {}
        keep_busy(Duration::from_ticks(440 * 25 + 2 * CALLS));
        while gong.wait().is_err() {}
    }
}
