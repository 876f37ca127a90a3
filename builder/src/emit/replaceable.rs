//! The rows of processes that can be replaced in `tables.rs`, with what another one has to have in common with them.

use beryl_kernel::Replaceable;
use sha2::{Digest, Sha256};

use super::process::process as glue;
use crate::emit::source::Source;
use crate::identity::Identity;
use crate::project::Project;
use crate::rows::Row;

/// The rows of all processes, with their layouts.
pub(super) fn replaceable(project: &Project, rows: &[Row<Replaceable>]) -> Vec<String> {
    let row = |(index, row): (usize, &Row<Replaceable>)| {
        let layout = if row.row.size > 0 { layout(project, index) } else { [0; 2] };
        Row { name: row.name.clone(), row: Replaceable { layout, ..row.row } }.source()
    };
    rows.iter().enumerate().map(row).collect()
}

/// What a process has in common with the image that it is a part of: its name, its glue, with all numbers and addresses
/// of what it is given, and where its memory and its rooms are. Only one with the same can take its place.
#[must_use]
pub fn layout(project: &Project, process: usize) -> [u32; 2] {
    let mut hash = Sha256::new();
    hash.update(project.assembly.processes[process].name.as_bytes());
    hash.update(glue(project, process, Identity::NONE).as_bytes());
    let place = &project.plan.processes[process];
    let intervals = [place.memory.region.interval, place.ports, place.journal, place.rooms.region.interval];
    let numbers = intervals.into_iter().flat_map(|interval| [interval.base, interval.limit]);
    numbers.for_each(|number| hash.update(number.to_le_bytes()));
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(hash.finalize());
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}
