//! Instants and durations of kernel time: the clock, sleeping, and how long to wait.

mod units;

use beryl_abi::call::{CallError, CallNumber, FOREVER, LONGEST_WAIT, Operand, POLL};

pub use beryl_abi::{Duration, Instant};
pub use units::{in_nanoseconds, microseconds, milliseconds, nanoseconds, seconds};

use crate::call;
#[cfg(target_arch = "arm")]
use crate::platform;
use crate::semaphore::{Binary, Held};

/// How long a call may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wait {
    /// Not at all: the call fails with [`CallError::WouldBlock`] instead.
    Poll,
    /// Without a time limit.
    Forever,
    /// For this long; then it fails with [`CallError::TimedOut`]. No time at all is the same as
    /// [`Wait::Poll`]; more than 2^30 ticks are refused with [`CallError::TooLong`].
    AtMost(Duration),
}

impl Wait {
    /// The word that the kernel takes for it.
    #[inline(always)]
    pub(crate) fn word(self) -> Result<u32, CallError> {
        match self {
            Wait::Poll => Ok(POLL),
            Wait::Forever => Ok(FOREVER),
            Wait::AtMost(duration) if duration.ticks() <= u64::from(LONGEST_WAIT) => {
                Ok(duration.ticks() as u32)
            }
            Wait::AtMost(_) => Err(CallError::TooLong),
        }
    }
}

/// Kernel time. A task's job that uses it is no longer a function of its ports.
#[must_use]
pub fn now() -> Instant {
    call::time()
}

/// The low 32 bits of kernel time, in ticks, when the board's clock has this count: which way that goes is the board's. For a
/// process on an Arm board that has the device `timer0` and reads it by itself.
#[cfg(target_arch = "arm")]
#[inline(always)]
#[must_use]
pub const fn elapsed(count: u32) -> u32 {
    platform::elapsed(count)
}

/// Sleeps until `instant`, however far away it is; returns at once if it is past.
///
/// # Errors
///
/// [`CallError::Raised`] inside a ceiling lock; [`CallError::WrongCaller`] on a driver thread.
pub fn sleep_until(instant: Instant) -> Result<(), CallError> {
    approach(instant)?;
    sleep_call(NO_SEMAPHORE, instant).map(drop)
}

/// Sleeps for `duration`.
///
/// # Errors
///
/// As [`sleep_until`].
pub fn sleep(duration: Duration) -> Result<(), CallError> {
    sleep_until(now().after(duration))
}

/// Sleeps until `instant` and returns owning `semaphore`: see [`Binary`].
///
/// # Errors
///
/// As [`sleep_until`]; then the semaphore isn't owned.
pub fn sleep_until_then<T>(instant: Instant, semaphore: &mut Binary<T>) -> Result<Held<'_, T>, CallError> {
    approach(instant)?;
    let answer = sleep_call(semaphore.after(Operand::NO_OBJECT), instant)?;
    Ok(semaphore.taken(&answer))
}

/// The object of a sleep, and no semaphore.
const NO_SEMAPHORE: Operand = Operand::object(Operand::NO_OBJECT);

/// Sleeps until a single call can reach `instant`.
fn approach(instant: Instant) -> Result<(), CallError> {
    while instant.since(now()) > Duration::from_ticks(u64::from(LONGEST_WAIT)) {
        sleep_call(NO_SEMAPHORE, instant)?;
    }
    Ok(())
}

fn sleep_call(operand: Operand, instant: Instant) -> Result<call::Answer, CallError> {
    let [low, high] = [instant.ticks() as u32, (instant.ticks() >> 32) as u32];
    call::attempt(CallNumber::SleepUntil, [Some(operand.0), Some(low), Some(high), None])
}
