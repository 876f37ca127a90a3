//! The kernel's queue for fixed bands: a bit and a ring for each of 32 priorities. More tasks than
//! that share priorities, first come first served.

use beryl_abi::{Instant, ThreadId};
use beryl_kernel::Table;

use crate::kernel_rings as rings;
use crate::scheduling::thread::ThreadState;
use crate::{NOBODY, Queue, TASKS};

/// A band of the kernel, and its threads.
pub struct Rings {
    /// A bit for each priority that has somebody; the highest bit is the most urgent.
    occupied: u32,
    /// Who comes first in each priority, the most urgent first.
    heads: [ThreadId; 32],
    threads: [ThreadState; TASKS],
    /// Whose priority is which: 0 is the most urgent.
    ranks: [u8; TASKS],
}

impl Rings {
    /// The rank of a task in a band of `tasks` tasks: as many different ones as there can be.
    #[must_use]
    pub const fn rank(task: u8, tasks: u8) -> u8 {
        let tasks = if tasks < 32 { 32 } else { tasks as u32 };
        (task as u32 * 32 / tasks) as u8
    }
}

/// A rank's bit.
#[inline(always)]
const fn bit(rank: u8) -> u32 {
    (1 << 31) >> (rank & 31)
}

impl Queue for Rings {
    const NAME: &'static str = "rings";

    fn new(tasks: u8) -> Rings {
        let ranks = core::array::from_fn(|task| match u8::try_from(task) {
            Ok(task) if task < tasks => Rings::rank(task, tasks),
            _ => 0,
        });
        let alone = ThreadState { next: ThreadId::NONE, previous: ThreadId::NONE };
        Rings { occupied: 0, heads: [ThreadId::NONE; 32], threads: [alone; TASKS], ranks }
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        let rank = *self.ranks.at(task.into());
        if rings::remove(self.heads.at_mut(rank.into()), &mut self.threads, ThreadId(task)) {
            self.occupied &= !bit(rank);
        }
    }

    #[inline(always)]
    fn unblock(&mut self, task: u8, _deadline: Instant) {
        let rank = *self.ranks.at(task.into());
        let head = self.heads.at_mut(rank.into());
        match self.occupied & bit(rank) {
            0 => rings::begin(head, &mut self.threads, ThreadId(task)),
            _ => rings::push(*head, &mut self.threads, ThreadId(task)),
        }
        self.occupied |= bit(rank);
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        match self.occupied {
            0 => NOBODY,
            occupied => self.heads.at(occupied.leading_zeros() as usize).0,
        }
    }
}
