//! Bands: periodic threads that do nothing but work, in two bands by deadline and one by priority.

use beryl_user::period::Period;

use crate::work;

/// Works for so many microseconds in each of its jobs.
fn always(mut period: Period, microseconds: u64) -> ! {
    loop {
        work(microseconds);
        period.wait();
    }
}

/// Works for 0.33 ms.
pub fn third(period: Period) -> ! {
    always(period, 330)
}

/// Works for 0.5 ms.
pub fn half(period: Period) -> ! {
    always(period, 500)
}

/// Works for 1.1 ms.
pub fn one(period: Period) -> ! {
    always(period, 1_100)
}

/// Works for 2 ms.
pub fn two(period: Period) -> ! {
    always(period, 2_000)
}

/// Works for 2.9 ms.
pub fn three(period: Period) -> ! {
    always(period, 2_900)
}

/// Works for 4.1 ms.
pub fn four(period: Period) -> ! {
    always(period, 4_100)
}
