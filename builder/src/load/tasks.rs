//! Tasks: threads whose jobs the analysis can count, and those whose budgets it can.

use beryl_abi::Duration;
use beryl_analysis::servers::{Policy, Server};
use beryl_analysis::{self as analysis, Ticks};
use beryl_kernel::Rule;

use super::unpaid::unpaid;
use super::wake_ups::woken;
use crate::assembly::{Assembly, Budget, Module, Role, Thread, Trigger};
use crate::costs::Costed;

/// A thread whose jobs the analysis can count, or its budget.
pub(crate) fn task(thread: &Thread) -> Option<analysis::Task> {
    match thread.enforced_budget() {
        Some(budget) => budget.is_counted().then(|| server(thread, &budget)),
        None => jobs(thread),
    }
}

/// The jobs of a thread, if it has some.
pub(super) fn jobs(thread: &Thread) -> Option<analysis::Task> {
    let (period, offset, deadline) = match &thread.role {
        // Only another program of its module releases it.
        Role::Task(task) if task.logical == Duration::FOREVER => return None,
        Role::Task(task) => (task.separation, Duration::ZERO, task.due(task.logical)),
        Role::Periodic(times) => (times.period, times.offset, times.deadline),
        Role::Free { deadline, sporadic: Some(times), .. } => {
            let deadline = deadline.unwrap_or(times.separation).min(times.separation);
            (times.separation, Duration::ZERO, deadline)
        }
        _ => return None,
    };
    let ticks = |duration: Duration| Ticks::new(duration.ticks());
    let backlog = match &thread.role {
        Role::Periodic(times) => times.catch_up.into(),
        _ => 0,
    };
    let spread = match &thread.role {
        // A task that the image's program doesn't invoke has no longest time of its own; another program gives it one.
        Role::Task(task) if task.longest != Duration::FOREVER => {
            ticks(task.due(task.longest)).less(ticks(task.due(task.logical)))
        }
        _ => Ticks::new(0),
    };
    let sporadic = match &thread.role {
        Role::Free { sporadic, .. } => *sporadic,
        _ => None,
    };
    Some(analysis::Task {
        name: thread.name.clone(),
        period: ticks(period),
        offset: ticks(offset),
        deadline: ticks(deadline),
        spread,
        backlog,
        best: ticks(thread.best),
        worst: ticks(thread.job()),
        priority: thread.most().into(),
        overhead: Ticks::ZERO,
        is_sporadic: sporadic.is_some(),
        is_out_of_step: false,
        jitter: sporadic.map_or(Ticks::ZERO, |times| ticks(times.jitter)),
        is_share: false,
    })
}

/// The task that stands for a budget: it comes once a period, as late as it may have been kept. That the whole
/// budget can be used within a period of when it could be is its deadline.
fn server(thread: &Thread, budget: &Budget) -> analysis::Task {
    let ticks = |duration: Duration| Ticks::new(duration.ticks());
    let policy = match budget.rule {
        Rule::Deferrable => Policy::Deferrable,
        Rule::Sporadic => Policy::Sporadic { pending: Rule::REPLENISHMENTS },
        Rule::Polling => Policy::Polling,
        Rule::ConstantBandwidth => Policy::Bandwidth,
    };
    let row = policy.as_task(&Server::new(ticks(budget.amount), ticks(budget.every)));
    analysis::Task {
        name: thread.name.clone(),
        period: row.period,
        deadline: Ticks::new(row.deadline.get().saturating_add(row.jitter.get())),
        backlog: if budget.is_bandwidth() { 0 } else { 1 },
        worst: row.worst,
        is_share: budget.is_bandwidth(),
        priority: thread.most().into(),
        is_sporadic: true,
        jitter: row.jitter,
        ..analysis::Task::default()
    }
}

/// The same with what its module says of its releases. They have no known distance from those of other tasks if the
/// module switches modes or uses slots, or if something else than time releases the task.
fn in_its_module(costed: &Costed, thread: &Thread) -> Option<analysis::Task> {
    let assembly = &costed.assembly;
    let asynchronous =
        assembly.asynchronous.iter().find(|row| assembly.threads[row.task].name == thread.name);
    let is_out_of_step = match &thread.role {
        Role::Task(task) => {
            let is_regular = assembly.modules.get(task.module).is_some_and(Module::is_regular);
            !is_regular || asynchronous.is_some()
        }
        _ => false,
    };
    let task = task(thread)?;
    // An interrupt finds the processor asleep. What is sporadic has that among its jitter already.
    let is_woken = asynchronous.is_some_and(|row| matches!(row.trigger, Trigger::Interrupt(_)));
    let wake = if is_woken { assembly.longest_wake().ticks() } else { 0 };
    let jitter = Ticks::new(task.jitter.get().saturating_add(wake));
    Some(analysis::Task { is_out_of_step, jitter, ..task })
}

/// The same where it stands.
pub(super) fn in_band(costed: &Costed, thread: &Thread) -> Option<analysis::Task> {
    let task = in_its_module(costed, thread)?;
    // What was charged when a budget was all but used up is a debt to the next one, to each who pays from it.
    let payers = costed.assembly.payers(thread).into_iter().filter(|payer| payer.budget.is_some());
    let owed = payers.map(|payer| woken(costed, payer)).fold(0, u64::saturating_add);
    let overhead = costed.ends(thread).saturating_add(owed).saturating_add(unpaid(costed, thread));
    Some(analysis::Task { overhead: Ticks::new(overhead), name: name(&costed.assembly, thread), ..task })
}

/// What a thread's jobs, or its budget, are called in the proof: the budget that it shares isn't its own, if it has jobs.
pub(super) fn name(assembly: &Assembly, thread: &Thread) -> String {
    let pool = thread.budget.and_then(|budget| budget.pool).filter(|_| thread.is_member());
    match pool.and_then(|pool| assembly.sharing.get(pool.shared)) {
        Some(name) => format!("budget of {name}"),
        None => thread.name.clone(),
    }
}
