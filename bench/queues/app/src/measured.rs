//! A queue whose every operation is a sample.

use bench_board::{Tally, enclosed};
use beryl_abi::Instant;
use beryl_queues::{NOBODY, Queue};

/// A queue, and what its operations took.
pub struct Measured<Q> {
    queue: Q,
    block: Tally,
    unblock: Tally,
    select: Tally,
}

impl<Q: Queue> Measured<Q> {
    /// Nothing was measured yet.
    pub fn new(queue: Q) -> Measured<Q> {
        Measured { queue, block: Tally::new(), unblock: Tally::new(), select: Tally::new() }
    }

    /// A task blocks, and who comes next is selected.
    pub fn block(&mut self, task: u8) {
        let (sample, _) = enclosed(block::<Q>, &mut self.queue, task.into(), 0);
        self.block.add(sample);
        self.select();
    }

    /// A task becomes ready, and who comes next is selected.
    pub fn unblock(&mut self, task: u8, deadline: u32) {
        let (sample, _) = enclosed(unblock::<Q>, &mut self.queue, task.into(), deadline.into());
        self.unblock.add(sample);
        self.select();
    }

    fn select(&mut self) {
        let (sample, first) = enclosed(select::<Q>, &mut self.queue, 0, 0);
        // An empty queue is skipped, which isn't what the tables are about.
        if first != NOBODY.into() {
            self.select.add(sample);
        }
    }

    /// Prints what everything took until now.
    pub fn print(&self, tasks: u8, workload: &str) {
        for (operation, tally) in
            [("block", &self.block), ("unblock", &self.unblock), ("select", &self.select)]
        {
            tally.print(format_args!("{}/{operation}/{tasks}/{workload}", Q::NAME));
        }
    }
}

extern "C" fn block<Q: Queue>(queue: &mut Q, task: u32, _deadline: u64) -> u32 {
    queue.block(task as u8);
    0
}

extern "C" fn unblock<Q: Queue>(queue: &mut Q, task: u32, deadline: u64) -> u32 {
    queue.unblock(task as u8, Instant::from_ticks(deadline));
    0
}

extern "C" fn select<Q: Queue>(queue: &mut Q, _task: u32, _deadline: u64) -> u32 {
    queue.select().into()
}
