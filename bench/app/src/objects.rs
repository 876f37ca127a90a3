//! What the kernel's objects cost, as `./x bench` measures it on the board.
//!
//! Each measurement has threads of its own. Their priorities put the measurements in order: one is over when
//! its threads have stopped or wait for ever. Nothing is released by time here, so nothing disturbs a sample.

mod endpoints;
mod event_groups;
#[cfg(target_arch = "arm")]
mod interrupts;
mod locks;
mod mailboxes;
mod polls;
mod semaphores;
mod states;

pub use endpoints::{ask, ask_across, ask_in_time, serve};
pub use event_groups::{group_alone, group_source, group_waiter};
#[cfg(target_arch = "arm")]
pub use interrupts::{device_server, idle_server, interrupted};
pub use locks::{lock, lock_user};
pub use mailboxes::{mailbox_long, mailbox_receiver, mailbox_sender, mailbox_short};
pub use polls::polls;
pub use semaphores::{holder, pair, pair_across, pair_user, resource_user, waiter, waker};
pub use states::{state_reader, state_slow_reader, state_writer, wide_slow_reader, wide_writer};

use bench_board::around;
use beryl_user::call;
use beryl_user::notification::{Notification, Notifier};

/// How often everything is measured.
const SAMPLES: u32 = 1000;

/// Thread, the least urgent: all is measured.
pub fn end_of_objects(mut over: Notification) -> ! {
    if over.wait().is_err() {
        crate::failed();
    }
    bench_board::end()
}

/// Thread, in place of the last one that an interrupt wakes, on boards that haven't the devices for these: says that all
/// is over.
pub fn uninterrupted(mut over: Notifier) -> ! {
    over.notify();
    call::stop()
}

/// Measures `body` often, and stops the thread.
#[inline(always)]
fn repeat(case: &str, mut body: impl FnMut()) -> ! {
    for _ in 0..SAMPLES {
        around(&mut body).print(case);
    }
    call::stop()
}
