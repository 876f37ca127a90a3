//! System calls, one function each.

use beryl_abi::{CallNumber, Duration, Instant};

use crate::platform;

/// Enters the kernel and does nothing there: what a system call costs.
#[inline(always)]
pub fn null() {
    platform::plain_call(CallNumber::Null);
}

/// Lets the next thread of the same priority run.
#[inline(always)]
pub fn yield_now() {
    platform::plain_call(CallNumber::Yield);
}

/// Ends the current job of the calling task; returns when the next one is released.
#[inline(always)]
pub fn complete() {
    platform::plain_call(CallNumber::Complete);
}

/// Ends a native driver with a guard's `verdict` (other drivers: whatever) and waits for the next
/// one: the number of its function in the process, and the address of its value.
#[inline(always)]
pub fn driver_done(verdict: bool) -> (u32, u32) {
    let [function, address] = platform::call(CallNumber::DriverDone, [u32::from(verdict), 0, 0]);
    (function, address)
}

/// The processor time that the calling thread has used.
#[must_use]
pub fn execution_time() -> Duration {
    Duration::from_ticks(ticks(platform::call(CallNumber::ExecutionTime, [0; 3])))
}

/// Kernel time. A job that uses it is no longer a function of its ports.
#[must_use]
pub fn time() -> Instant {
    Instant::from_ticks(ticks(platform::call(CallNumber::Time, [0; 3])))
}

/// Ends the calling thread for good.
pub fn stop() -> ! {
    loop {
        platform::call(CallNumber::Stop, [0; 3]);
    }
}

/// In the simulator: uses up `duration` of processor time. On the target the code itself takes time.
pub fn spend(duration: Duration) {
    platform::spend(duration);
}

fn ticks([low, high]: [u32; 2]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}
