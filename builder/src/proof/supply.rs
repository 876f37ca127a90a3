//! The supply of a module with a slot: what its programs have of the processor, whichever of them runs.
//!
//! A program that arrives is checked with these numbers (`arrival`), on the target as in the tools. What others take, and
//! what the module's own drivers and the kernel take at each of its instants, is lost to its tasks; the kernel's steps for a job
//! are part of the job.

use std::collections::BTreeMap;

use beryl_abi::Duration;
use beryl_analysis::{Interference, Ticks};
use beryl_syscode::Container;
use beryl_syscode::check::time::{Loss, Policy, Task};
use beryl_syscode::check::weight::{Costs, Weight};

use super::{
    Kind, after_job, around_code, common, completions, costs, deferred_work, dispatches, driver_time,
    program_steps, steps, steps_of_instants, system, task, wake_ups,
};
use crate::Project;
use crate::assembly::{Activity, Assembly, Mode, Module, Role, Switch, Thread};
use crate::code::Program;
use crate::emit::container::container;
use crate::emit::slots::{bodies, is_used};

/// What a module's programs have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Supply {
    /// All delays of its programs are numbers of this, in ticks.
    pub grain: u32,
    /// For each task of the image the longest time of a job, with the kernel's steps for it, and its rank.
    pub times: Vec<Task>,
    /// Who runs of each rank.
    pub policies: Vec<Policy>,
    /// What each driver of the image takes, with the kernel's steps for it.
    pub drivers: Vec<u32>,
    /// What any other instruction takes.
    pub instruction: u32,
    /// The most that the code of one instant may take.
    pub most: u32,
    /// The most of that that threads may take; as much behind each completion of a job.
    pub threads: u32,
    /// What is lost; first, to the instants of the module itself, and to what is less urgent.
    pub losses: Vec<Loss>,
}

impl Supply {
    /// As the check of weight wants it.
    #[must_use]
    pub fn costs(&self) -> Costs<'_> {
        let Supply { instruction, most, threads, .. } = *self;
        Costs { drivers: &self.drivers, instruction, most, threads }
    }
}

/// Where a program has a thread, it is begun in front of the module's own code, to which a jump leads.
const BEGINS: u64 = 2;

/// The supply of the module of a slot. What isn't proved of a system isn't in it either; `unproved` lists that.
#[must_use]
pub fn supply(project: &Project, slot: usize) -> Supply {
    let assembly = &project.assembly;
    let bodies = bodies(assembly, slot);
    let Some(module) = assembly.modules.iter().position(|module| module.slot == Some(slot)) else {
        return Supply::default();
    };
    let modes = bodies.iter().flat_map(|body| &body.modes);
    let grain = modes.flat_map(Mode::rhythms).map(Duration::ticks).reduce(common).unwrap_or(1);
    let ranks = ranks(assembly, module);
    let threads = threads(project, slot);
    let times = assembly.tasks().map(|(thread, own)| {
        let rank = ranks.iter().position(|rank| *rank == key(assembly, thread.band, thread.place));
        let rank = if own.module == module { rank } else { None };
        let each = each_job(project, thread).saturating_add(if own.module == module { threads } else { 0 });
        Task {
            bound: narrow(thread.worst.ticks().saturating_add(each)),
            rank: rank.and_then(|rank| u8::try_from(rank).ok()).unwrap_or(0),
        }
    });
    let is_dynamic =
        |band: usize| matches!(assembly.bands[band].policy, crate::assembly::Policy::Dynamic { .. });
    let policies = ranks.iter().map(|(band, _)| match is_dynamic(*band) {
        true => Policy::EarliestDeadline,
        false => Policy::FixedPriority,
    });
    let drivers = assembly.drivers.iter().map(|row| narrow(driver_time(project, row)));
    let mut supply = Supply {
        grain: narrow(grain),
        times: times.collect(),
        policies: policies.collect(),
        drivers: drivers.collect(),
        instruction: narrow(instruction(project)),
        most: u32::MAX - 1,
        threads: narrow(threads),
        losses: Vec::new(),
    };
    let around = around_code(project);
    // An instant of any program may have each driver once, and more if one of those that are known does more.
    let used = (0..assembly.drivers.len()).filter(|index| is_used(assembly, &bodies, *index));
    let each = used.map(|index| driver_time(project, &assembly.drivers[index]));
    // Its steps are as long as what they are weighed with.
    let own = around.saturating_add(instruction(project).saturating_mul(program_steps(project)));
    let usual = each.fold(costs(project).instant.get().max(own), u64::saturating_add);
    let code = usual.max(around.saturating_add(heaviest(project, module, &supply.costs()).into()));
    // An event may come right behind an instant on time (`weight`): then there is room for both, with what is done around each.
    let times = if assembly.event_triggers() > 0 { 2 } else { 1 };
    let code = code.saturating_sub(around).saturating_mul(times);
    let begins = if threads > 0 { instruction(project).saturating_mul(BEGINS) } else { 0 };
    let most = code.saturating_add(threads).saturating_add(begins);
    supply.most = narrow(most);
    let instant = most.saturating_add(around.saturating_mul(times));
    supply.losses = losses(project, slot, module, grain, instant);
    supply
}

/// How many blocks of a thread an instant may take: the one that ends, the next, and the first.
const BLOCKS: u64 = 3;

/// What threads of S code that programs of a slot have may take at an instant, and behind a completion: those that are made of a recorded
/// period do no more, as the check of weight counts them.
#[must_use]
pub(super) fn threads(project: &Project, slot: usize) -> u64 {
    let assembly = &project.assembly;
    let Some(band) = assembly.objects.slots.get(slot).and_then(|row| row.offers) else { return 0 };
    let instructions = assembly.longest_block(&bodies(assembly, slot), band);
    let instructions = u64::try_from(instructions).unwrap_or(u64::MAX).saturating_mul(BLOCKS);
    // Each is rounded up by itself, as where they are weighed.
    instruction(project).saturating_mul(instructions)
}

/// What an instruction of a program of a slot is weighed with, in ticks: an event is counted with some of them, the interrupt among these.
fn instruction(project: &Project) -> u64 {
    let kind = if project.assembly.event_triggers() > 0 { Kind::Job } else { Kind::Reaction };
    steps(project, kind, 1)
}

/// What the threads of a slot's programs cost everything else: at each instant of the module, and behind each job of what is offered.
pub(super) fn takers(project: &Project, slot: usize) -> Vec<Interference> {
    let assembly = &project.assembly;
    let (Some(module), Some(band)) = (assembly.module_of(slot), assembly.objects.slots[slot].offers) else {
        return Vec::new();
    };
    let worst = Ticks::new(threads(project, slot));
    let grain = bodies(assembly, slot).into_iter().map(instants).reduce(common).unwrap_or(1);
    let own = assembly.tasks().filter(|(thread, task)| thread.band == band && task.module == module);
    let jobs = own.map(|(thread, task)| (thread.name.as_str(), task.separation.ticks()));
    let name = assembly.modules[module].name.as_str();
    let rows = jobs.chain([(name, grain)]);
    let row = |(name, period)| Interference {
        name: format!("threads for {name}"),
        period: Ticks::new(period),
        worst,
        ..Default::default()
    };
    rows.map(row).collect()
}

/// What the heaviest instant of the module's known programs takes.
fn heaviest(project: &Project, module: usize, costs: &Costs<'_>) -> u32 {
    let others = project.assembly.alternatives.iter().zip(&project.alternatives);
    let others = others.filter(|(row, _)| row.module == module).map(|(_, program)| program);
    let known = project.programs.get(module).into_iter().chain(others);
    let weight = |program: &Program| {
        let bytes = container(&project.assembly, program);
        let container = Container::read(&bytes).ok()?;
        Weight::BEGIN.run(&container, costs, &mut vec![u32::MAX; container.length()]).ok()
    };
    known.filter_map(weight).max().unwrap_or(0)
}

/// Bands of the module's tasks, and in fixed ones their priorities, the most urgent first.
fn ranks(assembly: &Assembly, module: usize) -> Vec<(usize, u8)> {
    let own = assembly.tasks().filter(|(_, task)| task.module == module);
    let ranks: std::collections::BTreeSet<_> =
        own.map(|(thread, _)| key(assembly, thread.band, thread.place)).collect();
    ranks.into_iter().collect()
}

/// The band, and in a fixed one how far the priority is from the highest.
fn key(assembly: &Assembly, band: usize, place: u8) -> (usize, u8) {
    match assembly.bands[band].policy {
        crate::assembly::Policy::Fixed => (band, u8::MAX - place),
        _ => (band, 0),
    }
}

/// What the kernel does for a job of a thread, in ticks.
fn each_job(project: &Project, thread: &Thread) -> u64 {
    let costs = costs(project);
    let each = [costs.release, costs.completion, costs.switch, costs.switch, costs.alarm];
    each.into_iter().fold(after_job(project, thread), |sum, cost| sum.saturating_add(cost.get()))
}

fn losses(project: &Project, slot: usize, module: usize, grain: u64, instant: u64) -> Vec<Loss> {
    let assembly = &project.assembly;
    let bodies = bodies(assembly, slot);
    let modes = bodies.iter().flat_map(|body| &body.modes);
    let periods: Vec<_> = modes.map(|mode| mode.period.ticks()).collect();
    // A program takes over where a period ends: what divides all periods begins with it.
    let loss = |period: u64, worst: u64, begins_at_zero: bool| Loss {
        period: narrow(period),
        worst: narrow(worst),
        is_in_step: begins_at_zero && periods.iter().all(|whole| whole.is_multiple_of(period.max(1))),
    };
    let own = costs(project).alarm.get().saturating_add(instant).saturating_add(blocking(project));
    let mut losses = vec![loss(grain, own, true)];
    for (index, other) in assembly.modules.iter().enumerate() {
        if index == module {
            continue;
        }
        // After a switch, what divides all periods need not begin with them any more.
        let is_regular = other.is_regular();
        for (every, part) in parts(other) {
            let drivers = (0..assembly.drivers.len()).filter(|index| is_used(assembly, &[&part], *index));
            let worst = drivers
                .map(|index| driver_time(project, &assembly.drivers[index]))
                .fold(0, u64::saturating_add);
            losses.push(loss(every.ticks(), worst, is_regular));
        }
        let each = costs(project).alarm.get().saturating_add(costs(project).instant.get());
        losses.push(loss(instants(other), each, is_regular));
    }
    let last =
        assembly.tasks().filter(|(_, task)| task.module == module).map(|(thread, _)| thread.band).max();
    for row in &assembly.asynchronous {
        let used = row.drivers().chain(publisher(assembly, row.task));
        let worst =
            used.map(|index| driver_time(project, &assembly.drivers[index])).fold(0, u64::saturating_add);
        let each = costs(project).alarm.get().saturating_add(costs(project).instant.get());
        let instants = each.saturating_mul(2).saturating_add(steps(project, Kind::Job, 1));
        losses.push(loss(row.separation.ticks(), worst.saturating_add(instants), false));
    }
    for (index, thread) in assembly.threads.iter().enumerate() {
        let is_asynchronous = assembly.asynchronous.iter().any(|row| row.task == index);
        let is_own = matches!(&thread.role, Role::Task(task) if task.module == module) && !is_asynchronous;
        let (Some(row), false) = (task(thread), is_own) else { continue };
        // Below all of them, only the kernel's steps count.
        let is_above = last.is_none_or(|last| thread.band <= last);
        let work = if is_above { row.worst.get() } else { 0 };
        let is_regular = match &thread.role {
            Role::Task(task) => assembly.modules.get(task.module).is_some_and(Module::is_regular),
            _ => true,
        };
        let is_in_step = row.offset.get() == 0 && is_regular && !is_asynchronous && !row.is_sporadic;
        let distance = row.period.less(row.jitter);
        // A timer's instant ends with a look into the queues.
        let look = if matches!(thread.role, Role::Periodic(_)) { steps_of_instants(project, 1) } else { 0 };
        let each = each_job(project, thread).saturating_add(look);
        losses.push(loss(distance.get(), work.saturating_add(each), is_in_step));
    }
    let deferred_work = assembly.threads.iter().filter_map(|thread| deferred_work(project, thread));
    let awake = assembly.threads.iter().filter_map(|thread| wake_ups(project, thread));
    let schedules = assembly.bands_by_code().filter_map(|band| dispatches(project, band));
    let entered = assembly.tasks().filter_map(|(thread, task)| completions(project, thread, task));
    let others = assembly.offers().filter(|(other, _)| *other != slot);
    let taken = others.flat_map(|(other, _)| takers(project, other));
    let rows = deferred_work.chain(schedules).chain(awake).chain(entered).chain(taken);
    losses.extend(rows.map(|row| loss(row.period.get(), row.worst.get(), false)));
    joined(losses, MOST_LOSSES)
}

/// How long what is less urgent holds up the module's tasks, what the kernel is at for it among that: once in each of their busy periods, so
/// once in each grain that has a part of one is enough. Times that can't be counted with hold up for ever.
fn blocking(project: &Project) -> u64 {
    system(project).longest_blocking().map_or(u64::MAX, Ticks::get)
}

/// Rows of losses are numbered by a byte.
const MOST_LOSSES: usize = 256;

/// At most so many rows that take no less: those behind the first with one period become one, and if that isn't enough, those with the
/// longest periods come as often as the shortest of them.
fn joined(losses: Vec<Loss>, most: usize) -> Vec<Loss> {
    if losses.len() <= most {
        return losses;
    }
    let mut rows: BTreeMap<(u32, bool), u32> = BTreeMap::new();
    for row in losses.iter().skip(1) {
        let worst = rows.entry((row.period, row.is_in_step)).or_default();
        *worst = worst.saturating_add(row.worst);
    }
    let rows = rows.into_iter().map(|((period, is_in_step), worst)| Loss { period, worst, is_in_step });
    let mut rows: Vec<_> = losses.first().copied().into_iter().chain(rows).collect();
    while rows.len() > most.max(2)
        && let (Some(long), Some(short)) = (rows.pop(), rows.last_mut())
    {
        *short =
            Loss { period: short.period, worst: short.worst.saturating_add(long.worst), is_in_step: false };
    }
    rows
}

/// The driver that publishes a task's outputs.
fn publisher(assembly: &Assembly, thread: usize) -> Option<usize> {
    match &assembly.threads[thread].role {
        Role::Task(task) => task.publisher,
        _ => None,
    }
}

/// A module with one of its activities or switches in all, for each of them, with the time from one to the next.
fn parts(module: &Module) -> Vec<(Duration, Module)> {
    let only = |mode: &Mode, activities: Vec<Activity>, switches: Vec<Switch>| {
        let mode = Mode { activities, switches, ..mode.clone() };
        Module { modes: vec![mode], ..module.clone() }
    };
    let parts = module.modes.iter().flat_map(|mode| {
        let activities = mode.activities.iter();
        let activities = activities.map(move |one| (one.every(), only(mode, vec![one.clone()], Vec::new())));
        let switches = mode.switches.iter();
        activities.chain(switches.map(move |one| (one.every, only(mode, Vec::new(), vec![one.clone()]))))
    });
    parts.collect()
}

/// The shortest time between two instants of a module.
fn instants(module: &Module) -> u64 {
    module.modes.iter().flat_map(Mode::rhythms).map(Duration::ticks).reduce(common).unwrap_or(1)
}

/// As 32 bits; what is longer, is as long as that: too long for any check.
fn narrow(ticks: u64) -> u32 {
    u32::try_from(ticks).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::{Loss, joined};

    #[test]
    fn joined_losses_take_no_less() {
        let row = |period, worst, is_in_step| Loss { period, worst, is_in_step };
        let all = vec![
            row(7, 3, true),
            row(10, 1, true),
            row(10, 2, true),
            row(10, 4, false),
            row(30, 5, true),
            row(20, 6, true),
        ];
        assert_eq!(joined(all.clone(), 6), all, "as many as there may be stay as they are");
        let five = [row(7, 3, true), row(10, 4, false), row(10, 3, true), row(20, 6, true), row(30, 5, true)];
        assert_eq!(joined(all.clone(), 5), five);
        assert_eq!(joined(all.clone(), 3), [row(7, 3, true), row(10, 4, false), row(10, 14, false)]);
        assert_eq!(joined(all, 1), [row(7, 3, true), row(10, 18, false)], "the module's own stay alone");
        let large = vec![row(1, 1, true), row(5, u32::MAX, true), row(5, 1, true)];
        assert_eq!(joined(large, 2), [row(1, 1, true), row(5, u32::MAX, true)]);
    }
}
