//! The two threads of a case.

use bench_board::around;
use beryl_user::call;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::semaphore::Binary;

/// Cycles of each kind.
const CYCLES: u32 = 200;

/// Holds the semaphore while the event happens: [`CYCLES`] times with early hand-over, then as often without.
#[inline(always)]
pub fn hold(early: &str, standard: &str, mut event: Notifier, mut resource: Binary<()>) -> ! {
    cycles(early, CYCLES - 1, &mut event, &mut resource);
    // In the last early one the contender already waits without saying for which semaphore.
    cycles("change", 1, &mut event, &mut resource);
    cycles(standard, CYCLES - 1, &mut event, &mut resource);
    call::stop()
}

#[inline(always)]
fn cycles(case: &str, cycles: u32, event: &mut Notifier, resource: &mut Binary<()>) {
    for _ in 0..cycles {
        let Ok(held) = resource.wait() else { call::stop() };
        let mut held = Some(held);
        let sample = around(|| {
            event.notify();
            drop(held.take());
        });
        sample.print(case);
    }
}

/// Waits for the event and takes the semaphore: in one call, later in two. Gives it back and waits again.
#[inline(always)]
pub fn contend(mut event: Notification, mut resource: Binary<()>) -> ! {
    for _ in 0..CYCLES {
        match event.wait_then(&mut resource) {
            Ok(held) => drop(held),
            Err(_) => call::stop(),
        }
    }
    loop {
        if event.wait().is_err() {
            call::stop();
        }
        match resource.wait() {
            Ok(held) => drop(held),
            Err(_) => call::stop(),
        }
    }
}
