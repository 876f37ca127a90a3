//! Random lists of tasks, the same on every machine.

use beryl_analysis::{Sporadic, Ticks};
use beryl_testing::{Draw, SplitMix64 as Random};

/// Tasks with implicit deadlines that share `percent` of the processor, the shortest period first. Periods
/// are 5 to 1000 times 100 ticks.
pub fn tasks(seed: u64, count: u64, percent: u64) -> Vec<Sporadic> {
    let mut random = Random(seed);
    let mut tasks: Vec<_> = (0..count)
        .map(|_| {
            let period = random.within(5, 1000) * 100;
            let share = random.within(percent * 5, percent * 15);
            Sporadic::implicit(Ticks::new(period), Ticks::new((period * share / 1000 / count).max(1)))
        })
        .collect();
    tasks.sort_by_key(|task| task.period);
    tasks
}
