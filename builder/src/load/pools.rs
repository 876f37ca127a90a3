//! Pools: threads with jobs that share a budget, as the analysis has them.

use beryl_analysis::servers::Server;
use beryl_analysis::servers::pools::{Member, Pool};
use beryl_analysis::{self as analysis, Interference, TaskIndex, Ticks};

use super::tasks::{jobs, name};
use super::wake_ups::woken;
use crate::assembly::{Assembly, Role, Thread, Use};
use crate::costs::Costed;

/// The bands that the analysis is given, by their numbers: those with jobs or budgets.
pub(super) fn counted_bands(assembly: &Assembly) -> Vec<usize> {
    let is_counted = |thread: &Thread| thread.is_member() || super::task(thread).is_some();
    let has_some = |band: &usize| assembly.threads.iter().any(|row| row.band == *band && is_counted(row));
    (0..assembly.bands.len()).filter(has_some).collect()
}

/// The pools with members that have jobs, in a system with these bands.
pub(crate) fn pools(costed: &Costed, bands: &[analysis::Band]) -> Vec<Pool> {
    let assembly = &costed.assembly;
    let purses = assembly.threads.iter().filter(|thread| thread.is_purse());
    let with_jobs = purses.filter(|purse| assembly.payers(purse).into_iter().any(Thread::is_member));
    with_jobs.filter_map(|purse| pool(costed, bands, purse)).collect()
}

fn pool(costed: &Costed, bands: &[analysis::Band], purse: &Thread) -> Option<Pool> {
    let assembly = &costed.assembly;
    let budget = purse.enforced_budget()?;
    let payers = assembly.payers(purse);
    let counted = counted_bands(assembly);
    let member = |thread: &&Thread| {
        let band = counted.iter().position(|band| *band == thread.band)?;
        let waits = woken(costed, thread).saturating_mul(waits(thread));
        let overhead = Ticks::new(costed.behind_job(thread).saturating_add(waits));
        Some(Member { band, task: analysis::Task { overhead, ..jobs(thread)? } })
    };
    // With what is left somebody may begin to wait. Each line may come once while nothing is left, and once more where
    // its thread is less urgent than who runs: it is closed until that has run.
    let last = payers.iter().filter(|payer| waits(payer) > 0).map(|payer| woken(costed, payer)).max();
    let closed =
        payers.iter().map(|payer| woken(costed, payer).saturating_mul(lines(payer)).saturating_mul(2));
    let charged = closed.chain(last);
    let others = assembly.threads.iter().filter(|thread| thread.name != purse.name);
    let others = others.filter(|thread| thread.enforced_budget().is_some_and(|budget| budget.is_counted()));
    Some(Pool {
        server: place(bands, &name(assembly, purse))?,
        budget: Server::new(Ticks::new(budget.amount.ticks()), Ticks::new(budget.every.ticks())),
        owed: Ticks::new(charged.fold(costed.owed(&payers), u64::saturating_add)),
        is_charged: payers.iter().any(|payer| waits(payer) > 0),
        waking: others.filter_map(|thread| place(bands, &name(assembly, thread))).collect(),
        members: payers.iter().filter(|payer| payer.is_member()).filter_map(member).collect(),
    })
}

fn place(bands: &[analysis::Band], name: &str) -> Option<TaskIndex> {
    let places = bands.iter().enumerate();
    let mut found = places.filter_map(|(band, row)| {
        let task = row.tasks.iter().position(|task| task.name == name)?;
        Some(TaskIndex { band, task })
    });
    found.next()
}

/// How often a thread may be charged for waking, in each job: for its next wake-up, and once for each thing that it may
/// wait for with a limit.
fn waits(thread: &Thread) -> u64 {
    may_wait_for(thread).saturating_add(u64::from(matches!(thread.role, Role::Free { .. })))
}

/// For how many things that it uses a thread may wait.
pub(crate) fn may_wait_for(thread: &Thread) -> u64 {
    let is_told =
        |used: &Use| matches!(used, Use::Receive(_) | Use::Await(_) | Use::AwaitBits(_) | Use::Interrupt(_));
    let may_wait = |used: &&Use| {
        is_told(used)
            || matches!(
                used,
                Use::Semaphore(_) | Use::Condition(_) | Use::Call(_) | Use::Serve(_) | Use::Send(_)
            )
    };
    u64::try_from(thread.uses.iter().filter(may_wait).count()).unwrap_or(u64::MAX)
}

fn lines(thread: &Thread) -> u64 {
    let lines = thread.uses.iter().filter(|used| matches!(used, Use::Interrupt(_))).count();
    u64::try_from(lines).unwrap_or(u64::MAX)
}

/// What the kernel does above all bands for each job of a member, beside the steps of a wake-up: it is released, and
/// whoever runs makes way for it. A task that isn't in a pool has that counted with its jobs.
pub(crate) fn releases(costed: &Costed, thread: &Thread) -> Option<Interference> {
    let kernel = costed.costs.kernel;
    let made_way = [kernel.release, kernel.switch, kernel.switch].into_iter();
    let (distance, entered) = match &thread.role {
        Role::Periodic(times) => (times.period, vec![kernel.alarm, kernel.instant]),
        Role::Free { sporadic: Some(times), .. } => (times.separation.minus(times.jitter), Vec::new()),
        _ => return None,
    };
    thread.is_member().then(|| Interference {
        name: format!("releases of {}", thread.name),
        period: Ticks::new(distance.ticks().max(1)),
        worst: Ticks::new(made_way.chain(entered).map(Ticks::get).fold(0, u64::saturating_add)),
        is_sporadic: true,
        ..Default::default()
    })
}
