//! The rows of slots in `tables.rs`: what other programs of a module may name.

use beryl_abi::Line;
use beryl_syscode::Container;
use beryl_syscode::check::Rights;
use beryl_syscode::check::admission::Terms;

use crate::assembly::objects::Slot;
use crate::assembly::{Activity, Assembly, Guard, Input, Module, Role, Switch, Thread, Trigger};
use crate::code::Program;
use crate::emit::container::container;

/// The rows of all slots.
pub(super) fn rows(assembly: &Assembly, programs: &[Program]) -> Vec<String> {
    let slots = assembly.objects.slots.iter().enumerate();
    slots
        .map(|(index, slot)| {
            let asked = Asked::of(assembly, programs, index);
            format!(
                "/* {} */ ProgramSlot {{ processes: {:#x}, base: {}, size: {}, terms: {} }}",
                slot.name,
                slot.processes,
                slot.base,
                slot.size,
                in_source(&asked.terms(slot)),
            )
        })
        .collect()
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

/// What a slot asks of programs, beside what they have of the processor.
pub struct Asked {
    interface: u32,
    tasks: Vec<u8>,
    drivers: Vec<u8>,
    lines: Vec<Line>,
    ports: u16,
}

impl Asked {
    /// What the slot asks: the tasks of its module, and the drivers of all programs of it, a bit each, the lowest of the first byte first.
    #[must_use]
    pub fn of(assembly: &Assembly, programs: &[Program], slot: usize) -> Asked {
        let module = assembly.module_of(slot);
        let bodies = bodies(assembly, slot);
        let own = module.and_then(|module| programs.get(module));
        let is_own =
            |thread: &Thread| matches!(&thread.role, Role::Task(task) if Some(task.module) == module);
        Asked {
            interface: own.map_or(0, |program| interface(assembly, program)),
            tasks: bits(assembly.threads.iter().map(is_own)),
            drivers: bits((0..assembly.drivers.len()).map(|driver| is_used(assembly, &bodies, driver))),
            lines: lines(assembly).map(Line).collect(),
            ports: u16::try_from(assembly.ports.len()).unwrap_or(u16::MAX),
        }
    }

    /// All of it.
    #[must_use]
    pub fn terms<'a>(&'a self, slot: &'a Slot) -> Terms<'a> {
        let supply = &slot.supply;
        Terms {
            interface: self.interface,
            rights: Rights { tasks: &self.tasks, drivers: &self.drivers },
            lines: &self.lines,
            ports: self.ports,
            triggers: 1,
            threads: u8::from(slot.offers.is_some()),
            certified_only: slot.certified_only,
            grain: supply.grain,
            times: &supply.times,
            policies: &supply.policies,
            costs: supply.costs(),
            losses: &supply.losses,
        }
    }
}

/// What programs of a slot have in common: the checksum of all names.
fn interface(assembly: &Assembly, program: &Program) -> u32 {
    Container::read(&container(assembly, program)).map_or(0, |container| container.interface())
}

/// The image's program of a slot's module, and all others.
pub(crate) fn bodies(assembly: &Assembly, slot: usize) -> Vec<&Module> {
    let others = assembly.alternatives.iter().map(|row| &row.body);
    assembly.modules.iter().chain(others).filter(|body| body.slot == Some(slot)).collect()
}

/// The interrupts for which programs that arrive may wait: those that release tasks, and so have no thread.
fn lines(assembly: &Assembly) -> impl Iterator<Item = u16> {
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
