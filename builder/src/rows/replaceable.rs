//! The rows of processes that can be replaced: where their rooms are. What has to fit follows from
//! their glue, which whoever fills tables knows.

use beryl_kernel::Replaceable;

use super::Row;
use crate::project::Project;

/// A row for each process; none at all if none can be replaced.
pub(super) fn replaceable(project: &Project) -> Vec<Row<Replaceable>> {
    let assembly = &project.assembly;
    let row = |(index, process): (usize, &crate::assembly::Process)| {
        let found = assembly.objects.replaceable.iter().find(|row| row.process == index);
        let row = found.map_or(Replaceable::NONE, |found| Replaceable {
            writers: found.writers,
            rooms: project.plan.processes[index].room_addresses(),
            size: found.size,
            layout: [0; 2],
        });
        Row::new(&process.name, row)
    };
    match assembly.has_replaceable() {
        true => assembly.processes.iter().enumerate().map(row).collect(),
        false => Vec::new(),
    }
}
