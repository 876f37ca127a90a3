//! The code of the systems that `./x bench` measures on the board. Counted there, so elsewhere it is empty.
//!
//! A module is a system; its `beryl.toml`, or the description that `./x bench` writes, names these functions.
//! Apart from here stand the applications that link more than the user's library: `bench/check` the checkers
//! and their programs, `bench/queues/app` the queues, with the kernel's own among them, and `bench/drained` an
//! example with the drain. What a system doesn't name isn't linked.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(target_os = "none")]

#[cfg(target_arch = "arm")]
mod jobs;
#[cfg(target_arch = "arm")]
mod machine;
#[cfg(target_arch = "arm")]
mod metric;
mod objects;
#[cfg(target_arch = "arm")]
mod policing;
mod rings;
#[cfg(target_arch = "arm")]
mod sections;
#[cfg(target_arch = "arm")]
mod semaphores;
mod system;
#[cfg(target_arch = "arm")]
mod traced;
#[cfg(target_arch = "arm")]
mod votes;

pub use bench_board::end;
#[cfg(target_arch = "arm")]
pub use jobs::{job, meter};
#[cfg(target_arch = "arm")]
pub use machine::hand_on;
#[cfg(target_arch = "arm")]
pub use metric::calibrate;
pub use objects::{
    ask, ask_across, ask_in_time, end_of_objects, group_alone, group_source, group_waiter, holder, lock,
    lock_user, mailbox_long, mailbox_receiver, mailbox_sender, mailbox_short, pair, pair_across, pair_user,
    polls, resource_user, serve, state_reader, state_slow_reader, state_writer, uninterrupted, waiter, waker,
    wide_slow_reader, wide_writer,
};
#[cfg(target_arch = "arm")]
pub use objects::{device_server, idle_server, interrupted};
#[cfg(target_arch = "arm")]
pub use policing::{
    Watched, ask_job, enter_job, hear, listen, never_answer, own, own_job, spin, spin_among_1, spin_among_2,
    spin_among_5, spin_among_10, spin_among_20, spin_among_30, spin_among_50, spin_job, stay_inside,
    stay_inside_job, wake_often,
};
pub use rings::{go_round, hear_rings};
#[cfg(target_arch = "arm")]
pub use sections::{calls_around, locks_around, user, woken};
#[cfg(target_arch = "arm")]
pub use semaphores::{
    contender, dynamic_3, dynamic_5, dynamic_10, dynamic_15, dynamic_20, dynamic_25, dynamic_30, filler,
    fixed_3, fixed_5, fixed_10, fixed_15, fixed_20, fixed_25, fixed_30,
};
pub use system::{calls, released_impl, releases, same_process, two_processes};
#[cfg(target_arch = "arm")]
pub use traced::{measure, measure_journal, measure_logged};
#[cfg(target_arch = "arm")]
pub use votes::votes;

/// A call failed: says so, which no measurement survives, and stops the thread.
#[cold]
#[inline(never)]
fn failed() -> ! {
    beryl_user::println!("a call failed");
    beryl_user::call::stop()
}
