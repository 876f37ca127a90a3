//! Kernel time for `embassy-time`: in microseconds, and timers that executors look after.
//!
//! A timer wakes nobody by itself. Whoever runs tasks asks when the next is due, and sleeps until then: see
//! [`executor`](crate::executor).

use core::cell::RefCell;
use core::task::Waker;

use beryl_user::time::{self, Duration, Instant, in_nanoseconds, microseconds};
use embassy_sync::blocking_mutex::CriticalSectionMutex;
use embassy_time_driver::Driver;
use embassy_time_queue_utils::Queue;

/// The timers of a process: up to 16 tasks that wait for one each. One more wakes another early, which then waits again.
struct Clock {
    timers: CriticalSectionMutex<RefCell<Queue>>,
}

embassy_time_driver::time_driver_impl!(static CLOCK: Clock = Clock {
    timers: CriticalSectionMutex::new(RefCell::new(Queue::new())),
});

impl Driver for Clock {
    fn now(&self) -> u64 {
        in_microseconds(time::now())
    }

    fn schedule_wake(&self, at: u64, waker: &Waker) {
        // Whoever waits asks for the next timer afterwards, so nobody needs to be told that it has changed.
        self.timers.lock(|timers| timers.borrow_mut().schedule_wake(at, waker));
    }
}

/// Wakes all whose timers are due, and answers how long it is until the next one is; none if there is none.
pub(crate) fn next() -> Option<Duration> {
    let now = time::now();
    let next = CLOCK.timers.lock(|timers| timers.borrow_mut().next_expiration(in_microseconds(now)));
    (next != u64::MAX).then(|| {
        let due = microseconds(next).ticks();
        Duration::from_ticks(due.saturating_sub(now.ticks()))
    })
}

/// Whole microseconds since the start.
fn in_microseconds(instant: Instant) -> u64 {
    in_nanoseconds(Duration::from_ticks(instant.ticks())) / 1_000
}
