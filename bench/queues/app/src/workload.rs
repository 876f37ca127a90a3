//! Who blocks and becomes ready, and in which order.

use beryl_queues::Queue;

use crate::measured::Measured;

/// Steps of the random workload.
const STEPS: u32 = 400;
/// Deadlines are below this.
const LATEST: u32 = 1 << 20;

/// Tasks block and become ready at random: half of them are ready, and deadlines have nothing to do with
/// numbers. Ends with nobody ready.
pub fn random<Q: Queue>(queue: &mut Measured<Q>, tasks: u8) {
    let mut seed = 2_463_534_242;
    let mut ready = 0_u128;
    for _ in 0..STEPS {
        let task = (next(&mut seed) % u32::from(tasks)) as u8;
        match ready & 1 << task {
            0 => queue.unblock(task, next(&mut seed) % LATEST),
            _ => queue.block(task),
        }
        ready ^= 1 << task;
    }
    (0..tasks).filter(|task| ready & 1 << task != 0).for_each(|task| queue.block(task));
}

/// All become ready at one instant, the least urgent first, and run to completion in their order: for lists,
/// each task of the list is more urgent than all in front of it.
pub fn together<Q: Queue>(queue: &mut Measured<Q>, tasks: u8) {
    (0..tasks).rev().for_each(|task| queue.unblock(task, LATEST - u32::from(task)));
    (0..tasks).for_each(|task| queue.block(task));
}

/// Only the least urgent task is ready, and the most urgent comes and goes.
pub fn ends<Q: Queue>(queue: &mut Measured<Q>, tasks: u8) {
    let last = tasks.saturating_sub(1);
    queue.unblock(last, LATEST);
    queue.unblock(0, 0);
    queue.block(0);
    queue.block(last);
}

/// Marsaglia's generator of 32 bits, shifts 13, 17, 5.
fn next(seed: &mut u32) -> u32 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    *seed
}
