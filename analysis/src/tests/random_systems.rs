//! Random systems, each from the seed that names it.

use beryl_testing::{Draw, SplitMix64 as Random};

use super::*;

fn task_of(random: &mut Random, name: String) -> Task {
    let period = *random.one_of(&[4, 5, 6, 8, 10, 12, 15, 20]);
    let deadline = ticks(random.within(period / 2, period));
    Task {
        deadline,
        priority: u32::try_from(random.within(0, 3)).unwrap(),
        ..task(&name, period, random.within(1, period / 3))
    }
}

pub fn band_of(random: &mut Random, policy: Policy) -> Band {
    let tasks = (0..random.within(1, 3)).map(|index| task_of(random, format!("t{index}"))).collect();
    band(policy, tasks)
}

/// One or two bands, up to two drivers; all start together, and the kernel costs nothing.
pub fn system(random: &mut Random) -> System {
    let policies = [Policy::Dynamic, Policy::Fixed];
    let bands = (0..random.within(1, 2)).map(|_| {
        let policy = *random.one_of(&policies);
        band_of(random, policy)
    });
    let bands = bands.collect();
    let interference = (0..random.within(0, 2)).map(|index| Interference {
        name: format!("d{index}"),
        period: ticks(*random.one_of(&[5, 10, 12])),
        worst: ticks(1),
        ..Interference::default()
    });
    System { bands, interference: interference.collect(), ..System::default() }
}

/// As above, but with offsets, in a time finer by `scale` so that kernel costs are small against the rest.
pub fn system_with_offsets_and_costs(random: &mut Random, scale: u64) -> System {
    let mut system = system(random);
    for task in system.bands.iter_mut().flat_map(|band| &mut band.tasks) {
        task.offset = ticks(random.within(0, 20) * scale);
        for time in [&mut task.period, &mut task.deadline, &mut task.worst] {
            *time = time.times(scale).unwrap();
        }
    }
    for driver in &mut system.interference {
        driver.offset = ticks(random.within(0, 20) * scale);
        driver.period = driver.period.times(scale).unwrap();
    }
    let costs = &mut system.costs;
    let parts = [&mut costs.release, &mut costs.completion, &mut costs.switch, &mut costs.instant];
    for cost in parts.into_iter().chain([&mut costs.driver, &mut costs.alarm]) {
        *cost = ticks(random.within(0, 1));
    }
    system
}
