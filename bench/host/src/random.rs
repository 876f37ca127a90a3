//! Random lists of tasks, the same on every machine.

use beryl_analysis::{Sporadic, Ticks};

/// Steele, Lea and Flood's SplitMix64.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// One of the numbers from `least` to `most`.
    pub fn within(&mut self, least: u64, most: u64) -> u64 {
        least + self.next() % (most - least + 1)
    }
}

/// Tasks with implicit deadlines that share `percent` of the processor, the shortest period first. Periods are 5 to 1000 times
/// 100 ticks.
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
