//! Semaphores: pairs where nobody contends, a hand-over, waking.

use bench_board::around;
use beryl_user::call;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::semaphore::{Binary, Counting};

use crate::failed;
use crate::objects::{SAMPLES, repeat};

/// Thread: takes and gives a semaphore of its own process.
#[inline(always)]
pub fn pair(mut bus: Binary<()>) -> ! {
    repeat("semaphore/pair", || take_and_give(&mut bus))
}

/// Thread: the same with one that another process uses, too.
#[inline(always)]
pub fn pair_across(mut bus: Binary<()>) -> ! {
    repeat("semaphore/pair-across", || take_and_give(&mut bus))
}

/// Thread: a semaphore's other user.
#[inline(always)]
pub fn pair_user(mut bus: Binary<()>) -> ! {
    take_and_give(&mut bus);
    call::stop()
}

#[inline(always)]
fn take_and_give(bus: &mut Binary<()>) {
    match bus.wait() {
        Ok(held) => drop(held),
        Err(_) => failed(),
    }
}

/// Thread, urgent: wants the semaphore each time that its holder says so. What is measured begins before it
/// asks for the semaphore, and ends when it has it; the holder runs in between.
#[inline(always)]
pub fn resource_user(mut contended: Notification, mut resource: Binary<()>) -> ! {
    for _ in 0..SAMPLES {
        if contended.wait().is_err() {
            failed();
        }
        let mut held = None;
        let sample = around(|| match resource.wait() {
            Ok(taken) => held = Some(taken),
            Err(_) => failed(),
        });
        drop(held);
        sample.print("semaphore/handover");
    }
    call::stop()
}

/// Thread, less urgent: holds the semaphore while the other begins to want it.
#[inline(always)]
pub fn holder(mut contended: Notifier, mut resource: Binary<()>) -> ! {
    for _ in 0..SAMPLES {
        let Ok(held) = resource.wait() else { failed() };
        contended.notify();
        drop(held);
    }
    call::stop()
}

/// Thread, urgent: waits.
#[inline(always)]
pub fn waiter(mut event: Counting) -> ! {
    repeat("semaphore/wake/to", || {
        if event.wait().is_err() {
            failed();
        }
    })
}

/// Thread, less urgent: signals, whereupon the other runs.
#[inline(always)]
pub fn waker(mut event: Counting) -> ! {
    repeat("semaphore/wake/from", || {
        if event.signal().is_err() {
            failed();
        }
    })
}
