//! Event groups: bits that are there, and bits that wake a thread.

use bench_board::around;
use beryl_user::event_group::{Source, Waiter, all, any};

use crate::failed;
use crate::objects::{SAMPLES, repeat};

/// What is waited for.
const BITS: u32 = 0b11;

/// Thread: waits for bits that are there, and stay; and sets bits and takes them.
#[inline(always)]
pub fn group_alone(mut source: Source, mut waiter: Waiter) -> ! {
    source.set(BITS);
    for _ in 0..SAMPLES {
        let sample = around(|| {
            if waiter.wait(any(BITS)).is_err() {
                failed();
            }
        });
        sample.print("event-group/wait");
    }
    repeat("event-group/pair", || {
        source.set(BITS);
        take(&mut waiter);
    })
}

/// Thread, urgent: waits for bits.
#[inline(always)]
pub fn group_waiter(mut waiter: Waiter) -> ! {
    repeat("event-group/wake/to", || take(&mut waiter))
}

/// Thread, less urgent: sets them, whereupon the other runs.
#[inline(always)]
pub fn group_source(mut source: Source) -> ! {
    repeat("event-group/wake/from", || source.set(BITS))
}

#[inline(always)]
fn take(waiter: &mut Waiter) {
    if waiter.wait(all(BITS).taking()).is_err() {
        failed();
    }
}
