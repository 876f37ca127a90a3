//! Delays of `embedded-hal`: the thread sleeps.

use beryl_user::call::spend;
use beryl_user::time::{self, nanoseconds};
use embedded_hal::delay::DelayNs;

/// Sleeps for at least as long as it is asked to: a delay is rounded up to whole ticks, and ends when the kernel gives the
/// thread its turn. Two system calls each. Inside a critical section nobody may sleep: there the time is waited out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sleep;

/// Waits for so many units of so many nanoseconds.
fn wait(count: u32, unit: u64) {
    let now = time::now();
    let until = now.after(nanoseconds(u64::from(count) * unit));
    if time::sleep_until(until).is_err() {
        spend(until.since(now));
        while time::now() < until {}
    }
}

impl DelayNs for Sleep {
    fn delay_ns(&mut self, ns: u32) {
        wait(ns, 1);
    }

    fn delay_us(&mut self, us: u32) {
        wait(us, 1_000);
    }

    fn delay_ms(&mut self, ms: u32) {
        wait(ms, 1_000_000);
    }
}
