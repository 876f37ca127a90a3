//! Priorities that change: who is served first, who makes way, and who runs in whose place follow at once.

use beryl_user::period::Period;
use beryl_user::semaphore::{Binary, Counting};
use beryl_user::thread::Thread;
use beryl_user::trace::tell;

use crate::work;

/// Prefers one to the other by turns, or neither, and gives both an order; now and then they are equals.
pub fn steering(mut period: Period, mut left: Thread, mut right: Thread, mut orders: Counting) -> ! {
    let mut job = 0_u32;
    loop {
        work(130);
        let (one, other) = match job % 4 {
            0 => (4, 7),
            1 => (8, 5),
            2 => (6, 6),
            _ => (31, 4),
        };
        tell(1, u32::from(left.set_priority(one).is_ok()));
        work(110);
        tell(2, u32::from(right.set_priority(other).is_ok()));
        let _ = orders.signal();
        let _ = orders.signal();
        work(190);
        job = job.wrapping_add(1);
        period.wait();
    }
}

/// Does what it is ordered, a part of it in a section.
pub fn obeying(mut orders: Counting, mut desk: Binary<()>) -> ! {
    loop {
        if orders.wait().is_ok() {
            tell(3, 1);
            work(270);
        }
        if let Ok(held) = desk.wait() {
            work(340);
            drop(held);
        }
        work(140);
    }
}

/// Is the least urgent of all, but for the middle of its job.
pub fn rising(mut period: Period, mut own: Thread, mut desk: Binary<()>) -> ! {
    loop {
        work(260);
        if let Ok(held) = desk.wait() {
            work(180);
            let _ = own.set_priority(11);
            work(170);
            drop(held);
        }
        work(120);
        let _ = own.set_priority(3);
        work(310);
        period.wait();
    }
}

/// Waits for whoever is inside, and runs as soon as it isn't.
pub fn filing(mut period: Period, mut desk: Binary<()>) -> ! {
    loop {
        work(90);
        if let Ok(held) = desk.wait() {
            work(230);
            drop(held);
        }
        work(80);
        period.wait();
    }
}
