//! The rows of slots in `tables.rs`: what other programs of a module may name.

use beryl_syscode::Container;

use crate::assembly::{Activity, Assembly, Guard, Input, Module, Role, Switch, Thread, Trigger};
use crate::code::Program;
use crate::emit::container::container;

/// The rows of all slots.
pub(super) fn rows(assembly: &Assembly, programs: &[Program]) -> Vec<String> {
    let slots = assembly.objects.slots.iter().enumerate();
    slots
        .map(|(index, slot)| {
            let module = assembly.module_of(index);
            let own = module.and_then(|module| programs.get(module));
            let interface = own.map_or(0, |program| interface(assembly, program));
            let Named { tasks, drivers } = named(assembly, index);
            let lines = lines(assembly).map(|line| format!("Line({line})"));
            format!(
                "/* {} */ ProgramSlot {{ processes: {:#x}, base: {}, size: {}, interface: {interface:#010x}, rights: Rights {{ \
                 tasks: &{:?}, drivers: &{:?} }}, lines: &[{}], ports: {}, triggers: 1, threads: {}, certified_only: {}, grain: {}, times: &[{}], policies: &[{}], costs: Costs {{ drivers: &{:?}, instruction: {}, most: {}, threads: {} }}, \
                 losses: &[{}] }}",
                slot.name,
                slot.processes,
                slot.base,
                slot.size,
                tasks,
                drivers,
                listed(lines),
                assembly.ports.len(),
                u8::from(slot.offers.is_some()),
                slot.certified_only,
                slot.supply.grain,
                listed(slot.supply.times.iter().map(|task| format!("time::{task:?}"))),
                listed(slot.supply.policies.iter().map(|policy| format!("time::Policy::{policy:?}"))),
                slot.supply.drivers,
                slot.supply.instruction,
                slot.supply.most,
                slot.supply.threads,
                listed(slot.supply.losses.iter().map(|loss| format!("time::{loss:?}"))),
            )
        })
        .collect()
}

/// What programs of a slot have in common: the checksum of all names.
pub(crate) fn interface(assembly: &Assembly, program: &Program) -> u32 {
    Container::read(&container(assembly, program)).map_or(0, |container| container.interface())
}

/// What programs of a slot may name: a bit for each task and driver, the lowest of the first byte first.
pub(crate) struct Named {
    pub tasks: Vec<u8>,
    pub drivers: Vec<u8>,
}

/// The tasks of the slot's module, and the drivers of all programs of it.
pub(crate) fn named(assembly: &Assembly, slot: usize) -> Named {
    let module = assembly.module_of(slot);
    let bodies = bodies(assembly, slot);
    let is_own = |thread: &Thread| matches!(&thread.role, Role::Task(task) if Some(task.module) == module);
    Named {
        tasks: bits(assembly.threads.iter().map(is_own)),
        drivers: bits((0..assembly.drivers.len()).map(|driver| is_used(assembly, &bodies, driver))),
    }
}

/// The image's program of a slot's module, and all others.
pub(crate) fn bodies(assembly: &Assembly, slot: usize) -> Vec<&Module> {
    let others = assembly.alternatives.iter().map(|row| &row.body);
    assembly.modules.iter().chain(others).filter(|body| body.slot == Some(slot)).collect()
}

/// The interrupts for which programs that arrive may wait: those that release tasks, and so have no thread.
pub(crate) fn lines(assembly: &Assembly) -> impl Iterator<Item = u16> {
    assembly.asynchronous.iter().filter_map(|row| match row.trigger {
        Trigger::Interrupt(line) => Some(line),
        Trigger::Change(_) => None,
    })
}

/// Whether one of the programs carries out a driver.
pub(crate) fn is_used(assembly: &Assembly, bodies: &[&Module], driver: usize) -> bool {
    let is = |input: &Input| input.driver == driver || input.getter == Some(driver);
    let asks = |guard: &Guard| guard.driver == driver || guard.getters.contains(&driver);
    let publishes = |role: &Role| match role {
        Role::Task(task) => task.publisher == Some(driver) || task.reaction.drivers.contains(&driver),
        _ => false,
    };
    let acts = |activity: &Activity| {
        let own = match activity {
            Activity::Release { task, inputs, .. } => {
                inputs.iter().any(is)
                    || assembly.threads.get(*task).is_some_and(|thread| publishes(&thread.role))
            }
            Activity::Actuate { update, .. } => is(update),
        };
        own || activity.guard().is_some_and(asks)
    };
    let switches = |switch: &Switch| switch.guard.as_ref().is_some_and(asks);
    let mut modes = bodies.iter().flat_map(|body| &body.modes);
    modes.any(|mode| mode.activities.iter().any(acts) || mode.switches.iter().any(switches))
}

fn listed(rows: impl Iterator<Item = String>) -> String {
    rows.collect::<Vec<_>>().join(", ")
}

/// A bit each, the lowest of the first byte first.
fn bits(flags: impl Iterator<Item = bool>) -> Vec<u8> {
    let flags: Vec<_> = flags.collect();
    let byte = |chunk: &[bool]| {
        chunk.iter().enumerate().fold(0, |byte, (place, flag)| byte | u8::from(*flag) << place)
    };
    flags.chunks(8).map(byte).collect()
}
