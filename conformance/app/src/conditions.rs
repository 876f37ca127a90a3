//! Conditions: who waits inside of a semaphore or a ceiling lock is woken one by one, all at once, or by the clock.

use beryl_user::condition::Condition;
use beryl_user::lock::Lock;
use beryl_user::period::Period;
use beryl_user::semaphore::Binary;
use beryl_user::time::{Wait, microseconds};
use beryl_user::trace::tell;

use crate::work;

/// Puts two pieces into the store and wakes one who waits; every third time nobody.
pub fn filler(mut period: Period, mut store: Binary<i32>, filled: Condition) -> ! {
    let mut job = 0_u32;
    loop {
        work(240);
        if let Ok(mut held) = store.wait() {
            *held = held.wrapping_add(2);
            work(310);
            if job % 3 < 2 {
                filled.signal();
            }
            work(150);
            drop(held);
        }
        job = job.wrapping_add(1);
        work(170);
        period.wait();
    }
}

/// Takes one piece after the other, as long as it takes.
pub fn waiting(mut store: Binary<i32>, filled: Condition) -> ! {
    loop {
        if let Ok(mut held) = store.wait() {
            while *held == 0 {
                let _ = filled.wait(&mut held);
            }
            *held = held.wrapping_sub(1);
            tell(1, held.cast_unsigned());
            work(420);
            drop(held);
        }
        work(260);
    }
}

/// Takes a piece if one comes within 4.7 ms, and does something else if none does.
pub fn moody(mut store: Binary<i32>, filled: Condition) -> ! {
    let wait = Wait::AtMost(microseconds(4_700));
    loop {
        let Ok(mut held) = store.wait() else { continue };
        let has_come = *held > 0 || filled.wait_for(&mut held, wait).is_ok();
        if has_come && *held > 0 {
            *held = held.wrapping_sub(1);
            work(510);
        } else {
            work(830);
        }
        tell(2, held.cast_unsigned());
        drop(held);
        work(140);
    }
}

/// Opens the gate for all who wait in front of it.
pub fn opener(mut period: Period, mut gate: Lock<i32>, opened: Condition) -> ! {
    loop {
        work(360);
        gate.with(|times| {
            *times = times.wrapping_add(1);
            work(130);
        });
        opened.broadcast();
        work(220);
        period.wait();
    }
}

/// Passes the gate each time that it was opened.
pub fn passing(mut gate: Lock<i32>, opened: Condition) -> ! {
    let mut last = 0;
    loop {
        let is_new = |times: &mut i32| (*times != last).then_some(*times);
        if let Ok(times) = gate.with_when(&opened, Wait::Forever, is_new) {
            last = times;
            tell(3, times.cast_unsigned());
        }
        work(390);
    }
}
