//! Who is ready: a bit and a ring for each priority, as in the kernel's fixed bands.

use beryl_abi::ThreadId;
use beryl_kernel::Table;

use crate::THREADS;
use crate::kernel_rings as rings;
use crate::thread::ThreadState;

/// The heads of the rings; the members are linked through their rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ready {
    occupied: u32,
    heads: [ThreadId; 32],
}

type Threads = [ThreadState; THREADS];

impl Ready {
    pub(crate) const EMPTY: Ready = Ready { occupied: 0, heads: [ThreadId::NONE; 32] };

    /// The most urgent priority that holds somebody; 32 if none does.
    #[inline(always)]
    pub(crate) fn first_rank(&self) -> u8 {
        self.occupied.leading_zeros() as u8
    }

    /// The first of the most urgent priority. Somebody has to be there.
    #[inline(always)]
    pub(crate) fn first(&self) -> ThreadId {
        *self.heads.at(self.occupied.leading_zeros() as usize)
    }

    /// Behind all others of its priority.
    #[inline(always)]
    pub(crate) fn push(&mut self, threads: &mut Threads, thread: ThreadId) {
        let state = threads.at_mut(thread.index());
        state.is_queued = true;
        let rank = state.rank.number();
        let head = self.heads.at_mut(rank.into());
        match self.occupied & bit(rank) {
            0 => rings::begin(head, threads, thread),
            _ => rings::push(*head, threads, thread),
        }
        self.occupied |= bit(rank);
    }

    /// In front of all others of its priority.
    #[inline(always)]
    pub(crate) fn push_front(&mut self, threads: &mut Threads, thread: ThreadId) {
        self.push(threads, thread);
        let rank = threads.at(thread.index()).rank.number();
        *self.heads.at_mut(rank.into()) = thread;
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, threads: &mut Threads, thread: ThreadId) {
        let state = threads.at_mut(thread.index());
        state.is_queued = false;
        let rank = state.rank.number();
        if rings::remove(self.heads.at_mut(rank.into()), threads, thread) {
            self.occupied &= !bit(rank);
        }
    }
}

/// A rank's bit.
#[inline(always)]
const fn bit(rank: u8) -> u32 {
    (1 << 31) >> (rank & 31)
}
