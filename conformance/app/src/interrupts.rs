//! Interrupts: a server that waits for its line alone, with a timeout, or for a notification, too, and once
//! works longer than until the next one.

use beryl_user::interrupt::Interrupt;
use beryl_user::notification::{Notification, Notifier, wait_any};
use beryl_user::period::Period;
use beryl_user::time::{Wait, microseconds};
use beryl_user::trace::tell;

use crate::{bell, work};

/// Serves the bell, which rings each 2.7 ms.
pub fn ringer(mut line: Interrupt, knock: Notification) -> ! {
    bell::start();
    let mut round = 0_u32;
    loop {
        let rang = match round % 4 {
            0 => line.wait().is_ok(),
            1 => line.wait_for(Wait::AtMost(microseconds(1_300))).is_ok(),
            _ => {
                line.acknowledge();
                wait_any(line.bits() | knock.bits(), Wait::Forever).is_ok_and(|bits| bits.has(line.bits()))
            }
        };
        tell(1, round << 1 | u32::from(rang));
        if rang {
            bell::silence();
            // The next but one comes while the line is masked.
            work(if round % 7 == 3 { 3_250 } else { 320 });
        }
        round = round.wrapping_add(1);
    }
}

/// Knocks, each 5.9 ms.
pub fn knocker(mut period: Period, mut knock: Notifier) -> ! {
    loop {
        work(420);
        knock.notify();
        work(130);
        period.wait();
    }
}

/// Tells of each ring, and does nothing else: between rings nobody runs, and no alarm is set.
pub fn dozer(mut line: Interrupt) -> ! {
    bell::start();
    for ring in 0_u32.. {
        if line.wait().is_ok() {
            tell(2, ring);
            bell::silence();
        }
    }
    beryl_user::call::stop()
}
