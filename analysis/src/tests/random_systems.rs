//! Random systems, each from the seed that names it.

use super::*;

/// Steele, Lea and Flood's SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn within(&mut self, range: std::ops::RangeInclusive<u64>) -> u64 {
        range.start() + self.next() % (range.end() - range.start() + 1)
    }

    pub fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.within(0..=choices.len() as u64 - 1)).unwrap()]
    }

    fn task(&mut self, name: String) -> Task {
        let period = self.one_of(&[4, 5, 6, 8, 10, 12, 15, 20]);
        let deadline = ticks(self.within(period / 2..=period));
        Task {
            deadline,
            priority: u32::try_from(self.within(0..=3)).unwrap(),
            ..task(&name, period, self.within(1..=period / 3))
        }
    }

    pub fn band(&mut self, policy: Policy) -> Band {
        let tasks = (0..self.within(1..=3)).map(|index| self.task(format!("t{index}"))).collect();
        band(policy, tasks)
    }

    /// One or two bands, up to two drivers; all start together, and the kernel costs nothing.
    pub fn system(&mut self) -> System {
        let policies = [Policy::Dynamic, Policy::Fixed];
        let bands = (0..self.within(1..=2)).map(|_| {
            let policy = self.one_of(&policies);
            self.band(policy)
        });
        let bands = bands.collect();
        let interference = (0..self.within(0..=2)).map(|index| Interference {
            name: format!("d{index}"),
            period: ticks(self.one_of(&[5, 10, 12])),
            worst: ticks(1),
            ..Interference::default()
        });
        System { bands, interference: interference.collect(), ..System::default() }
    }

    /// The same with offsets, and with times finer by `scale` so that kernel costs are small by comparison.
    pub fn system_with_offsets_and_costs(&mut self, scale: u64) -> System {
        let mut system = self.system();
        for task in system.bands.iter_mut().flat_map(|band| &mut band.tasks) {
            task.offset = ticks(self.within(0..=20) * scale);
            for time in [&mut task.period, &mut task.deadline, &mut task.worst] {
                *time = time.times(scale).unwrap();
            }
        }
        for driver in &mut system.interference {
            driver.offset = ticks(self.within(0..=20) * scale);
            driver.period = driver.period.times(scale).unwrap();
        }
        let costs = &mut system.costs;
        let parts = [&mut costs.release, &mut costs.completion, &mut costs.switch, &mut costs.instant];
        for cost in parts.into_iter().chain([&mut costs.driver, &mut costs.alarm]) {
            *cost = ticks(self.within(0..=1));
        }
        system
    }
}
