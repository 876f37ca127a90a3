//! The rows of budgets: what jobs may use, where that is enforced.

use beryl_kernel::{Budget, OnSpent};

use super::Row;
use crate::assembly::{Thread, lenders};
use crate::description::OnOverrun;
use crate::project::Project;

/// A row for each thread; none at all if no thread has a budget.
pub(super) fn budgets(project: &Project) -> Vec<Row<Budget>> {
    let assembly = &project.assembly;
    if !assembly.has_budgets() {
        return Vec::new();
    }
    let row = |thread: &Thread| {
        let hold = lenders::longest_section(assembly, thread).ticks();
        Row::new(&thread.name, budget(thread, u32::try_from(hold).unwrap_or(Budget::LONGEST)))
    };
    assembly.threads.iter().map(row).collect()
}

fn budget(thread: &Thread, hold: u32) -> Budget {
    let reaction = match thread.on_overrun {
        OnOverrun::Counts => return Budget::NONE,
        OnOverrun::Tells => OnSpent::Tell,
        OnOverrun::EndsJob => OnSpent::EndJob,
        OnOverrun::Faults => OnSpent::Stop,
    };
    // The description was checked: it is less than the kernel can count.
    let amount = u32::try_from(thread.worst.ticks()).unwrap_or(Budget::LONGEST);
    Budget { amount, reaction, hold: hold.min(Budget::LONGEST), ..Budget::NONE }
}
