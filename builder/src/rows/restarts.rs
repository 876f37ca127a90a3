//! The rows of restarts: how often processes begin anew after a fault.

use beryl_kernel::Restart;

use super::Row;
use crate::assembly::Process;
use crate::project::Project;

/// A row for each process; none at all if none begins anew.
pub(super) fn restarts(project: &Project) -> Vec<Row<Restart>> {
    let assembly = &project.assembly;
    let row = |process: &Process| Row::new(&process.name, process.restarts.unwrap_or(Restart::NONE));
    match assembly.has_restarts() {
        true => assembly.processes.iter().map(row).collect(),
        false => Vec::new(),
    }
}
