//! Event groups: bits that one set gives to several who wait for them, that are taken, cleared, or waited for too long.

use beryl_user::event_group::{Source, Waiter, all, any};
use beryl_user::period::Period;
use beryl_user::semaphore::Binary;
use beryl_user::time::{Wait, microseconds};
use beryl_user::trace::tell;

use crate::work;

/// Sets one bit after the other, the third one in a section with another bit.
pub fn readying(mut period: Period, mut ready: Source, mut board: Binary<()>) -> ! {
    let mut job = 0_u32;
    loop {
        work(240);
        ready.set(1 << (job % 3));
        work(170);
        if job % 3 == 2
            && let Ok(held) = board.wait()
        {
            ready.set(0b1_0000);
            work(210);
            drop(held);
        }
        job = job.wrapping_add(1);
        work(130);
        period.wait();
    }
}

/// Waits for two bits and takes both; another does the same, and both get them at once.
pub fn gathering(mut ready: Waiter) -> ! {
    loop {
        if let Ok(bits) = ready.wait(all(0b11).taking()) {
            tell(1, bits);
        }
        work(420);
    }
}

/// Takes whichever comes within 4.7 ms, and does something else if none does.
pub fn hasty(mut ready: Waiter) -> ! {
    let wait = Wait::AtMost(microseconds(4_700));
    loop {
        match ready.wait_for(any(0b1100).taking(), wait) {
            Ok(bits) => {
                tell(2, bits);
                work(510);
            }
            Err(_) => {
                tell(2, u32::MAX);
                work(830);
            }
        }
    }
}

/// Waits for a bit that is set inside of a section, and comes back in the section.
pub fn looking(mut ready: Waiter, mut board: Binary<()>) -> ! {
    loop {
        if let Ok((bits, held)) = ready.wait_then(any(0b1_0000).taking(), &mut board) {
            tell(3, bits);
            work(140);
            drop(held);
        }
        work(90);
    }
}

/// Sets a bit that is looked for, and clears what nobody has taken.
pub fn keeping(mut period: Period, mut ready: Source, mut seen: Waiter) -> ! {
    loop {
        work(310);
        ready.set(0b1000);
        work(120);
        let found = seen.wait_for(any(u32::MAX), Wait::Poll).unwrap_or(0);
        tell(4, found);
        tell(5, ready.clear(0b1001));
        work(150);
        period.wait();
    }
}
