//! Threads of two processes that tell events by themselves: one dies in the middle, one forges its journal's
//! words, one has more to tell than there is room, and one is preempted all the time while it tells.
#![no_std]
#![forbid(unsafe_code)]

use beryl_user::period::Period;
use beryl_user::trace::{tell, wrong};

/// What each of them tells: the value is a count.
const STEADY: u16 = 1;
const DYING: u16 = 2;
const UNFINISHED: u16 = 3;
const TAIL: u16 = 4;
const FORGING: u16 = 5;
const BURST: u16 = 6;
const MANY: u16 = 7;
const TICK: u16 = 8;

/// How many events `burst` tells at once: more than have room.
const OF_A_BURST: u32 = 7;
/// How many `many` tells.
const OF_MANY: u32 = 8000;

/// Tells two events each time.
pub fn steady(mut period: Period) -> ! {
    for job in 0.. {
        tell(STEADY, 2 * job);
        tell(STEADY, 2 * job + 1);
        period.wait();
    }
    unreachable!()
}

/// Tells an event each time, and ends in the middle of the third.
pub fn dying(mut period: Period) -> ! {
    for job in 0..2 {
        tell(DYING, job);
        period.wait();
    }
    wrong::begin(UNFINISHED, 2);
    panic!("on purpose")
}

/// Comes behind it.
pub fn tail(mut period: Period) -> ! {
    for job in 0.. {
        tell(TAIL, job);
        period.wait();
    }
    unreachable!()
}

/// Tells an event, forges what counts them, and tells another.
pub fn forger(mut period: Period) -> ! {
    for job in 0.. {
        tell(FORGING, 2 * job);
        period.wait();
        // Full and empty, far ahead and behind, with more events than there are places.
        let (put, end) = [(9, 9), (0x8000_0000, 5), (77, 78), (u32::MAX, 2)][job as usize % 4];
        wrong::forge(put, end);
        period.wait();
    }
    unreachable!()
}

/// Tells more at once than has room.
pub fn burst(mut period: Period) -> ! {
    for job in 0.. {
        (0..OF_A_BURST).for_each(|number| tell(BURST, job * OF_A_BURST + number));
        period.wait();
    }
    unreachable!()
}

/// Tells events all the time.
pub fn many(mut period: Period) -> ! {
    loop {
        (0..OF_MANY).for_each(|number| tell(MANY, number));
        period.wait();
    }
}

/// Preempts it.
pub fn tick(mut period: Period) -> ! {
    for job in 0.. {
        tell(TICK, job);
        period.wait();
    }
    unreachable!()
}
