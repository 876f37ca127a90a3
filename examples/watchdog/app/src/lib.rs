//! A thread whose jobs take too long, a warden who hears of it and hangs, and a chief who hears of that.
#![no_std]
#![forbid(unsafe_code)]

use core::hint::black_box;

use beryl_user::call::spend;
use beryl_user::period::Period;
use beryl_user::semaphore::Counting;
use beryl_user::supervisor::{Report, Supervisor};
use beryl_user::time::Duration;
use beryl_user::trace;

/// Who is watched, as the description names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Watched {
    /// Whose jobs take too long: the warden is told.
    Work,
    /// The warden: the chief is told.
    Warden,
}

/// What the chief notes.
pub const FAULT_OF_WARDEN: u16 = 1;
/// What the warden notes.
pub const HEARD: u16 = 2;

/// Hears of faults of the warden, and notes when.
pub fn chief(mut reports: Supervisor<Watched>) -> ! {
    loop {
        if let Ok(Report { count, .. }) = reports.hear() {
            trace::tell(FAULT_OF_WARDEN, u32::from(count));
        }
    }
}

/// Hears of one job that takes too long. At the next it asks somebody who never answers.
pub fn warden(mut reports: Supervisor<Watched>, mut answer: Counting) -> ! {
    let mut heard = 0;
    loop {
        if let Ok(Report { count, .. }) = reports.hear() {
            heard += 1;
            trace::tell(HEARD, u32::from(count));
        }
        if heard == 2 {
            let _ = answer.wait();
        }
    }
}

/// Each of its jobs takes too long.
pub fn work(mut period: Period) -> ! {
    loop {
        spend(Duration::from_ticks(250_000));
        if cfg!(target_os = "none") {
            for round in 0..u32::MAX {
                black_box(round);
            }
        }
        period.wait();
    }
}
