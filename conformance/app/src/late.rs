//! Being late: jobs that take longer than their period, with and without a catch_up.

use beryl_user::period::Period;

use crate::work;

/// Every third job takes more than two periods.
fn sometimes_late(mut period: Period, usual: u64, long: u64) -> ! {
    let mut job = 0_u32;
    loop {
        work(if job % 3 == 1 { long } else { usual });
        job = job.wrapping_add(1);
        period.wait();
    }
}

/// Makes up for what it missed.
pub fn patient(period: Period) -> ! {
    sometimes_late(period, 470, 9_650)
}

/// Skips what it missed.
pub fn strict(period: Period) -> ! {
    sometimes_late(period, 380, 8_850)
}

/// Is made late by the others.
pub fn burdened(mut period: Period) -> ! {
    loop {
        work(1_210);
        period.wait();
    }
}
