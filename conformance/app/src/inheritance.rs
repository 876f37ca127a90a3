//! Semaphores: an owner runs at the urgency of who waits, in one process and across two; units pass it on to nobody.

use beryl_user::period::Period;
use beryl_user::semaphore::{Binary, Counting};

use crate::work;

/// The least urgent, which has the semaphore for 4 ms.
pub fn low(mut period: Period, mut shared: Binary<()>) -> ! {
    loop {
        if let Ok(held) = shared.wait() {
            work(4_000);
            drop(held);
        }
        work(700);
        period.wait();
    }
}

/// Wants nothing, and doesn't come between.
pub fn middle(mut period: Period) -> ! {
    loop {
        work(1_500);
        period.wait();
    }
}

/// The most urgent, which waits for the semaphore in the middle of its job.
pub fn top(mut period: Period, mut shared: Binary<()>) -> ! {
    loop {
        work(300);
        if let Ok(held) = shared.wait() {
            work(600);
            drop(held);
        }
        work(200);
        period.wait();
    }
}

/// Makes two units at a time, of which there can be three.
pub fn producer(mut period: Period, mut units: Counting) -> ! {
    loop {
        work(400);
        let _ = units.signal();
        work(150);
        let _ = units.signal();
        period.wait();
    }
}

/// Takes one unit after the other.
pub fn consumer(mut units: Counting) -> ! {
    loop {
        let _ = units.wait();
        work(900);
    }
}
