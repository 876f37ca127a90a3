//! Critical sections, single and nested, while a thread is told to run at some point of them, as `./x bench`
//! measures it on the board: the benchmark of the paper's Table III.
//!
//! A sample goes from before the section to after it. Who is told to run is less urgent than the thread that
//! measures, more urgent than that and less than the sections' ceilings, or more urgent than all of them;
//! each runs until it waits again.

mod exclusion;
mod points;

use beryl_user::call;
use beryl_user::lock::Lock;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::thread::Thread;

use exclusion::{Calls, Locks};
use points::{Others, measure};

/// How often everything is measured.
const SAMPLES: u32 = 100;

/// Thread: measures sections by ceiling locks.
pub fn locks_around(
    outer: Lock<i32>,
    inner: Lock<i32>,
    low: Notifier,
    medium: Notifier,
    high: Notifier,
) -> ! {
    measure("locks", Locks { outer, inner }, Others { low, medium, high })
}

/// Thread: measures sections by calls that raise its own priority and lower it again.
pub fn calls_around(own: Thread, low: Notifier, medium: Notifier, high: Notifier) -> ! {
    measure("calls", Calls { own }, Others { low, medium, high })
}

/// Thread: runs when it is told to, and does nothing.
pub fn woken(mut told: Notification) -> ! {
    loop {
        if told.wait().is_err() {
            crate::failed();
        }
    }
}

/// Thread: a lock's other user, which gives it its ceiling.
pub fn user(mut lock: Lock<i32>) -> ! {
    lock.with(|value| *value = 1);
    call::stop()
}
