//! The rows of depths of sleep.

use beryl_kernel::Depth;

use super::Row;
use crate::assembly::Sleep;
use crate::project::Project;

/// A row for each depth beside the lightest. The alarm that ends a sleep comes so early that the kernel is done
/// with it, too, when the next instant comes.
pub(super) fn depths(project: &Project) -> Vec<Row<Depth>> {
    let row = |sleep: &Sleep| {
        let early = ticks(sleep.wake.ticks().saturating_add(project.costs.timer));
        let least = ticks(sleep.least.ticks()).max(early.saturating_add(1));
        Row::new(&sleep.name, Depth { wake: ticks(sleep.wake.ticks()), early, least })
    };
    project.assembly.sleeps.iter().map(row).collect()
}

/// The description was checked: the kernel can count as many.
fn ticks(ticks: u64) -> u32 {
    u32::try_from(ticks).unwrap_or(u32::MAX - 1)
}
