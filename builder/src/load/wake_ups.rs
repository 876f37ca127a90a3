//! Wake-ups: what the kernel does until a thread that it doesn't release is ready, and for gates.

use beryl_analysis::{Interference, Ticks};

use super::tasks::task;
use crate::assembly::{Role, Thread, Use, lenders};
use crate::costs::{Costed, Steps, promised};

/// Steps of an interrupt that wakes a thread: the interrupt itself, and the thread's place. The decision comes later.
const OF_AN_INTERRUPT: u64 = 2;
/// The step in which the timer of a gate is set.
const OF_A_TIMER: u64 = 1;
/// Steps of what a gate lets through when it opens: a thread wakes, or a sender has room and wakes besides.
const WOKEN: u64 = 2;

/// The kernel's steps for a thread that becomes ready once, by a timer or by an interrupt, in ticks: the place of one
/// with a budget has that to pay.
pub(crate) fn woken(system: &Costed, thread: &Thread) -> u64 {
    let by_timer = system.costs.timer.saturating_add(system.end_of_wait(thread));
    let jobs = OF_AN_INTERRUPT.saturating_add(promised(&system.assembly, thread));
    by_timer.max(system.costs.ticks(Steps { jobs, sorting: 0, decisions: 1 }))
}

/// What it takes that a budget comes back: its timer, and the steps in which the places of all who share it return.
/// Parts of it may come back all at once.
pub(crate) fn replenishments(system: &Costed, thread: &Thread) -> Option<Interference> {
    let budget = thread.budget.filter(|budget| budget.is_counted() && budget.returns() > 0)?;
    let places = u64::try_from(system.assembly.payers(thread).len()).unwrap_or(u64::MAX);
    let sorting = places.saturating_mul(system.assembly.sorting_steps());
    let returns = system.costs.ticks(Steps { jobs: places, sorting, decisions: 1 });
    Some(Interference {
        name: format!("budget of {}", thread.name),
        period: Ticks::new(budget.every.ticks()),
        worst: Ticks::new(system.costs.timer.saturating_add(returns).saturating_mul(budget.returns())),
        is_sporadic: true,
        ..Default::default()
    })
}

/// The kernel's steps for a sporadic thread that becomes ready, without its release, which is counted for each job.
pub(crate) fn wake_ups(system: &Costed, thread: &Thread) -> Option<Interference> {
    let Role::Free { sporadic: Some(times), .. } = &thread.role else { return None };
    let distance = times.separation.ticks().saturating_sub(times.jitter.ticks()).max(1);
    let lines = thread.uses.iter().filter(|used| matches!(used, Use::Interrupt(_))).count();
    let lines = u64::try_from(lines).unwrap_or(u64::MAX);
    let promised = promised(&system.assembly, thread);
    let by_interrupt = match lines {
        0 => 0,
        // Others that come while it is awake only leave their bits.
        lines => {
            let jobs = OF_AN_INTERRUPT.saturating_add(promised).saturating_add(lines - 1);
            system.costs.ticks(Steps { jobs, sorting: 0, decisions: 1 })
        }
    };
    let all = system.costs.timer.saturating_add(by_interrupt.max(system.end_of_wait(thread)));
    Some(Interference {
        name: format!("wake-ups of {}", thread.name),
        period: Ticks::new(distance),
        worst: Ticks::new(all.saturating_sub(system.costs.charges.release.ticks())),
        is_sporadic: true,
        ..Default::default()
    })
}

/// What the kernel does when a gate opens: its timer is set in a step of its own, goes off, and what has waited passes.
/// Of a thread that isn't proved the interrupt itself is counted here; others have it among their wake-ups.
pub(crate) fn openings(system: &Costed) -> impl Iterator<Item = Interference> {
    let assembly = &system.assembly;
    assembly.objects.gates.iter().map(|gate| {
        let is_line = matches!(gate.before, Use::Interrupt(_));
        let users = lenders::users(assembly, gate.before);
        let threads = || users.iter().filter_map(|user| assembly.threads.get(*user));
        let promised = threads().map(|thread| promised(assembly, thread)).max().unwrap_or(0);
        let jobs = match (is_line, threads().any(|thread| task(thread).is_some())) {
            (true, true) => OF_A_TIMER,
            (true, false) => OF_A_TIMER + OF_AN_INTERRUPT + promised,
            (false, _) => OF_A_TIMER + WOKEN,
        };
        let steps = system.costs.ticks(Steps { jobs, sorting: assembly.sorting_steps(), decisions: 2 });
        Interference {
            name: format!("gate of {}", gate.name),
            period: Ticks::new(gate.separation.ticks()),
            worst: Ticks::new(system.costs.timer.saturating_add(steps)),
            is_sporadic: true,
            ..Default::default()
        }
    })
}
