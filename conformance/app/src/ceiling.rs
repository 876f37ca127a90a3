//! Ceiling locks: who is inside runs before all that may come in, and not before others.

use beryl_user::lock::Lock;
use beryl_user::period::Period;

use crate::work;

/// The least urgent, which is inside for 3 ms.
pub fn holder(mut period: Period, mut map: Lock<i32>) -> ! {
    loop {
        work(200);
        map.with(|sum| {
            work(3_000);
            *sum = sum.wrapping_add(1);
        });
        work(900);
        period.wait();
    }
}

/// Comes in for a moment; more urgent than the holder.
pub fn user(mut period: Period, mut map: Lock<i32>) -> ! {
    loop {
        work(250);
        map.with(|sum| {
            work(350);
            *sum = sum.wrapping_mul(3);
        });
        period.wait();
    }
}

/// Never comes in; more urgent than all that do.
pub fn outsider(mut period: Period) -> ! {
    loop {
        work(450);
        period.wait();
    }
}
