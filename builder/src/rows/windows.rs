//! The rows of windows.

use beryl_kernel::{Budget, Thread, Window};

use super::Row;
use crate::project::Project;

/// A row for each window of the frame, in their order.
pub(super) fn windows(
    project: &Project,
    threads: &[Row<Thread>],
    budgets: &[Row<Budget>],
) -> Vec<Row<Window>> {
    let assembly = &project.assembly;
    let threads: Vec<Thread> = threads.iter().map(|row| row.row).collect();
    let budgets: Vec<Budget> = budgets.iter().map(|row| row.row).collect();
    let row = |window: &crate::assembly::Stretch| {
        let is_closed = |partition: Option<usize>| partition.is_some() && partition != window.partition;
        let closed = assembly.bands.iter().zip(0_u32..).filter(|(band, _)| is_closed(band.partition));
        let closed = closed.fold(0_u32, |bits, (_, number)| bits | 1_u32.checked_shl(number).unwrap_or(0));
        let name = window.partition.and_then(|partition| assembly.frame.partitions.get(partition));
        let lasts = u32::try_from(window.lasts.ticks()).unwrap_or(Window::LONGEST).min(Window::LONGEST);
        let eligible = Window::eligible_without(closed, &threads, &budgets);
        Row::new(name.map_or("nobody's", |name| name.as_str()), Window { lasts, eligible })
    };
    assembly.frame.windows.iter().map(row).collect()
}
