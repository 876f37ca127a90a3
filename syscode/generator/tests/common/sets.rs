//! Random sets of tasks, and who runs in a trace of the reference machine, tick by tick.

use beryl_generator::{Task, TaskSet};
use beryl_reference::{Entry, Event};
use beryl_testing::{Draw, XorShiftStar as Random};

pub fn who_runs(trace: &[Entry], until: u64) -> Vec<Option<usize>> {
    let mut entries = trace.iter().peekable();
    let mut running = None;
    let tick = |now: u64| {
        while let Some(entry) = entries.next_if(|entry| entry.at <= now) {
            match entry.event {
                Event::Start(task) | Event::Resume(task) => running = Some(task),
                Event::Preempt(_) | Event::Complete(_) | Event::Stop(_) => running = None,
                _ => {}
            }
        }
        running
    };
    (0..until).map(tick).collect()
}

pub fn random_set(seed: u64) -> TaskSet {
    let mut random = Random::new(seed);
    let periods = [[8, 8, 16, 32], [6, 12, 12, 24], [10, 20, 30, 60], [4, 6, 12, 12]][random.below(4)];
    let count = 2 + random.below(3);
    let task = |(index, period): (usize, u64)| Task {
        name: format!("t{index}"),
        period,
        bound: random.within(1, period / 2),
    };
    TaskSet::new("m", periods.into_iter().take(count).enumerate().map(task).collect())
}
