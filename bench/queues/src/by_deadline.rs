//! The kernel's queue for dynamic bands: a ring in the order of deadlines. Here a place is looked for to the
//! end; the kernel looks at a few places a step.

use beryl_abi::{Instant, ThreadId};
use beryl_kernel::Table;

use crate::kernel_rings as rings;
use crate::scheduling::thread::ThreadState;
use crate::{NOBODY, Queue, TASKS};

/// A band of the kernel, and its threads.
pub struct RingByDeadline {
    /// Who is due first, or nobody.
    first: ThreadId,
    threads: [ThreadState; TASKS],
    deadlines: [Instant; TASKS],
}

impl Queue for RingByDeadline {
    const NAME: &'static str = "ring-by-deadline";

    fn new(_tasks: u8) -> RingByDeadline {
        let alone = ThreadState { next: ThreadId::NONE, previous: ThreadId::NONE };
        RingByDeadline {
            first: ThreadId::NONE,
            threads: [alone; TASKS],
            deadlines: [Instant::from_ticks(0); TASKS],
        }
    }

    #[inline(always)]
    fn block(&mut self, task: u8) {
        if rings::remove(&mut self.first, &mut self.threads, ThreadId(task)) {
            self.first = ThreadId::NONE;
        }
    }

    #[inline(always)]
    fn unblock(&mut self, task: u8, deadline: Instant) {
        let (task, first) = (ThreadId(task), self.first);
        *self.deadlines.at_mut(task.index()) = deadline;
        if !first.is_some() {
            return rings::begin(&mut self.first, &mut self.threads, task);
        }
        let deadlines = &self.deadlines;
        let is_before = |other: ThreadId| {
            let others = *deadlines.at(other.index());
            deadline < others || deadline == others && task.0 < other.0
        };
        if is_before(first) {
            rings::push(first, &mut self.threads, task);
            self.first = task;
            return;
        }
        let search = rings::Search::behind(first, &self.threads);
        if let Ok(before) = search.look(&self.threads, TASKS, is_before) {
            rings::put_behind(before, &mut self.threads, task);
        }
    }

    #[inline(always)]
    fn select(&self) -> u8 {
        if self.first.is_some() { self.first.0 } else { NOBODY }
    }
}
