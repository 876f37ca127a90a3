//! What is there already, and what isn't: nobody waits, and nobody is waited for.

use bench_board::around;

use beryl_user::call::{self, CallError};
use beryl_user::mailbox::{Receiver, Sender};
use beryl_user::notification::{Notification, Notifier};
use beryl_user::semaphore::Counting;
use beryl_user::time::Wait;

use crate::failed;
use crate::objects::SAMPLES;

/// Thread: finds its notification set, and a semaphore and a mailbox empty.
#[inline(always)]
pub fn polls(
    mut there: Notification,
    mut sets: Notifier,
    mut void: Counting,
    mut nothing: Receiver<[i32; 2]>,
    _sends: Sender<[i32; 2]>,
) -> ! {
    for _ in 0..SAMPLES {
        sets.notify();
        around(|| succeed(there.wait().is_ok())).print("notification/there");
        around(|| succeed(there.wait_for(Wait::Poll) == Err(CallError::WouldBlock)))
            .print("notification/poll");
        around(|| succeed(void.wait_for(Wait::Poll) == Err(CallError::WouldBlock))).print("semaphore/poll");
        around(|| succeed(nothing.try_receive() == Err(CallError::WouldBlock))).print("mailbox/poll");
    }
    call::stop()
}

#[inline(always)]
fn succeed(is_right: bool) {
    if !is_right {
        failed();
    }
}
