//! Random sets of periodic tasks.

use beryl_generator::{Task, TaskSet};
use beryl_testing::{Draw, XorShiftStar as Random};

pub fn random_set(seed: u64) -> TaskSet {
    let mut random = Random::new(seed);
    let periods = [[8, 8, 16, 32], [6, 12, 12, 24], [10, 20, 30, 60], [4, 6, 12, 12]][random.below(4)];
    let count = 2 + random.below(3);
    let task =
        |(index, period): (usize, u64)| Task::new(&format!("t{index}"), period, random.within(1, period / 2));
    TaskSet::new("m", periods.into_iter().take(count).enumerate().map(task).collect())
}

/// The same, but jobs of half of the tasks must be done before their period ends.
pub fn random_set_with_deadlines(seed: u64) -> TaskSet {
    let mut random = Random::new(seed ^ 0xDEAD);
    let tasks = random_set(seed).tasks.into_iter().map(|task| {
        let deadline = random.within(task.bound, 2 * task.period);
        task.due(deadline)
    });
    TaskSet::new("m", tasks.collect())
}
