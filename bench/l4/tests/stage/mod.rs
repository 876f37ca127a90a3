//! The threads of the tests, and how they come to where a case begins.
#![allow(dead_code, reason = "each test file needs other parts")]

use beryl_abi::ThreadId;
use beryl_kernel::Rank;
use beryl_l4::{Counts, Ipc, L4, Rules, Slice};

/// As in the paper: the thread that acts, whom it sends to, whom it receives from; and one more.
pub const A: ThreadId = ThreadId(1);
pub const B: ThreadId = ThreadId(2);
pub const C: ThreadId = ThreadId(3);
/// More urgent than all of them, and ready: it runs if the scheduler is asked.
pub const M: ThreadId = ThreadId(4);
/// The kernel's thread of a line.
pub const IRQ: ThreadId = ThreadId(5);

pub type Kernel<R> = L4<R, Counts>;

pub fn start<R: Rules>(kernel: &mut Kernel<R>, thread: ThreadId, rank: u8) {
    kernel.start(thread, Rank::fixed(rank), Slice::FOREVER);
}

/// A thread begins and blocks in this; nobody more urgent is ready.
pub fn blocked<R: Rules>(kernel: &mut Kernel<R>, thread: ThreadId, rank: u8, ipc: Ipc) {
    start(kernel, thread, rank);
    assert_eq!(kernel.running(), thread);
    kernel.ipc(ipc).expect("it is patient");
    assert_ne!(kernel.running(), thread);
}
