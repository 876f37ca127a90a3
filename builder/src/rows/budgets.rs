//! The rows of budgets: what jobs and threads may use, where that is enforced.

use beryl_kernel::{Budget, ComesBack, OnSpent, Rank, Rule};

use super::Row;
use crate::assembly::{Assembly, Thread, lenders, ranks};
use crate::description::{self, OnOverrun};
use crate::load::woken;
use crate::project::Project;

/// A row for each thread; none at all if no thread has a budget.
pub(super) fn budgets(project: &Project) -> Vec<Row<Budget>> {
    let assembly = &project.assembly;
    if !assembly.has_budgets() {
        return Vec::new();
    }
    let row = |thread: &Thread| {
        let hold = narrow(project.enforced(lenders::longest_section(assembly, thread)));
        let own = match &thread.budget {
            Some(_) => of_periods(assembly, thread),
            None => of_jobs(thread),
        };
        let woken = thread.budget.map_or(0, |_| narrow(woken(project, thread)));
        Row::new(&thread.name, own.map_or(Budget::NONE, |own| Budget { hold, woken, ..own }))
    };
    assembly.threads.iter().map(row).collect()
}

/// A row for each thread; none at all if all budgets are deferrable.
pub(super) fn rules(project: &Project) -> Vec<Row<Rule>> {
    let rule = |thread: &Thread| {
        Row::new(&thread.name, thread.budget.map_or(Rule::Deferrable, |budget| budget.rule))
    };
    let assembly = &project.assembly;
    if assembly.has_rules() { assembly.threads.iter().map(rule).collect() } else { Vec::new() }
}

/// What each job may use, if anything is done about that.
fn of_jobs(thread: &Thread) -> Option<Budget> {
    let reaction = match thread.on_overrun {
        OnOverrun::Counts => return None,
        OnOverrun::Tells => OnSpent::Tell,
        OnOverrun::EndsJob => OnSpent::EndJob,
        OnOverrun::Faults => OnSpent::Stop,
    };
    Some(Budget { amount: narrow(thread.worst.ticks()), reaction, ..Budget::NONE })
}

/// What a thread may use in every period.
fn of_periods(assembly: &Assembly, thread: &Thread) -> Option<Budget> {
    let budget = thread.budget?;
    let reaction = match budget.on_spent {
        description::OnSpent::Lowers | description::OnSpent::Waits => OnSpent::Lower,
        // The kernel doesn't ask what else shall be done where a deadline is put off.
        description::OnSpent::Tells | description::OnSpent::PutsOff => OnSpent::Tell,
        description::OnSpent::Faults => OnSpent::Stop,
    };
    let background = ranks::background(assembly, thread).map_or(Budget::NONE.background, Rank::fixed);
    let (amount, every) = (narrow(budget.amount.ticks()), narrow(budget.every.ticks()));
    // Of those who share one, the purse has it back for all.
    let comes_back = if budget.is_counted() { ComesBack::Every(every) } else { ComesBack::WithJobs };
    Some(Budget { amount, comes_back, reaction, background, ..Budget::NONE })
}

/// The description was checked: what it says is less than the kernel can count.
fn narrow(ticks: u64) -> u32 {
    u32::try_from(ticks).unwrap_or(u32::MAX >> 2).min(u32::MAX >> 2)
}
