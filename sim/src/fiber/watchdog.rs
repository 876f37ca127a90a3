//! The watchdog: a signal to a native thread that has used too much of its processor time.
//!
//! It counts processor time of that thread, not wall-clock time, so a busy machine doesn't set it off. It
//! looks a few times within the limit, by itself, so segments cost nothing. A segment that is still running
//! after that many looks is endless.

use std::io;
use std::mem;
use std::ptr;
use std::time::Duration;

use libc::{itimerspec, sigevent, timer_t, timespec};

use super::checked;

/// A timer on the processor time of one native thread.
pub(super) struct Watchdog {
    timer: timer_t,
}

/// How many times it looks within the limit.
pub(super) const LOOKS: u32 = 4;

impl Watchdog {
    /// A watchdog for this native thread, which looks while it exists; never if there is no limit.
    pub(super) fn new(limit: Duration) -> io::Result<Watchdog> {
        let between = limit / LOOKS;
        let seconds = libc::time_t::try_from(between.as_secs()).map_err(io::Error::other)?;
        let between = timespec { tv_sec: seconds, tv_nsec: between.subsec_nanos().into() };
        let setting = itimerspec { it_interval: between, it_value: between };
        // SAFETY: Both structures are plain data for which zero is valid; the pointers are valid.
        unsafe {
            let mut event: sigevent = mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = libc::SIGVTALRM;
            event.sigev_notify_thread_id = libc::gettid();
            let mut timer: timer_t = mem::zeroed();
            checked(libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut event, &raw mut timer))?;
            let watchdog = Watchdog { timer };
            checked(libc::timer_settime(timer, 0, &raw const setting, ptr::null_mut()))?;
            Ok(watchdog)
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // SAFETY: The timer exists and is deleted once.
        unsafe { libc::timer_delete(self.timer) };
    }
}
