//! The supply of a module with a slot: how much of the processor its programs have, whichever of them runs.
//!
//! An arriving program is checked with these numbers (`arrival`), on the target and by the tools. What others take
//! is lost to the module's tasks. So is what its own drivers and the kernel take at each of its instants. The
//! kernel's steps for a job are part of the job.

mod asked;
mod supplied;

pub use asked::Asked;
pub use supplied::Supply;

use std::collections::BTreeMap;
use std::ops::Deref;

use beryl_abi::Duration;
use beryl_analysis::Ticks;
use beryl_syscode::Container;
use beryl_syscode::check::time::{Loss, Policy, Task};
use beryl_syscode::check::weight::{Costs, Weight};

use crate::assembly::{Assembly, Mode, Module, Role, Thread};
use crate::code::{Program, SlotCode, container};
use crate::costs::{Costed, costed};
use crate::load::{
    asynchronous_instants, common, completions, dispatches, driver_time, instants_of, instruction,
    kernel_work, openings, releases, replenishments, second_traps, system, takers, task, threads, wake_ups,
    watchdogs,
};

/// If a program has a thread, two instructions come first: one begins the thread, and a jump leads to the module's
/// own code.
const BEGINS: u64 = 2;

/// A costed system with all its programs, and what the programs for slots have of the processor.
#[derive(Clone, Debug)]
pub struct Supplied {
    /// What it is, and what the kernel takes.
    pub costed: Costed,
    /// The system code: one program a module, a band that is scheduled by code, and an asynchronous task.
    pub programs: Vec<Program>,
    /// That of other programs of modules, in the order of the assembly's.
    pub alternatives: Vec<Program>,
    /// What the image keeps for each slot.
    pub slots: Vec<SlotCode>,
    /// What the programs of each slot's module have of the processor.
    pub supplies: Vec<Supply>,
}

/// Adds what the programs for slots have of the processor to a costed system, its programs, the other programs, and
/// what it keeps for its slots.
#[must_use]
pub fn supplied(
    costed: Costed,
    programs: Vec<Program>,
    alternatives: Vec<Program>,
    slots: Vec<SlotCode>,
) -> Supplied {
    let known = Known { programs: &programs, alternatives: &alternatives };
    let supplies =
        (0..costed.assembly.objects.slots.len()).map(|slot| supply(&costed, known, slot)).collect();
    Supplied { costed, programs, alternatives, slots, supplies }
}

impl Supplied {
    /// The same, with costs computed anew for what it has become.
    #[must_use]
    pub(crate) fn costed_anew(self) -> Supplied {
        let Costed { description, assembly, .. } = &self.costed;
        Supplied { costed: costed(description, assembly, &self.programs, &self.alternatives), ..self }
    }
}

impl Deref for Supplied {
    type Target = Costed;

    fn deref(&self) -> &Costed {
        &self.costed
    }
}

/// All programs that are known.
#[derive(Clone, Copy)]
struct Known<'a> {
    programs: &'a [Program],
    alternatives: &'a [Program],
}

/// The supply of a slot's module. It leaves out what the proof of the system leaves out; `unproved` lists that.
fn supply(costed: &Costed, known: Known<'_>, slot: usize) -> Supply {
    let assembly = &costed.assembly;
    let bodies = assembly.bodies(slot);
    let Some(module) = assembly.modules.iter().position(|module| module.slot == Some(slot)) else {
        // Joining refuses a slot that is no module's.
        return Supply::default();
    };
    let modes = bodies.iter().flat_map(|body| &body.modes);
    let grain = modes.flat_map(Mode::rhythms).map(Duration::ticks).reduce(common).unwrap_or(1);
    let ranks = ranks(assembly, module);
    let threads = threads(costed, slot);
    let times = assembly.tasks().map(|(thread, own)| {
        let rank = ranks.iter().position(|rank| *rank == key(assembly, thread.band, thread.place));
        let rank = if own.module == module { rank } else { None };
        let each = each_job(costed, thread).saturating_add(if own.module == module { threads } else { 0 });
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
    let drivers = assembly.drivers.iter().map(|row| narrow(driver_time(costed, row)));
    let mut supply = Supply {
        grain: narrow(grain),
        times: times.collect(),
        policies: policies.collect(),
        drivers: drivers.collect(),
        instruction: narrow(instruction(costed)),
        most: u32::MAX - 1,
        threads: narrow(threads),
        losses: Vec::new(),
    };
    let around = costed.costs.around_code;
    // An instant of any program may call each driver once, or do as much as an instant of a known program.
    let used = (0..assembly.drivers.len()).filter(|index| assembly.is_used(&bodies, *index));
    let each = used.map(|index| driver_time(costed, &assembly.drivers[index]));
    // Each step takes as long as it weighs.
    let own = around.saturating_add(instruction(costed).saturating_mul(costed.costs.program_steps));
    let usual = each.fold(costed.costs.kernel.instant.get().max(own), u64::saturating_add);
    let code = usual.max(around.saturating_add(heaviest(costed, known, module, &supply.costs()).into()));
    // An event may come right behind an instant on time (`weight`). So there is room for both, and for what the
    // kernel does around each of them.
    let times = if assembly.event_triggers() > 0 { 2 } else { 1 };
    let code = code.saturating_sub(around).saturating_mul(times);
    let begins = if threads > 0 { instruction(costed).saturating_mul(BEGINS) } else { 0 };
    let most = code.saturating_add(threads).saturating_add(begins);
    supply.most = narrow(most);
    let instant = most.saturating_add(around.saturating_mul(times));
    supply.losses = losses(costed, slot, module, grain, instant);
    supply
}

/// What the heaviest instant of the module's known programs takes.
fn heaviest(costed: &Costed, known: Known<'_>, module: usize, costs: &Costs<'_>) -> u32 {
    let others = costed.assembly.alternatives.iter().zip(known.alternatives);
    let others = others.filter(|(row, _)| row.module == module).map(|(_, program)| program);
    let known = known.programs.get(module).into_iter().chain(others);
    let weight = |program: &Program| {
        let bytes = container(&costed.assembly, program);
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
fn each_job(costed: &Costed, thread: &Thread) -> u64 {
    let costs = costed.costs.kernel;
    let each = [costs.release, costs.completion, costs.switch, costs.switch, costs.alarm];
    each.into_iter().fold(costed.ends(thread), |sum, cost| sum.saturating_add(cost.get()))
}

fn losses(costed: &Costed, slot: usize, module: usize, grain: u64, instant: u64) -> Vec<Loss> {
    let assembly = &costed.assembly;
    let bodies = assembly.bodies(slot);
    let modes = bodies.iter().flat_map(|body| &body.modes);
    let periods: Vec<_> = modes.map(|mode| mode.period.ticks()).collect();
    // A program takes over at the end of a period. So whatever divides all periods begins together with it.
    let loss = |period: u64, worst: u64, begins_at_zero: bool| Loss {
        period: narrow(period),
        worst: narrow(worst),
        is_in_step: begins_at_zero && periods.iter().all(|whole| whole.is_multiple_of(period.max(1))),
    };
    let own = costed.costs.kernel.alarm.get().saturating_add(instant).saturating_add(blocking(costed));
    let mut losses = vec![loss(grain, own, true)];
    for (index, other) in assembly.modules.iter().enumerate() {
        if index == module {
            continue;
        }
        // After a switch of modes that need not be so any more.
        let is_regular = other.is_regular();
        for (every, part) in parts(other) {
            let drivers = (0..assembly.drivers.len()).filter(|index| assembly.is_used(&[&part], *index));
            let worst = drivers
                .map(|index| driver_time(costed, &assembly.drivers[index]))
                .fold(0, u64::saturating_add);
            losses.push(loss(every.ticks(), worst, is_regular));
        }
        let each = costed.costs.kernel.alarm.get().saturating_add(costed.costs.kernel.instant.get());
        losses.push(loss(instants_of(other), each, is_regular));
    }
    let last =
        assembly.tasks().filter(|(_, task)| task.module == module).map(|(thread, _)| thread.band).max();
    for row in &assembly.asynchronous {
        let used = row.drivers().chain(publisher(assembly, row.task));
        let worst =
            used.map(|index| driver_time(costed, &assembly.drivers[index])).fold(0, u64::saturating_add);
        losses.push(loss(
            row.separation.ticks(),
            worst.saturating_add(asynchronous_instants(costed, row)),
            false,
        ));
    }
    for (index, thread) in assembly.threads.iter().enumerate() {
        let is_asynchronous = assembly.is_asynchronous(index);
        let is_own = matches!(&thread.role, Role::Task(task) if task.module == module) && !is_asynchronous;
        let (Some(row), false) = (task(thread), is_own) else { continue };
        // Of threads below all of them, only the kernel's steps count.
        let is_above = last.is_none_or(|last| thread.band <= last);
        let work = if is_above { row.worst.get() } else { 0 };
        let is_regular = match &thread.role {
            Role::Task(task) => assembly.modules.get(task.module).is_some_and(Module::is_regular),
            _ => true,
        };
        let is_in_step = row.offset.get() == 0 && is_regular && !is_asynchronous && !row.is_sporadic;
        // What is used late in a period is counted by the period that a stretch begins in.
        let distance = if thread.budget.is_some() { row.period } else { row.period.less(row.jitter) };
        // A timer's instant ends with a look into the queues.
        let look =
            if matches!(thread.role, Role::Periodic(_)) { costed.costs.steps_of_instants(1) } else { 0 };
        let each = each_job(costed, thread).saturating_add(look);
        losses.push(loss(distance.get(), work.saturating_add(each), is_in_step));
    }
    let kernel_work = assembly.threads.iter().filter_map(|thread| kernel_work(costed, thread));
    let awake = assembly.threads.iter().filter_map(|thread| wake_ups(costed, thread));
    let released = assembly.threads.iter().filter_map(|thread| releases(costed, thread));
    let budgets = assembly.threads.iter().filter_map(|thread| replenishments(costed, thread));
    let schedules = assembly.bands_by_code().filter_map(|band| dispatches(costed, band));
    let entered = assembly.tasks().filter_map(|(thread, task)| completions(costed, thread, task));
    let others = assembly.offers().filter(|(other, _)| *other != slot);
    let taken = others.flat_map(|(other, _)| takers(costed, other));
    let rows =
        kernel_work.chain(schedules).chain(awake).chain(released).chain(budgets).chain(entered).chain(taken);
    let rows = rows.chain(openings(costed)).chain(second_traps(costed)).chain(watchdogs(costed));
    losses.extend(rows.map(|row| loss(row.period.get(), row.worst.get(), false)));
    joined(losses, MOST_LOSSES)
}

/// How long less urgent work may block the module's tasks, with what the kernel does for it. That happens once in
/// each of their busy periods, so it is enough to count it once in each grain. Times that are too large to count
/// with block for ever.
fn blocking(costed: &Costed) -> u64 {
    system(costed).longest_blocking().map_or(u64::MAX, Ticks::get)
}

/// Rows of losses are numbered by a byte.
const MOST_LOSSES: usize = 256;

/// At most so many rows, which together take no less. Behind the first, rows with the same period become one. If that
/// isn't enough, rows with the longest periods are counted as often as the shortest of these.
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

/// For each activity, switch and update on entering: the time from one to the next, and a module with nothing else.
fn parts(module: &Module) -> Vec<(Duration, Module)> {
    let empty = |mode: &Mode| Mode {
        activities: Vec::new(),
        switches: Vec::new(),
        entering: Vec::new(),
        ..mode.clone()
    };
    let only = |mode: Mode| Module { modes: vec![mode], ..module.clone() };
    let parts = module.modes.iter().enumerate().flat_map(|(index, mode)| {
        let activities = mode.activities.iter();
        let activities = activities.map(move |one| {
            (one.distance(mode.period), only(Mode { activities: vec![one.clone()], ..empty(mode) }))
        });
        let switches = mode.switches.iter();
        let switches = switches.map(move |one| {
            (one.distance(mode.period), only(Mode { switches: vec![one.clone()], ..empty(mode) }))
        });
        let entered = module.entered_every(index);
        let entering = mode.entering.iter();
        let entering =
            entering.map(move |one| (entered, only(Mode { entering: vec![one.clone()], ..empty(mode) })));
        activities.chain(switches).chain(entering)
    });
    parts.collect()
}

/// In 32 bits. Whatever is longer becomes the longest, which is too long for any check.
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
