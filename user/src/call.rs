//! System calls, one function each.

use beryl_abi::call::OWNER_DIED;
use beryl_abi::{CallNumber, Duration, Instant};

pub use beryl_abi::CallError;

use crate::platform;

/// No arguments.
pub(crate) const NONE: [Option<u32>; 4] = [None; 4];

/// Enters the kernel and does nothing there: the bare cost of a system call.
#[inline(always)]
pub fn null() {
    platform::call(CallNumber::Null, NONE);
}

/// Lets the next thread of the same priority run. Inside a ceiling lock it does nothing.
#[inline(always)]
pub fn yield_now() {
    platform::call(CallNumber::Yield, NONE);
}

/// Ends the current job of the calling task; returns when the next one is released.
#[inline(always)]
pub fn complete() {
    platform::call(CallNumber::Complete, NONE);
}

/// Ends a native driver with a guard's `verdict` (any value from other drivers) and waits for the next one.
/// Returns the number of its function in the process and the address of its value.
#[inline(always)]
pub fn driver_done(verdict: bool) -> (u32, u32) {
    let arguments = [Some(u32::from(verdict)), None, None, None];
    let [_, function, address] = platform::call(CallNumber::DriverDone, arguments);
    (function, address)
}

/// The processor time that the calling thread has used.
#[must_use]
pub fn execution_time() -> Duration {
    Duration::from_ticks(ticks(platform::call(CallNumber::ExecutionTime, NONE)))
}

/// Kernel time. A job that uses it is no longer a function of its ports.
#[must_use]
pub fn time() -> Instant {
    Instant::from_ticks(ticks(platform::call(CallNumber::Time, NONE)))
}

/// Ends the calling thread for good.
pub fn stop() -> ! {
    loop {
        platform::call(CallNumber::Stop, NONE);
    }
}

/// In the simulator: uses up `duration` of processor time. On the target the code itself takes time.
pub fn spend(duration: Duration) {
    platform::spend(duration);
}

/// Keeps the processor busy for `duration` of the calling thread's own time: in the simulator as virtual time, on the
/// target by asking the clock again and again, so it takes a call longer at most, whatever the compiler made of the loop.
/// Stands in examples and tests for work that takes its time.
pub fn keep_busy(duration: Duration) {
    spend(duration);
    if cfg!(target_os = "none") {
        let end = execution_time().plus(duration);
        while execution_time() < end {}
    }
}

fn ticks([_, low, high]: [u32; 3]) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// The meaning of an error, for people.
#[must_use]
pub fn words(error: CallError) -> &'static str {
    match error {
        CallError::UnknownCall => "there is no such system call",
        CallError::WrongCaller => "threads of this kind may not make this call",
        CallError::NoSuchObject => "the process may not use this object",
        CallError::WouldBlock => "it would have to wait",
        CallError::TimedOut => "it has waited long enough",
        CallError::BadAddress => "the thread may not touch this memory",
        CallError::Raised => "a thread may not wait inside a ceiling lock",
        CallError::NotOwner => "the thread doesn't hold this lock",
        CallError::Deadlock => "the thread would wait for itself",
        CallError::Overflow => "the semaphore is at its most already",
        CallError::TooLong => "the timeout is too long",
        CallError::PeerDied => "the other side has stopped",
        CallError::NotServing => "there is no request to answer",
        CallError::OutOfPlace => "this part of a program has no place here",
        CallError::NoBits => "no bits are waited for",
        CallError::OutOfRange => "the thread may not have this priority",
        CallError::OverLimit => "the process has asked as much as it may in a while",
    }
}

/// Makes a system call that may fail. `arguments` go into r1, r2, r3 and r12.
#[inline(always)]
pub(crate) fn attempt(number: CallNumber, arguments: [Option<u32>; 4]) -> Result<Answer, CallError> {
    let [status, low, high] = platform::call(number, arguments);
    if status > OWNER_DIED {
        return Err(CallError::decode(status).unwrap_or(CallError::UnknownCall));
    }
    Ok(Answer { owner_died: status == OWNER_DIED, values: [low, high] })
}

/// The result of a successful call.
pub(crate) struct Answer {
    /// Whether the semaphore that the caller now owns was taken from an owner that had stopped.
    pub(crate) owner_died: bool,
    /// r1 and r2.
    pub(crate) values: [u32; 2],
}
