//! Where a thread is in an IPC.

use beryl_abi::{Instant, ThreadId};
use beryl_kernel::Rank;

use crate::ipc::From;
use crate::kernel_queue::Queue;
use crate::slices::Slice;

/// The state of a thread.
///
/// ```text
///            no partner                      taken, nothing to receive
///   Ready ----- send ----> Sending -----------------------------> Ready
///     |                       | taken, receives as well
///     |   nobody sends        v            a message
///     +----- receive ----> Receiving -----------------------------> Ready
///
///   Halted: a line's thread without anything to deliver
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ThreadState {
    /// The next in the ring of its priority.
    pub(crate) next: ThreadId,
    /// The one before it there.
    pub(crate) previous: ThreadId,
    /// The next in the queue in which it waits.
    pub(crate) behind: ThreadId,
    /// The kernel's queues ask for it in dynamic bands, which aren't here.
    pub(crate) deadline: Instant,
    pub(crate) rank: Rank,
    pub(crate) phase: Phase,
    /// What it receives from when its message is taken.
    pub(crate) then: Option<From>,
    /// Whether it stands in the queue of ready threads.
    pub(crate) is_queued: bool,
    /// Whether it blocked in this step.
    pub(crate) has_just_blocked: bool,
    /// Who waits to send to it.
    pub(crate) senders: Queue,
    /// Whose message it took last.
    pub(crate) heard: ThreadId,
    /// The words of its message.
    pub(crate) words: u8,
    /// Its notification bits.
    pub(crate) bits: u32,
    pub(crate) slice: Slice,
    /// What is left of its slice, in microseconds.
    pub(crate) left: i32,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Wants the processor, or has it.
    Ready,
    /// Waits until this thread takes its message.
    Sending(ThreadId),
    /// Waits for a message.
    Receiving(From),
    /// Takes no part.
    Halted,
}

impl ThreadState {
    pub(crate) const HALTED: ThreadState = ThreadState {
        next: ThreadId::NONE,
        previous: ThreadId::NONE,
        behind: ThreadId::NONE,
        deadline: Instant::NEVER,
        rank: Rank::fixed(31),
        phase: Phase::Halted,
        then: None,
        is_queued: false,
        has_just_blocked: false,
        senders: Queue::EMPTY,
        heard: ThreadId::NONE,
        words: 0,
        bits: 0,
        slice: Slice::FOREVER,
        left: 0,
    };

    #[inline(always)]
    pub(crate) const fn rank(&self) -> Rank {
        self.rank
    }

    #[inline(always)]
    pub(crate) fn is_ready(&self) -> bool {
        self.phase == Phase::Ready
    }

    /// Whether a message of this thread would reach it at once.
    #[inline(always)]
    pub(crate) fn receives_from(&self, sender: ThreadId) -> bool {
        match self.phase {
            Phase::Receiving(From::Anybody) => true,
            Phase::Receiving(From::Thread(thread)) => thread == sender,
            _ => false,
        }
    }
}
