//! Who writes over the stack of somebody in another process, and who would see it.
#![no_std]

use core::hint::black_box;

use beryl_user::call::keep_busy;
use beryl_user::period::Period;
use beryl_user::time::microseconds;
use beryl_user::trace;

/// That of `canary`; whoever writes this file puts it here.
const STACK: core::ops::Range<usize> = 0..0;

pub fn sibling(mut period: Period) -> ! {
    loop {
        keep_busy(microseconds(100));
        period.wait();
    }
}

pub fn wild(mut period: Period) -> ! {
    for job in 1.. {
        keep_busy(microseconds(100));
        if job == 3 {
            for address in STACK.step_by(4) {
                // SAFETY: none: it isn't this process's memory, so it is stopped here. That is what is tested.
                unsafe { (address as *mut u32).write_volatile(0) };
            }
        }
        period.wait();
    }
    beryl_user::call::stop()
}

/// Counts the words on its stack that are as they were.
pub fn canary(mut period: Period) -> ! {
    let words = black_box([0x5AA5_A55A_u32; 16]);
    loop {
        let whole = black_box(&words).iter().filter(|word| **word == 0x5AA5_A55A).count();
        trace::tell(1, whole as u32);
        period.wait();
    }
}
