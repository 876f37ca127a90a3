//! What ready queues cost on the board: blocking, unblocking and selecting, for each structure and several
//! numbers of tasks; and contention for a semaphore on the paper's. Counted on the board, so elsewhere it is
//! empty.
#![no_std]
#![forbid(unsafe_code)]
#![cfg(target_arch = "arm")]

mod contention;
mod measured;
mod workload;

use beryl_queues::contention::Scheme;
use beryl_queues::{
    DispatchTables, Due, Heap, Moving, Queue, RingByDeadline, Rings, SortedList, Switching, UnsortedList,
    WinnerTree,
};

use measured::Measured;

/// Numbers of tasks. A winner tree's cost changes at powers of two only.
const TASKS: [u8; 12] = [5, 8, 10, 15, 20, 30, 40, 50, 60, 70, 85, 100];
/// The same for contention: the paper's.
const BANDS: [u8; 7] = [3, 5, 10, 15, 20, 25, 30];

/// Thread: measures everything.
pub fn queues() -> ! {
    for tasks in TASKS {
        measure::<UnsortedList>(tasks);
        measure::<SortedList>(tasks);
        measure::<Heap>(tasks);
        measure::<DispatchTables>(tasks);
        measure::<WinnerTree>(tasks);
        measure::<RingByDeadline>(tasks);
        measure::<Rings>(tasks);
    }
    for tasks in BANDS {
        contention::measure::<Moving>(tasks, Scheme::Standard);
        contention::measure::<Switching>(tasks, Scheme::Early);
        contention::measure::<Due>(tasks, Scheme::Standard);
        contention::measure::<Due>(tasks, Scheme::Early);
    }
    bench_board::end()
}

#[inline(never)]
fn measure<Q: Queue>(tasks: u8) {
    let mut queue = Measured::new(Q::new(tasks));
    workload::random(&mut queue, tasks);
    queue.print(tasks, "random");
    workload::together(&mut queue, tasks);
    workload::ends(&mut queue, tasks);
    queue.print(tasks, "all");
}
