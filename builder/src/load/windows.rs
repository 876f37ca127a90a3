//! Windows of partitions, as the analysis has them, and what the kernel does where they end.

use beryl_analysis::partitions::{Frame, Partition};
use beryl_analysis::{Interference, Lock, Ticks};

use super::locks_in_place;
use super::pools::counted_bands;
use crate::assembly::{Assembly, Stretch};
use crate::costs::{Costed, Kind};

/// The frame; nothing, if no band belongs to a partition.
pub(super) fn frame(costed: &Costed) -> Option<Frame> {
    let assembly = &costed.assembly;
    let locks = locks_in_place(costed);
    let window = |stretch: &Stretch| {
        let [from, lasts] = [stretch.from, stretch.lasts].map(|time| Ticks::new(time.ticks()));
        Some((from, lasts, stretch.partition?))
    };
    assembly.has_partitions().then(|| Frame {
        length: Ticks::new(assembly.frame.length().ticks()),
        windows: assembly.frame.windows.iter().filter_map(window).collect(),
        partitions: (0..assembly.frame.partitions.len())
            .map(|number| partition(assembly, &locks, number))
            .collect(),
    })
}

fn partition(assembly: &Assembly, locks: &[Lock], number: usize) -> Partition {
    let counted = counted_bands(assembly);
    let is_its = |band: usize| assembly.bands.get(band).is_some_and(|band| band.partition == Some(number));
    let top = (0..assembly.bands.len()).find(|band| is_its(*band)).unwrap_or(assembly.bands.len());
    let uses = |lock: &Lock| {
        let users = lock.users.iter().filter_map(|user| assembly.threads.get(user.thread));
        users.map(|thread| assembly.partition_of(thread)).any(|partition| partition == Some(number))
    };
    Partition {
        name: assembly.frame.partitions[number].clone(),
        bands: (0..counted.len()).filter(|position| is_its(counted[*position])).collect(),
        first: counted.iter().filter(|band| **band < top).count(),
        locks: (0..locks.len()).filter(|lock| uses(&locks[*lock])).collect(),
    }
}

/// What the kernel does where windows end: a timer goes off, and whoever comes first then gets the processor.
pub(crate) fn ends_of_windows(costed: &Costed) -> Option<Interference> {
    let (assembly, costs) = (&costed.assembly, &costed.costs);
    let ends = u64::try_from(assembly.frame.windows.len()).unwrap_or(u64::MAX);
    // The step in which a timer goes off is charged as a release, which the description may say takes longer.
    let release = costs.charges.release.ticks().saturating_sub(costs.steps(Kind::Release, 1));
    let others = [release, costs.steps(Kind::Decision, 1), costs.kernel.switch.get()];
    let each = others.into_iter().fold(costs.timer, u64::saturating_add);
    assembly.has_partitions().then(|| Interference {
        name: "ends of windows".to_owned(),
        period: Ticks::new(assembly.frame.length().ticks()),
        worst: Ticks::new(each.saturating_mul(ends)),
        is_sporadic: true,
        ..Default::default()
    })
}
