//! The bodies of threads, from their entry on: a task's jobs, or an idle loop.

use crate::{call, platform};

/// Runs `job` once for each release, for ever: the body of a task's thread.
pub fn run(mut job: impl FnMut()) -> ! {
    // step boundary: what lies between two rounds is a job
    loop {
        platform::contain(&mut job);
        call::complete();
    }
}

/// Runs the code of a thread that isn't a task, which never returns.
#[inline(always)]
pub fn thread(body: impl FnOnce()) -> ! {
    platform::contain(body);
    call::stop()
}

/// Sleeps until something happens, for ever: the body of the idle thread. The simulator needs none, since its
/// processor can be idle without help.
#[cfg(target_os = "none")]
pub fn idle() -> ! {
    loop {
        platform::sleep();
    }
}

/// The same on a board that can sleep more or less deep: the kernel says each time how deep it may be.
#[cfg(target_os = "none")]
pub fn sleep() -> ! {
    loop {
        call::yield_now();
        platform::sleep();
    }
}
