//! Kernel work: what the kernel does for periodic threads, for programs at their instants, and for schedules.

use beryl_abi::Duration;
use beryl_analysis::{Interference, Ticks};

use crate::assembly::{Mode, Module, Policy, Role, Task, Thread};
use crate::costs::{Costed, Kind, promised};

/// What the programs of regular modules take at their instants. Each instant is already counted with one program,
/// so this is about the others. An instant that several programs have is counted once.
pub(super) fn programs(costed: &Costed) -> impl Iterator<Item = Interference> {
    let regular = costed.assembly.modules.iter().filter(|module| module.is_regular());
    let worst = Ticks::new(costed.costs.another_program);
    regular.skip(1).flat_map(move |module| {
        let mut rhythms: Vec<u64> =
            module.modes.iter().flat_map(Mode::rhythms).map(Duration::ticks).collect();
        rhythms.sort_unstable();
        let mut kept: Vec<u64> = Vec::new();
        for every in rhythms {
            if !kept.iter().any(|shorter| every.is_multiple_of(*shorter)) {
                kept.push(every);
            }
        }
        let name = format!("program of {}", module.name);
        let row = move |every| Interference {
            name: name.clone(),
            period: Ticks::new(every),
            worst,
            ..Default::default()
        };
        kept.into_iter().map(row)
    })
}

/// What it costs if the completions of a task enter its program, which publishes outputs, asks whether a release is owed, or feeds
/// readers: copies are counted as drivers. Behind that, triggers look at ports. Where an asynchronous task only publishes, that is counted
/// with its instants.
pub(crate) fn completions(costed: &Costed, thread: &Thread, task: &Task) -> Option<Interference> {
    const STEPS: u64 = 4;
    let assembly = &costed.assembly;
    let is_asynchronous = |name: &str| {
        let place = assembly.threads.iter().position(|row| row.name == name);
        place.is_some_and(|place| assembly.is_asynchronous(place))
    };
    let publishes =
        task.publisher.is_some() && assembly.publishes_at_completion && !is_asynchronous(&thread.name);
    if !publishes && task.reaction.catch_up.is_none() && task.feeds.is_empty() {
        return None;
    }
    let count = STEPS.saturating_add(costed.costs.looks);
    let (period, worst) =
        (Ticks::new(task.separation.ticks()), Ticks::new(costed.costs.steps_of_instants(count)));
    Some(Interference {
        name: format!("completions of {}", thread.name),
        period,
        worst,
        ..Default::default()
    })
}

/// The instants of a module that switches modes or uses slots. Two of them may be as close together as the shortest
/// distance in any of its rhythms, and none needs to coincide with instants of other modules.
pub(super) fn instants(costed: &Costed, module: &Module) -> Option<Interference> {
    let rhythms = module.modes.iter().flat_map(Mode::rhythms);
    let every = rhythms.map(Duration::ticks).reduce(common)?;
    let costs = costed.costs.kernel;
    let worst = Ticks::new(costs.alarm.get().saturating_add(costs.instant.get()));
    let name = format!("instants of {}", module.name);
    Some(Interference { name, period: Ticks::new(every), worst, ..Default::default() })
}

/// The kernel's steps for a block of a band's schedule, at each instant at which one of its tasks is released: to
/// select the thread, for each dispatch and its completion, to idle, to begin anew, and for the decision.
/// Triggers look at ports whenever the schedule's thread has gone on: where the block begins, and behind each
/// dispatch.
pub(crate) fn dispatches(costed: &Costed, band: usize) -> Option<Interference> {
    const OTHERS: u64 = 8;
    const DISPATCH: u64 = 4;
    let members = || costed.assembly.tasks().filter(move |(thread, _)| thread.band == band);
    let count = u64::try_from(members().count()).unwrap_or(u64::MAX);
    let every = block(costed, band)?;
    let looks = costed.costs.looks;
    let each = count.saturating_mul(DISPATCH.saturating_add(looks));
    let worst = Ticks::new(costed.costs.steps_of_instants(each.saturating_add(OTHERS).saturating_add(looks)));
    let name = costed.assembly.schedule_name(band);
    Some(Interference { name, period: Ticks::new(every), worst, ..Default::default() })
}

/// The shortest block that a band's schedule can have: a slice, or the greatest common divisor of its tasks'
/// periods. All blocks are multiples of it.
pub(crate) fn block(costed: &Costed, band: usize) -> Option<u64> {
    let slice = costed.description.bands.get(band).and_then(|band| band.scheme.slice());
    if let Some(slice) = slice {
        return Some(slice.value.get() / u64::from(costed.tick().max(1)));
    }
    let members = costed.assembly.tasks().filter(|(thread, _)| thread.band == band);
    members.map(|(_, task)| task.logical.ticks()).reduce(common)
}

/// The greatest common divisor.
pub(crate) fn common(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { common(other, one % other) }
}

/// What a periodic thread's release costs beyond one step, as a row of its own. If the thread simply waits for its
/// release, that step also puts it into its band. If it was promised a semaphore, it takes it in a second step.
/// In a dynamic band, such a thread is woken in a step of its own, and so is one that makes up for releases. The
/// decision is that of the instant.
pub(crate) fn kernel_work(costed: &Costed, thread: &Thread) -> Option<Interference> {
    let Role::Periodic(times) = &thread.role else { return None };
    let assembly = &costed.assembly;
    let is_dynamic = !matches!(assembly.bands[thread.band].policy, Policy::Fixed);
    let promised = promised(assembly, thread);
    let is_woken = is_dynamic && (promised > 0 || times.catch_up > 0);
    let count = promised + u64::from(is_woken);
    let (period, worst) =
        (Ticks::new(times.period.ticks()), Ticks::new(costed.costs.steps(Kind::Job, count)));
    let row = Interference { name: format!("jobs of {}", thread.name), period, worst, ..Default::default() };
    (count > 0).then_some(row)
}
