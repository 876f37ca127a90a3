//! The two threads of a case.

use bench_board::around;
use beryl_user::call;
use beryl_user::notification::{Notification, Notifier};
use beryl_user::semaphore::Binary;

/// Cycles of each kind.
const CYCLES: u32 = 200;

/// Holds the semaphore while the event happens: [`CYCLES`] times with early hand-over, then as often without.
/// Then as often nobody has anything to do with the semaphore.
#[inline(always)]
pub fn hold(cases: [&str; 3], mut event: Notifier, mut resource: Binary<()>) -> ! {
    let [early, standard, alone] = cases;
    cycles(early, CYCLES - 1, &mut event, &mut resource);
    // In the last one of each kind the contender already waits as in the next.
    cycles("change", 1, &mut event, &mut resource);
    cycles(standard, CYCLES - 1, &mut event, &mut resource);
    cycles("change", 1, &mut event, &mut resource);
    for _ in 0..CYCLES - 1 {
        let sample = around(|| event.notify());
        sample.print(alone);
    }
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

/// Waits for the event and takes the semaphore: in one call, later in two. Gives it back and waits again. At
/// last it only waits.
#[inline(always)]
pub fn contend(mut event: Notification, mut resource: Binary<()>) -> ! {
    for _ in 0..CYCLES {
        match event.wait_then(&mut resource) {
            Ok(held) => drop(held),
            Err(_) => call::stop(),
        }
    }
    for _ in 0..CYCLES {
        if event.wait().is_err() {
            call::stop();
        }
        match resource.wait() {
            Ok(held) => drop(held),
            Err(_) => call::stop(),
        }
    }
    while event.wait().is_ok() {}
    call::stop()
}
