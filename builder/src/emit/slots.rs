//! The rows of slots in `tables.rs`: what other programs of a module may name.

use beryl_kernel::ProgramSlot;
use beryl_syscode::check::admission::Terms;

use crate::project::Project;
use crate::rows::Row;
use crate::supply::Asked;

/// The rows of all slots, with their terms.
pub(super) fn slots(project: &Project, rows: &[Row<ProgramSlot>]) -> Vec<String> {
    let slots = rows.iter().zip(&project.assembly.objects.slots).zip(&project.supplies).enumerate();
    let row = |(index, ((row, slot), supply)): (usize, ((&Row<ProgramSlot>, _), _))| {
        let asked = Asked::of(&project.assembly, &project.programs, index);
        let ProgramSlot { processes, base, size, .. } = row.row;
        let terms = in_source(&asked.terms(slot, supply));
        format!(
            "/* {} */ ProgramSlot {{ processes: {processes:#x}, base: {base}, size: {size}, terms: {terms} }}",
            row.name
        )
    };
    slots.map(row).collect()
}

/// Terms as the kernel's table has them.
fn in_source(terms: &Terms<'_>) -> String {
    format!(
        "Terms {{ interface: {:#010x}, rights: Rights {{ tasks: &{:?}, drivers: &{:?} }}, lines: &[{}], ports: {}, \
         triggers: {}, threads: {}, certified_only: {}, grain: {}, times: &[{}], policies: &[{}], \
         costs: Costs {{ drivers: &{:?}, instruction: {}, most: {}, threads: {} }}, losses: &[{}] }}",
        terms.interface,
        terms.rights.tasks,
        terms.rights.drivers,
        listed(terms.lines.iter().map(|line| format!("Line({})", line.0))),
        terms.ports,
        terms.triggers,
        terms.threads,
        terms.certified_only,
        terms.grain,
        listed(terms.times.iter().map(|task| format!("time::{task:?}"))),
        listed(terms.policies.iter().map(|policy| format!("time::Policy::{policy:?}"))),
        terms.costs.drivers,
        terms.costs.instruction,
        terms.costs.most,
        terms.costs.threads,
        listed(terms.losses.iter().map(|loss| format!("time::{loss:?}"))),
    )
}

fn listed(rows: impl Iterator<Item = String>) -> String {
    rows.collect::<Vec<_>>().join(", ")
}
