//! Notifications and time: bits that come or don't, timeouts, and sleeping until an instant.

use beryl_user::endpoint::{Client, Server};
use beryl_user::notification::{Notification, Notifier, wait_any};
use beryl_user::period::Period;
use beryl_user::time::{self, Instant, Wait, microseconds};

use crate::work;

/// Notifies one, then the other, and every third time nobody.
pub fn notifier(mut period: Period, mut one: Notifier, mut other: Notifier) -> ! {
    let mut job = 0_u32;
    loop {
        work(330);
        match job % 3 {
            0 => one.notify(),
            1 => other.notify(),
            _ => {}
        }
        work(110);
        job = job.wrapping_add(1);
        period.wait();
    }
}

/// Waits for its bit for 5.3 ms at a time.
pub fn waiter(mut bit: Notification) -> ! {
    loop {
        match bit.wait_for(Wait::AtMost(microseconds(5_300))) {
            Ok(()) => work(240),
            Err(_) => work(870),
        }
    }
}

/// Waits for either of two bits, as long as it takes.
pub fn waits_for_any(one: Notification, other: Notification) -> ! {
    loop {
        match wait_any(one.bits() | other.bits(), Wait::Forever) {
            Ok(bits) if bits.has(one.bits()) => work(190),
            _ => work(410),
        }
    }
}

/// Wakes up at instants 7.1 ms apart, whatever it did before.
pub fn sleeper(mut other: Notifier) -> ! {
    let mut next = Instant::START;
    loop {
        next = next.after(microseconds(7_100));
        let _ = time::sleep_until(next);
        work(520);
        other.notify();
    }
}

/// Every 11.3 ms asks a server for two milliseconds, which is enough each second time.
pub fn asks_briefly(mut ponder: Client<i32, i32>) -> ! {
    let mut next = Instant::START;
    let mut question = 0_i32;
    loop {
        next = next.after(microseconds(11_300));
        let _ = time::sleep_until(next);
        question = question.wrapping_add(1);
        match ponder.call_for(&question, Wait::AtMost(microseconds(2_000))) {
            Ok(answer) if answer == question => work(130),
            Ok(_) => work(1_700),
            Err(_) => work(360),
        }
    }
}

/// Answers what it is asked, every second time too late for who is impatient.
pub fn ponderer(mut ponder: Server<i32, i32>) -> ! {
    ponder.serve(|question| {
        work(if question % 2 == 0 { 410 } else { 2_900 });
        question
    })
}
