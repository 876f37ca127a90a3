//! The watchdog: a signal to a native thread that has used too much of its processor time.
//!
//! It counts processor time of that thread, not time on a clock: a busy machine doesn't set it off.

use std::io;
use std::mem;
use std::ptr;
use std::time::Duration;

use libc::{itimerspec, sigevent, timer_t, timespec};

use super::checked;

/// A timer on the processor time of one native thread.
pub(super) struct Watchdog {
    timer: timer_t,
    limit: timespec,
}

const ZERO: timespec = timespec { tv_sec: 0, tv_nsec: 0 };

impl Watchdog {
    /// A watchdog for this native thread, not yet started.
    pub(super) fn new(limit: Duration) -> io::Result<Watchdog> {
        let seconds = libc::time_t::try_from(limit.as_secs()).map_err(io::Error::other)?;
        let limit = timespec { tv_sec: seconds, tv_nsec: limit.subsec_nanos().into() };
        // SAFETY: Both structures are plain data for which zero is valid; the pointers are valid.
        unsafe {
            let mut event: sigevent = mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = libc::SIGVTALRM;
            event.sigev_notify_thread_id = libc::gettid();
            let mut timer: timer_t = mem::zeroed();
            checked(libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut event, &raw mut timer))?;
            Ok(Watchdog { timer, limit })
        }
    }

    /// From now on, so much processor time and no more.
    pub(super) fn start(&self) {
        self.set(self.limit);
    }

    /// It was enough.
    pub(super) fn stop(&self) {
        self.set(ZERO);
    }

    fn set(&self, value: timespec) {
        let setting = itimerspec { it_interval: ZERO, it_value: value };
        // SAFETY: The timer exists until `drop`; the setting is valid.
        unsafe { libc::timer_settime(self.timer, 0, &raw const setting, ptr::null_mut()) };
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        // SAFETY: The timer exists and is deleted once.
        unsafe { libc::timer_delete(self.timer) };
    }
}
